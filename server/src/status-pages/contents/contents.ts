import { randomUUIDv7 } from "node:crypto";
import { parse } from "tldts";
import { readDevices } from "../../monitors/queries/devices.ts";
import { findMonitors, type Monitor } from "../../monitors/queries/monitors.ts";
import { mayRead } from "../../platform/access/check-access.ts";
import type { Db } from "../../platform/database/schema.ts";
import { type FieldErrors, invalidInput, PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { findPageMeant, pageChanged, rereadPage, showPage } from "../found-page.ts";
import { derivedUuid } from "../page-url.ts";
import {
  type ComponentSettings,
  deleteComponent,
  insertComponent,
  listComponents,
  listGroups,
  type PageComponent,
  type PageGroup,
  placeComponents,
  saveComponent,
  saveGroups,
} from "../queries/status-page-components.ts";
import type { StatusPage } from "../queries/status-pages.ts";
import type { ContentsComponentInput, PageContentsInput } from "../schemas/status-page-contents.ts";
import {
  type ComponentInput,
  LayoutInput,
  MAX_COMPONENTS,
  StatusPage as StatusPageSchema,
} from "../schemas/status-pages.ts";
import { arrangementProblems, placesOf } from "./arrangement.ts";
import { DEFAULT_METRICS, ofEachMetric } from "./component-metrics.ts";

/** A scheme, an IPv4 or IPv6 address, or a host with its port. */
const ADDRESS =
  /:\/\/|\b\d{1,3}(?:\.\d{1,3}){3}\b|[0-9a-f]{1,4}:[0-9a-f:]*:[0-9a-f]{1,4}|[a-z][\w.-]*:\d{2,5}\b/i;
/** Not from within a name: it would be tried at each of its characters. */
const HOST = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** Ends of names inside a network, which no registry has. */
const INNER = /\.(?:corp|home|internal|intranet|lan|local|localdomain|localhost|test)$/i;

const isHost = (name: string): boolean => INNER.test(name) || parse(name).isIcann === true;

/** Parts with dots, and plain names such as `db-01`. */
function hostsIn(target: string): string[] {
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const [first = ""] = rest.split(/[/:?#@\s]/);
  return [...(target.match(HOST) ?? []), ...(/[\d-]/.test(first) && first.length > 2 ? [first] : [])];
}

/** The targets of a domain or service, in their forms; a device's host name, empty where unknown. */
type Checked = { targets: readonly string[] } | { host: string };

export function revealsTarget(name: string, checked: Checked): boolean {
  const folded = name.toLowerCase();
  if (ADDRESS.test(folded) || (folded.match(HOST) ?? []).some(isHost)) return true;
  if ("host" in checked) return revealsHost(folded, checked.host.toLowerCase());
  const targets = checked.targets.flatMap((one) => [one, ...hostsIn(one)]);
  return targets.some((one) => one !== "" && folded.includes(one.toLowerCase()));
}

/** As a word, with or without its domain, since a machine may be called "art". */
function revealsHost(name: string, host: string): boolean {
  const [short = ""] = host.split(".");
  return [host, short].some((one) => one !== "" && wordsOf(name).includes(wordsOf(one)));
}

const wordsOf = (text: string): string => ` ${text.replaceAll(/[^\p{L}\p{N}-]+/gu, " ").trim()} `;

type Known = Pick<Monitor, "id" | "kind" | "name" | "target" | "displayTarget">;

/** For a monitor that the caller may not see: the answer must not confirm guesses. */
export const UNKNOWN: Checked = { targets: [] };

export async function whatIsChecked(db: Db, monitors: readonly Known[]): Promise<Map<number, Checked>> {
  const ids = monitors.flatMap(({ id, kind }) => (kind === "device" ? id : []));
  const devices = new Map(ids.length === 0 ? [] : await readDevices(db, ids));
  const checkedBy = ({ id, kind, name, target, displayTarget }: Known): Checked => {
    if (kind !== "device") return { targets: [target, displayTarget] };
    const device = devices.get(id);
    // A device that enrolled itself is named by its host until its first report.
    return { host: device?.system?.hostname ?? (device?.enrolledBy ? name : "") };
  };
  return new Map(monitors.map((monitor) => [monitor.id, checkedBy(monitor)]));
}

type PlannedPage = Pick<StatusPage, "id" | "uuid">;

/**
 * Matches each component to an existing one, or to the monitor that it is new for. Throws 422 with the path
 * of the error (`contents.groups.0.components.2.displayName`), and 403 for too many.
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
  /** Null where it is invalid: then it is among the problems. */
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
  const report = (path: string, what: ReturnType<typeof msg>) => {
    problems[path] = [what];
    return null;
  };
  const planOld = (input: ContentsComponentInput, uuid: string, path: string) => {
    const component = known.get(uuid.toLowerCase());
    if (!component) return report(`${path}.uuid`, msg("page.no_component", { id: uuid }));
    if (linked.has(component.monitorId))
      return report(`${path}.uuid`, msg("page.component_twice", { id: uuid }));
    linked.add(component.monitorId);
    return { ...component, ...settingsOf(component, input) };
  };
  const planNew = (input: ContentsComponentInput, path: string) => {
    const id = input.monitorUuid?.toLowerCase() ?? "";
    const monitor = monitors.get(id);
    if (!monitor) return report(`${path}.monitorUuid`, msg("page.no_monitor", { id }));
    if (linked.has(monitor.id)) return report(`${path}.monitorUuid`, msg("page.linked"));
    linked.add(monitor.id);
    const checked = checks.get(monitor.id) ?? UNKNOWN;
    return (
      newComponent(page, { monitor, checked }, input) ??
      report(`${path}.displayName`, msg("page.name_needed"))
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
      planning.problems[`${path}.uuid`] = [msg("page.no_group", { id: group.uuid })];
    if (named.has(uuid)) planning.problems[`${path}.uuid`] = [msg("page.group_twice", { id: uuid })];
    if (group.uuid !== undefined) named.add(uuid);
    return {
      ...plannedGroup(group, was),
      components: components.flatMap((one, place) => planning.plan(one, `${path}.components.${place}`) ?? []),
    };
  });
}

/** `id` null: a new one. */
export interface PlannedComponent extends Omit<PageComponent, "id" | "groupId" | "pageId"> {
  id: number | null;
}

/** `id` null: a new one. */
interface PlannedGroup extends Omit<PageGroup, "id" | "pageId"> {
  id: number | null;
}

/** Nothing of it is stored yet. */
export interface PlannedContents {
  components: PlannedComponent[];
  groups: (PlannedGroup & { components: PlannedComponent[] })[];
}

/** Throws 403. */
export function assertFits(components: number): void {
  if (components > MAX_COMPONENTS) {
    throw new PublicError("quota_reached", msg("page.many_components", { limit: MAX_COMPONENTS }));
  }
}

/** Null where it needs a public name, because the monitor's reveals its target. */
export function newComponent(
  page: { uuid: string },
  { monitor, checked }: { monitor: Pick<Monitor, "id" | "uuid" | "kind" | "name">; checked: Checked },
  input: ComponentInput,
): PlannedComponent | null {
  const { id: monitorId, uuid: monitorUuid, name: monitorName, kind } = monitor;
  if (input.displayName === undefined && revealsTarget(monitorName, checked)) return null;
  return {
    ...{ id: null, uuid: componentUuid(page, monitor), monitorId, monitorUuid, monitorName, kind },
    ...settingsOf({ ...USUAL_COMPONENT, displayName: monitorName }, input),
  };
}

interface GroupInput {
  /** Absent: a new one. */
  uuid?: string | undefined;
  name: string;
  isCollapsed?: boolean | undefined;
}

/** Absent fields stay. `was`: the group of that uuid. */
const plannedGroup = (input: GroupInput, was: PageGroup | undefined): PlannedGroup => ({
  ...{ id: was?.id ?? null, uuid: was?.uuid ?? randomUUIDv7(), name: input.name.trim() },
  isCollapsed: input.isCollapsed ?? was?.isCollapsed ?? false,
});

/**
 * Stable for a monitor, so that subscribers who chose it get its updates after it was removed and added
 * again.
 */
const componentUuid = (page: { uuid: string }, monitor: { uuid: string }): string =>
  derivedUuid(page.uuid, `component ${monitor.uuid}`);

/** Replaces the page's contents. Call it with the page locked. */
export async function saveContents(
  trx: Db,
  page: StatusPage,
  { components, groups }: PlannedContents,
): Promise<void> {
  const all = [...components, ...groups.flatMap((group) => group.components)];
  const remaining = new Set(all.map(({ id }) => id));
  for (const { id } of await listComponents(trx, [page.id])) {
    if (!remaining.has(id)) await deleteComponent(trx, id);
  }
  const groupIds = await saveGroups(trx, page, groups);
  const lists = [
    { groupId: null, own: components },
    ...groups.map(({ uuid, components: own }) => ({ groupId: groupIds.get(uuid) ?? null, own })),
  ];
  const places = [];
  for (const { groupId, own } of lists) {
    for (const [position, component] of own.entries()) {
      const place = { groupId, position };
      places.push({ ...place, id: await saveOne(trx, page, { ...component, ...place }) });
    }
  }
  await placeComponents(trx, places);
}

async function saveOne(
  trx: Db,
  { id: pageId, organizationId }: StatusPage,
  { id, ...component }: PlannedComponent & { groupId: number | null; position: number },
): Promise<number> {
  if (id === null) return insertComponent(trx, { ...component, pageId, organizationId });
  await saveComponent(trx, id, component);
  return id;
}

const USUAL_COMPONENT = { description: "", ...DEFAULT_METRICS };

export function settingsOf(base: ComponentSettings, input: ComponentInput): ComponentSettings {
  const { displayName = base.displayName, description = base.description } = input;
  return {
    ...ofEachMetric((metric) => input[metric] ?? base[metric]),
    ...{ displayName: displayName.trim(), description: description.trim() },
  };
}

/** Sets groups and order at once. Throws 404, and 422 for what the page does not have. */
export const arrangePage = verb({
  resource: "status-pages",
  feature: "team",
  action: "write",
  audit: "arrange page",
  input: LayoutInput,
  output: StatusPageSchema,
  find: findPageMeant,
  async run(ctx, { components: alone = [], groups }, found) {
    const { db } = ctx;
    const page = await rereadPage(ctx, found);
    const known = {
      components: await listComponents(db, [page.id]),
      groups: await listGroups(db, [page.id]),
    };
    const arrangement = { components: alone.map(lower), groups: groups.map(inLowerCase) };
    assertPossible(arrangementProblems(arrangement, known));
    const groupOf = new Map(known.groups.map((group) => [group.uuid, group]));
    const wanted = arrangement.groups.map((group) => plannedGroup(group, groupOf.get(group.uuid ?? "")));
    const saved = await saveGroups(db, page, wanted);
    const groupIds = wanted.map(({ uuid }) => saved.get(uuid) as number);
    await placeComponents(db, placesOf(arrangement, known.components, groupIds));
    await pageChanged(ctx, page);
    return showPage(ctx, page);
  },
});

const lower = (uuid: string): string => uuid.toLowerCase();
const inLowerCase = <G extends { uuid?: string; components: string[] }>(group: G): G => ({
  ...group,
  ...(group.uuid !== undefined && { uuid: lower(group.uuid) }),
  components: group.components.map(lower),
});

function assertPossible({ components, groups }: ReturnType<typeof arrangementProblems>): void {
  const problems: FieldErrors = {};
  const ofComponents = [
    ...components.unknown.map((id) => msg("page.no_component", { id })),
    ...components.doubled.map((id) => msg("page.component_twice", { id })),
  ];
  const ofGroups = [
    ...groups.unknown.map((id) => msg("page.no_group", { id })),
    ...groups.doubled.map((id) => msg("page.group_twice", { id })),
  ];
  if (ofComponents.length > 0) problems["components"] = ofComponents;
  if (ofGroups.length > 0) problems["groups"] = ofGroups;
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}
