import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { partition } from "../../platform/lru-cache.ts";
import { MAX_CONFIRMATIONS } from "../../platform/monitor-defaults.ts";
import { type Addressed, clean, monitorAt } from "./address.ts";
import { entryAt, type FileEntry, type FileFormat, FileProblem } from "./file-entry.ts";
import { isOfNumbers, jsonOperator, limitOf, pathTo } from "./gatus-conditions.ts";
import { isPlain, isSaid, listOf, lookUp, numberOf, own, type Plain, textOf } from "./monitor-names.ts";
import {
  type Converted,
  connectionOptions,
  expectedBy,
  hasConditions,
  unusedSettings,
  webPage,
  websocket,
} from "./uptime-kuma-settings.ts";

const service = (protocol: string, config: object, notes: MessageDescriptor[] = []): Converted => ({
  kind: "service",
  body: { protocol, protocolConfig: clean(config) },
  notes,
});
const refused = (problem: MessageDescriptor): Converted => ({ problem, kind: "service" });
const unset = (setting: string): MessageDescriptor => msg("import.setting", { setting });

const hostOf = (monitor: Plain): string | undefined => textOf(own(monitor, "hostname"));
const portOf = (monitor: Plain): number | undefined => numberOf(own(monitor, "port"));

function addressed(
  address: string,
  scheme: string,
): { protocol: string; config: object } | { problem: MessageDescriptor } {
  const found: Addressed | { problem: MessageDescriptor } = monitorAt(address);
  if ("problem" in found) return found;
  const { protocol, protocolConfig } = found.body as { protocol?: string; protocolConfig?: object };
  if (!protocol || !protocolConfig) return { problem: msg("import.address", { scheme }) };
  return { protocol, config: protocolConfig };
}

/** For kinds with a single connection string. */
const connected =
  (more: (monitor: Plain) => { config?: object; notes?: MessageDescriptor[] } = () => ({})) =>
  (monitor: Plain): Converted => {
    const address = textOf(own(monitor, "databaseConnectionString")) ?? "";
    const found = addressed(address, "databaseConnectionString");
    if ("problem" in found) return refused(found.problem);
    const options = connectionOptions(address, found.protocol);
    const { config = {}, notes = [] } = more(monitor);
    const all = { ...found.config, ...options.config, ...clean(config) };
    return service(found.protocol, all, [
      ...options.unused.map((name) => unset(`databaseConnectionString: ${name}`)),
      ...notes,
    ]);
  };

function redis(monitor: Plain): Converted {
  const found = connected()(monitor);
  if ("problem" in found || !isSaid(own(monitor, "ignoreTls"))) return found;
  const config = found.body["protocolConfig"] as { tls?: boolean; ignoreCertificate?: boolean };
  if (config.tls) config.ignoreCertificate = true;
  return found;
}

/** A database's query and the expected text. */
function requested(monitor: Plain): { config: object; notes: MessageDescriptor[] } {
  const { expect, notes } = expectedBy(monitor, "result");
  const query = textOf(own(monitor, "databaseQuery"))?.trim();
  return { config: { query: query || undefined, expect }, notes };
}

/** Names and indexes: an unquoted hyphen would be a minus, so other names are in backticks. */
const JSONATA_PATH = /^\$?(?:\.?(?:[A-Za-z_]\w*|`[^`.[\]]{1,200}`)|\[\d{1,9}\])*$/;

function jsonQuery(monitor: Plain): Converted {
  const query = (textOf(own(monitor, "jsonPath")) ?? "").trim();
  // Only plain paths of JSONata; it compares texts, and accepts bodies that are not JSON.
  const path = JSONATA_PATH.test(query) ? pathTo(query.replace(/^\$\.?/, "").replaceAll("`", "")) : null;
  const said = textOf(own(monitor, "jsonPathOperator")) ?? "==";
  const operator = said === "contains" ? said : jsonOperator(said);
  if (!operator || path === null)
    return { problem: msg("import.json_path", { path: query }), kind: "domain" };
  const expected = textOf(own(monitor, "expectedValue")) ?? "";
  const value = isOfNumbers(operator) ? limitOf(expected) : expected;
  return webPage(monitor, [{ type: "json", path, operator, value, compareAs: "text" }]);
}

function keyword(monitor: Plain): Converted {
  const value = textOf(own(monitor, "keyword"));
  const operator = isSaid(own(monitor, "invertKeyword")) ? "absent" : "present";
  const found = webPage(monitor, value === undefined ? [] : [{ type: "keyword", operator, value }]);
  if ("notes" in found && value !== undefined && JSON_MARKS.test(value))
    found.notes?.push(msg("import.keyword_json", { keyword: value.slice(0, MAX_SHOWN) }));
  return found;
}

