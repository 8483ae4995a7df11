import { randomUUIDv7 } from "node:crypto";
import { type FieldErrors, invalidInput, PublicError } from "../../errors.ts";
import { mayRead } from "../../monitor/find-members.ts";
import { findMonitors, type NamedMonitor } from "../../store/queries/monitors.ts";
import {
  listComponents,
  listGroups,
  type PageComponent,
} from "../../store/queries/status-page-components.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import { fact } from "../../texts/fact.ts";
import type { Running } from "../../verb/verb.ts";
import { MAX_COMPONENTS } from "../../wire/page-components.ts";
import type { ContentsComponentInput, PageContentsInput } from "../../wire/status-page-contents.ts";
import { settingsOf, USUAL_COMPONENT } from "./component-settings.ts";
import { componentUuid } from "./component-uuid.ts";
import { tellsTarget } from "./display-name.ts";

/** A component as it is to be; `id` null: a new one. */
export interface PlannedComponent extends Omit<PageComponent, "id" | "groupId" | "pageId"> {
  id: number | null;
}

/** A group as it is to be; `id` null: a new one. */
export interface PlannedGroup {
  id: number | null;
  uuid: string;
  name: string;
  isCollapsed: boolean;
  components: PlannedComponent[];
}

/** Everything that a page is to show. Nothing of it is stored yet. */
export interface PlannedContents {
  components: PlannedComponent[];
  groups: PlannedGroup[];
}

type PlannedPage = Pick<StatusPage, "id" | "uuid">;

/**
 * What a page would show with this, each component told by what is there already or by the monitor that it is new for.
 * Throws 422, with the path of what is wrong (`contents.groups.0.components.2.displayName`), and 403 for too many.
 */
export async function planContents(
  ctx: Running,
  page: PlannedPage,
  input: PageContentsInput,
): Promise<PlannedContents> {
  const all = [...input.components, ...input.groups.flatMap(({ components }) => components)];
  if (all.length > MAX_COMPONENTS) {
    throw new PublicError("quota_reached", fact("page.many_components", { limit: MAX_COMPONENTS }));
  }
  const planning = await startPlanning(ctx, page, all);
  const components = input.components.map((one, at) => planning.plan(one, `contents.components.${at}`));
  const groups = await planGroups(ctx, page, { input, planning });
  if (Object.keys(planning.problems).length > 0) throw invalidInput(planning.problems);
  return { components: components.flatMap((one) => one ?? []), groups };
}

interface Planning {
  problems: FieldErrors;
  /** Null where it cannot be: then it is among the problems. */
  plan(input: ContentsComponentInput, path: string): PlannedComponent | null;
}

async function startPlanning(
  ctx: Running,
  page: PlannedPage,
  all: readonly ContentsComponentInput[],
): Promise<Planning> {
  const known = new Map((await listComponents(ctx.db, [page.id])).map((one) => [one.uuid, one]));
  const refs = all.flatMap(({ uuid, monitorUuid }) =>
    uuid === undefined && monitorUuid !== undefined ? { uuid: monitorUuid.toLowerCase() } : [],
  );
  const { organizationId } = ctx.caller;
  const readable = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const monitors = new Map(readable.map((one) => [one.uuid, one]));
  const problems: FieldErrors = {};
  const linked = new Set<number>();
  const report = (path: string, what: ReturnType<typeof fact>) => {
    problems[path] = [what];
    return null;
  };
  const planOld = (input: ContentsComponentInput, uuid: string, path: string) => {
    const component = known.get(uuid.toLowerCase());
    if (!component) return report(`${path}.uuid`, fact("page.no_component", { id: uuid }));
    if (linked.has(component.monitorId))
      return report(`${path}.uuid`, fact("page.component_twice", { id: uuid }));
    linked.add(component.monitorId);
    return { ...component, ...settingsOf(component, input) };
  };
  const planNew = (input: ContentsComponentInput, path: string) => {
    const id = input.monitorUuid?.toLowerCase() ?? "";
    const monitor = monitors.get(id);
    if (!monitor) return report(`${path}.monitorUuid`, fact("page.no_monitor", { id }));
    if (linked.has(monitor.id)) return report(`${path}.monitorUuid`, fact("page.linked"));
    linked.add(monitor.id);
    if (input.displayName === undefined && tellsTarget(monitor.name, monitor))
      return report(`${path}.displayName`, fact("page.name_needed"));
    return { ...newComponent(monitor, input), uuid: componentUuid(page, monitor) };
  };
  return {
    problems,
    plan: (input, path) =>
      input.uuid === undefined ? planNew(input, path) : planOld(input, input.uuid, path),
  };
}

function newComponent(monitor: NamedMonitor, input: ContentsComponentInput): Omit<PlannedComponent, "uuid"> {
  const { id: monitorId, uuid: monitorUuid, name: monitorName, kind } = monitor;
  return {
    ...{ id: null, monitorId, monitorUuid, monitorName, kind },
    ...settingsOf({ ...USUAL_COMPONENT, displayName: monitorName }, input),
  };
}

async function planGroups(
  { db }: Running,
  page: PlannedPage,
  { input, planning }: { input: PageContentsInput; planning: Planning },
): Promise<PlannedGroup[]> {
  const known = new Map((await listGroups(db, [page.id])).map((group) => [group.uuid, group]));
  const named = new Set<string>();
  return input.groups.map(({ uuid: given, name, isCollapsed, components }, at) => {
    const path = `contents.groups.${at}`;
    const uuid = given?.toLowerCase() ?? randomUUIDv7();
    const group = known.get(uuid);
    if (given !== undefined && !group)
      planning.problems[`${path}.uuid`] = [fact("page.no_group", { id: given })];
    if (named.has(uuid)) planning.problems[`${path}.uuid`] = [fact("page.group_twice", { id: uuid })];
    named.add(uuid);
    return {
      ...{ id: group?.id ?? null, uuid, name: name.trim() },
      isCollapsed: isCollapsed ?? group?.isCollapsed ?? false,
      components: components.flatMap((one, place) => planning.plan(one, `${path}.components.${place}`) ?? []),
    };
  });
}
