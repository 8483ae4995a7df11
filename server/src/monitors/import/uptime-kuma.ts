import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { MAX_CONFIRMATIONS } from "../../platform/monitor-defaults.ts";
import { partition } from "../../platform/partition.ts";
import { clean } from "./address.ts";
import { entryAt, type FileEntry, type FileFormat, FileProblem } from "./file-entry.ts";
import { isPlain, isSaid, listOf, lookUp, numberOf, own, type Plain, textOf } from "./monitor-names.ts";
import { unusedSettings } from "./uptime-kuma-settings.ts";
import { KUMA_TYPES } from "./uptime-kuma-types.ts";

/** Equal to no id, and so no parent. */
const NO_ID = Symbol("no id");
/** Parts of the backup that do not concern checks. */
const OTHER_PARTS = {
  notificationList: msg("import.notifications"),
  proxyList: msg("import.proxies"),
  maintenanceList: msg("import.setting", { setting: "maintenance" }),
  statusPageList: msg("import.setting", { setting: "status_page" }),
  dockerHostList: msg("import.setting", { setting: "docker_host" }),
} as const;
/** Kuma's default timeout, as a share of the interval. */
const TIMEOUT_PART = 0.8;
const MAX_GRACE_SECONDS = 86_400;

/** A JSON backup of Uptime Kuma 1, or the content of its database (kuma-database.ts). */
export const uptimeKuma: FileFormat = {
  isLike: (content) => /^\s*\{/.test(content) && content.includes('"monitorList"'),
  read(content) {
    const backup = parsed(content);
    const list = own(backup, "monitorList");
    const monitors = isPlain(list) ? Object.values(list) : listOf(list);
    const notes = Object.entries(OTHER_PARTS).filter(([name]) => isSaid(own(backup, name)));
    const groups: Groups = new Map(
      monitors.filter((one) => own(one, "type") === "group").map((one) => [own(one, "id"), one]),
    );
    const entries = monitors.map((monitor) => {
      const key = keyOf(monitor);
      return { ...entryOf(monitor, groups), ...(key !== undefined && { key }) };
    });
    const members = Map.groupBy(entries, (_, at) => own(monitors[at], "parent") ?? null);
    const inGroup = (monitor: unknown) => members.get(own(monitor, "id") ?? NO_ID) ?? [];
    return {
      entries: entries.map((entry, at) =>
        own(monitors[at], "type") === "group" ? withMembers(entry, inGroup(monitors[at])) : entry,
      ),
      notes: notes.map(([, note]) => note),
      missing: [],
    };
  },
};

/** By number. */
type Groups = ReadonlyMap<unknown, unknown>;

/** Neither the monitor nor a group around it is paused. */
function isActive(monitor: unknown, groups: Groups): boolean {
  const seen = new Set<unknown>();
  for (let one = monitor; one !== undefined && !seen.has(one); one = groups.get(own(one, "parent"))) {
    seen.add(one);
    const active = own(one, "active");
    if (active === false || active === 0) return false;
  }
  return true;
}

/** Kuma's number: names may be ambiguous. */
function keyOf(monitor: unknown): string | undefined {
  const id = own(monitor, "id");
  return typeof id === "number" || (typeof id === "string" && id !== "") ? String(id) : undefined;
}

/** With the members that can be imported. */
function withMembers(entry: FileEntry, members: readonly FileEntry[]): FileEntry {
  if (entry.problem !== null) return entry;
  const nameOf = ({ body }: FileEntry) => textOf(body["name"]) ?? "";
  const [taken, refused] = partition(members, ({ problem }) => problem === null);
  const notes = refused.map((member) => msg("import.member", { name: nameOf(member) }));
  const body = {
    ...entry.body,
    protocolConfig: { members: taken.map((one) => clean({ name: nameOf(one), key: one.key })) },
  };
  return { ...entry, body, notes: [...entry.notes, ...notes] };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (error) {
    const position = Number(/position (\d+)/.exec(String(error))?.[1] ?? 0);
    const line = content.slice(0, position).split("\n").length;
    throw new FileProblem(msg("import.syntax", { format: "JSON", line }));
  }
}

function entryOf(monitor: unknown, groups: Groups): FileEntry {
  if (!isPlain(monitor)) return { ...entryAt(null, "domain", {}), problem: msg("import.nothing") };
  const type = textOf(own(monitor, "type")) ?? "";
  const name = textOf(own(monitor, "name"));
  const convert = lookUp(KUMA_TYPES, type);
  const refused = (problem: MessageDescriptor, kind: FileEntry["kind"] = "service") => ({
    ...entryAt(null, kind, clean({ name })),
    problem,
  });
  if (!convert) return refused(msg("import.kind", { type }));
  if (isSaid(own(monitor, "upsideDown"))) return refused(msg("import.upside_down"));
  const found = convert(monitor);
  if ("problem" in found) return refused(found.problem, found.kind);
  const schedule = scheduleOf(monitor, type);
  const body: Record<string, unknown> = {
    name,
    ...found.body,
    ...settingsOf(monitor, groups),
    ...schedule.settings,
  };
  if (type === "push") body["protocolConfig"] = clean({ grace: graceOf(monitor) });
  const notes = [...(found.notes ?? []), ...schedule.notes, ...unusedSettings(monitor, type)];
  return { ...entryAt(null, found.kind, clean(body)), notes };
}

function settingsOf(monitor: Plain, groups: Groups): Record<string, unknown> {
  const parent = textOf(own(groups.get(own(monitor, "parent")), "name"));
  const tags = [...listOf(own(monitor, "tags")).flatMap(tagOf), ...(parent === undefined ? [] : [parent])];
  return {
    description: textOf(own(monitor, "description"))?.trim() || undefined,
    enabled: isActive(monitor, groups) ? undefined : false,
    tags: tags.length > 0 ? tags : undefined,
  };
}

function scheduleOf(
  monitor: Plain,
  type: string,
): { settings: Record<string, unknown>; notes: MessageDescriptor[] } {
  const isProbed = type !== "push" && type !== "group";
  const checkInterval = numberOf(own(monitor, "interval")) ?? 60;
  const retries = isProbed ? Math.max(0, numberOf(own(monitor, "maxretries")) ?? 0) : 0;
  const retry = numberOf(own(monitor, "retryInterval")) || checkInterval;
  const timeout = numberOf(own(monitor, "timeout")) || Math.round(checkInterval * TIMEOUT_PART);
  const settings = { timeout: isProbed ? timeout : undefined, confirmations: retries + 1, recoveries: 1 };
  if (retries === 0) return { settings: { checkInterval, ...settings }, notes: [] };
  if (retry <= checkInterval)
    return { settings: { checkInterval, ...settings, recheckDelay: retry }, notes: [] };
  // A recheck comes no later than the next check, so more rechecks take the time of Kuma's retries.
  const delay = retries * retry;
  const count = Math.min(Math.ceil(delay / checkInterval) + 1, MAX_CONFIRMATIONS);
  const interval = Math.max(checkInterval, Math.ceil(delay / (count - 1)));
  const changed = { checkInterval: interval, confirmations: count, recheckDelay: interval };
  return {
    settings: { ...settings, ...changed },
    notes: [msg("import.retries", { delay, count, interval })],
  };
}

/** For push monitors, retries extend the allowed silence. */
function graceOf(monitor: Plain): number | undefined {
  const retries = numberOf(own(monitor, "maxretries")) ?? 0;
  const each = numberOf(own(monitor, "retryInterval")) || (numberOf(own(monitor, "interval")) ?? 60);
  const seconds = Math.round(retries * each);
  return seconds > 0 ? Math.min(seconds, MAX_GRACE_SECONDS) : undefined;
}

/** `environment: production`, or the name alone. */
function tagOf(tag: unknown): string[] {
  const name = textOf(own(tag, "name"));
  const value = textOf(own(tag, "value"));
  if (name === undefined) return [];
  return [value === undefined ? name : `${name}: ${value}`];
}
