import { mayRead } from "../../account/may-read.ts";
import { type FieldErrors, invalidInput } from "../../errors.ts";
import { findMonitors } from "../../store/queries/monitors.ts";
import { listComponents, listGroups } from "../../store/queries/status-page-components.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import { fact } from "../../texts/fact.ts";
import type { Running } from "../../verb/verb.ts";
import type { ContentsComponentInput, PageContentsInput } from "../../wire/status-page-contents.ts";
import { settingsOf } from "./component-settings.ts";
import {
  assertFits,
  newComponent,
  type PlannedComponent,
  type PlannedContents,
  plannedGroup,
} from "./planned.ts";
import { UNKNOWN, whatIsChecked } from "./what-is-checked.ts";

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
  assertFits(all.length);
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
  const checks = await whatIsChecked(ctx.db, readable);
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
    const checked = checks.get(monitor.id) ?? UNKNOWN;
    return (
      newComponent(page, { monitor, checked }, input) ??
      report(`${path}.displayName`, fact("page.name_needed"))
    );
  };
  return {
    problems,
    plan: (input, path) =>
      input.uuid === undefined ? planNew(input, path) : planOld(input, input.uuid, path),
  };
}

async function planGroups(
  { db }: Running,
  page: PlannedPage,
  { input, planning }: { input: PageContentsInput; planning: Planning },
): Promise<PlannedContents["groups"]> {
  const known = new Map((await listGroups(db, [page.id])).map((group) => [group.uuid, group]));
  const named = new Set<string>();
  return input.groups.map(({ components, ...group }, at) => {
    const path = `contents.groups.${at}`;
    const uuid = group.uuid?.toLowerCase() ?? "";
    const was = known.get(uuid);
    if (group.uuid !== undefined && !was)
      planning.problems[`${path}.uuid`] = [fact("page.no_group", { id: group.uuid })];
    if (named.has(uuid)) planning.problems[`${path}.uuid`] = [fact("page.group_twice", { id: uuid })];
    if (group.uuid !== undefined) named.add(uuid);
    return {
      ...plannedGroup(group, was),
      components: components.flatMap((one, place) => planning.plan(one, `${path}.components.${place}`) ?? []),
    };
  });
}