/** JSON tokens between which servers may write spaces. */
const JSON_MARKS = /" *[:,\]}]|[[{:,] *["[{]|\d *[,\]}] *["\d\]}]/;
const MAX_SHOWN = 100;

/** For other record types Kuma compares a part. */
const WHOLE_RECORDS = ["A", "AAAA", "CNAME", "NS", "PTR", "TXT"];

function dns(monitor: Plain): Converted {
  const servers = (textOf(own(monitor, "dns_resolve_server")) ?? "").split(",").map((one) => one.trim());
  const [server, ...others] = servers;
  const recordType = textOf(own(monitor, "dns_resolve_type"));
  const isWhole = WHOLE_RECORDS.includes(recordType ?? "A");
  const { expect, notes } = expectedBy(monitor, isWhole ? "record" : "");
  return service(
    "dns",
    { hostname: hostOf(monitor), recordType, server: server || undefined, port: portOf(monitor), expect },
    [...others.filter(Boolean).map(unset), ...notes],
  );
}

/** With TLS if Kuma checks the certificate. */
function port(monitor: Plain): Converted {
  const alert = textOf(own(monitor, "expectedTlsAlert")) ?? "none";
  if (alert !== "none") return refused(msg("import.opposite", { condition: alert }));
  const security = textOf(own(monitor, "smtpSecurity"));
  const isWatched = isSaid(own(monitor, "expiryNotification"));
  const tls = security === "secure" && isWatched ? true : undefined;
  const ignoreCertificate = tls && isSaid(own(monitor, "ignoreTls")) ? true : undefined;
  const notes = security === "starttls" && isWatched ? [unset("smtpSecurity: starttls")] : [];
  return service("tcp", { host: hostOf(monitor), port: portOf(monitor), tls, ignoreCertificate }, notes);
}

function mqtt(monitor: Plain): Converted {
  const typed = hostOf(monitor) ?? "";
  const found = addressed(typed.includes("://") ? typed : `mqtt://${typed}`, "hostname");
  if ("problem" in found) return refused(found.problem);
  if (found.protocol !== "mqtt") return refused(msg("import.kind", { type: `mqtt (${found.protocol})` }));
  // Where there are conditions, Kuma evaluates them alone.
  const isJson = own(monitor, "mqttCheckType") === "json-query" && !hasConditions(monitor);
  const config = {
    ...found.config,
    ...clean({ port: portOf(monitor) }),
    user: textOf(own(monitor, "mqttUsername")),
    password: textOf(own(monitor, "mqttPassword")),
    topic: textOf(own(monitor, "mqttTopic")),
    expect: isJson || hasConditions(monitor) ? undefined : textOf(own(monitor, "mqttSuccessMessage")),
  };
  return service("mqtt", config, isJson ? [unset("jsonPath"), unset("expectedValue")] : []);
}

const HEALTHY = "SERVING";
const UNHEALTHY = ["NOT_SERVING", "UNKNOWN", "SERVICE_UNKNOWN"];

/** Kuma calls any method; Vedette requests the standard health service. */
function grpc(monitor: Plain): Converted {
  const name = textOf(own(monitor, "grpcServiceName")) ?? "";
  const method = textOf(own(monitor, "grpcMethod")) ?? "check";
  if (!/(?:^|\.)Health$/i.test(name) || !/^check$/i.test(method))
    return refused(msg("import.grpc", { method: name }));
  const word = textOf(own(monitor, "keyword")) ?? "";
  const isInverted = isSaid(own(monitor, "invertKeyword"));
  const isUp = (health: string) => health.includes(word) !== isInverted;
  if (!isUp(HEALTHY) && UNHEALTHY.some(isUp)) return refused(msg("import.opposite", { condition: word }));
  const tls = isSaid(own(monitor, "grpcEnableTls"));
  const found = addressed(`${tls ? "grpcs" : "grpc"}://${textOf(own(monitor, "grpcUrl")) ?? ""}`, "grpcUrl");
  if ("problem" in found) return refused(found.problem);
  const isOther = word !== "" && ![HEALTHY, ...UNHEALTHY].some((health) => health.includes(word));
  return service(
    found.protocol,
    { ...found.config, service: healthOf(textOf(own(monitor, "grpcBody"))) },
    isOther ? [unset(`keyword: ${word}`)] : [],
  );
}

/** From a body such as `{"service": "shop.Orders"}`. */
function healthOf(body: string | undefined): string | undefined {
  try {
    const requested: unknown = JSON.parse(body ?? "{}");
    return isPlain(requested) ? textOf(own(requested, "service")) : undefined;
  } catch {
    return undefined;
  }
}

const SMTP_SECURITY = { secure: "tls", starttls: "starttls", nostarttls: "none" };

function smtp(monitor: Plain): Converted {
  // By default Kuma uses STARTTLS if offered, and accepts servers without it.
  const security = lookUp(SMTP_SECURITY, textOf(own(monitor, "smtpSecurity")) ?? "") ?? "none";
  return service("smtp", { host: hostOf(monitor), port: portOf(monitor), security });
}

const MAX_PINGS = 10;

function ping(monitor: Plain): Converted {
  const count = numberOf(own(monitor, "ping_count"));
  const notes =
    count !== undefined && count > MAX_PINGS
      ? [msg("import.changed", { setting: "ping_count", from: count, to: MAX_PINGS })]
      : [];
  const most = count === undefined ? undefined : Math.min(Math.max(1, Math.round(count)), MAX_PINGS);
  return service("icmp", { host: hostOf(monitor), count: most }, notes);
}

/** By Kuma's type. Absent: unsupported. */
const KUMA_TYPES: Readonly<Record<string, (monitor: Plain) => Converted>> = {
  http: (monitor) => webPage(monitor, []),
  keyword,
  "json-query": jsonQuery,
  "real-browser": (monitor) => {
    const made = webPage(monitor, []);
    if ("notes" in made) made.notes?.push(msg("import.browser"));
    return made;
  },
  port,
  ping,
  "tailscale-ping": (monitor) => service("icmp", { host: hostOf(monitor) }, [unset("tailscale")]),
  dns,
  push: () => service("heartbeat", {}, [msg("import.heartbeat")]),
  postgres: connected(requested),
  mysql: connected((monitor) => {
    const { config, notes } = requested(monitor);
    return { config: { ...config, password: textOf(own(monitor, "radiusPassword")) }, notes };
  }),
  redis,
  mongodb: connected(),
  mqtt,
  "grpc-keyword": grpc,
  smtp,
  "websocket-upgrade": websocket,
  group: () => service("group", {}),
};

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
