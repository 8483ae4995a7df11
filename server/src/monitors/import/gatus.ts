import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { clean, monitorAt, takeHost } from "./address.ts";
import { entryAt, type FileEntry, type FileFormat, type Reading } from "./file-entry.ts";
import { applyConditions, secondsOf } from "./gatus-conditions.ts";
import {
  isPlain,
  isSaid,
  isTrue,
  listOf,
  lookUp,
  numberOf,
  own,
  type Plain,
  textOf,
} from "./monitor-names.ts";
import { BARE_OR_IN_BRACES, fillIn, hasKey, readYaml, type YamlFile } from "./yaml-file.ts";

/** Parts of the file that do not concern checks. */
const OTHER_PARTS = [
  "alerting",
  "remote",
  "maintenance",
  "tunneling",
  "security",
  "connectivity",
  "announcements",
];

/** YAML: endpoints with their conditions. */
export const gatus: FileFormat = {
  isLike: (content) =>
    hasKey(content, "endpoints|services|external-endpoints|suites") &&
    /(?:^|[\s{,])["']?(?:conditions|token)["']?\s*:/m.test(content),
  read(content, reading) {
    const file = readYaml(content);
    const { value } = file;
    const missing = new Set<string>();
    const filling = { ...reading, missing, alerting: own(value, "alerting") };
    const part = own(value, "endpoints") === undefined ? "services" : "endpoints";
    const entries = [
      ...entriesOf(file, part, filling, endpointEntry),
      ...entriesOf(file, "external-endpoints", filling, externalEntry),
      ...entriesOf(file, "suites", filling, suiteEntry),
    ];
    const notes = OTHER_PARTS.filter((name) => isSaid(own(value, name)));
    return {
      entries,
      notes: notes.map((setting) => msg("import.setting", { setting })),
      missing: [...missing],
    };
  },
};

interface Filling extends Reading {
  missing: Set<string>;
  alerting: unknown;
}

type MakeEntry = (said: Plain, line: number | null, taken: Taken, filling: Filling) => FileEntry;

/** Variables are required where they are used: not in alerts and providers. */
function entriesOf(
  { value, lineOf }: YamlFile,
  part: string,
  filling: Filling,
  make: MakeEntry,
): FileEntry[] {
  return listOf(own(value, part)).map((said, at) => {
    const line = lineOf([part, at]);
    if (!isPlain(said)) return { ...entryAt(line, "domain", {}), problem: msg("import.nothing") };
    const lacking = new Set<string>();
    const take = (what: unknown) => fillIn(what, filling.variables, lacking, BARE_OR_IN_BRACES);
    const taken: Taken = {
      take,
      said: (name) => take(own(said, name)),
      peek: (what) => fillIn(what, filling.variables, new Set(), BARE_OR_IN_BRACES),
      raw: (name) => own(said, name),
    };
    const entry = make(said, line, taken, filling);
    for (const name of lacking) filling.missing.add(name);
    if (lacking.size === 0) return entry;
    return { ...entry, problem: msg("import.variables", { names: [...lacking].join(", ") }) };
  });
}

const endpointEntry: MakeEntry = (endpoint, line, taken, filling) => {
  const name = textOf(taken.said("name"));
  const found = addressed(taken);
  if ("problem" in found) {
    return { ...entryAt(line, "domain", clean({ name })), problem: found.problem };
  }
  const notes: MessageDescriptor[] = [];
  const body = { name, ...found.body, ...scheduleOf(endpoint, taken, filling, notes) };
  const entry: FileEntry = { ...entryAt(line, found.kind, clean(body)), notes };
  if (found.kind === "domain") applyRequest(taken, entry);
  else applyService(taken, entry, filling.kinds);
  nameUnused(endpoint, taken, entry);
  applyConditions(
    listOf(taken.said("conditions")).flatMap((one) => textOf(one) ?? []),
    entry,
  );
  return entry;
};

/** By the URL, and `dns` beside it. */
function addressed({ said }: Taken): ReturnType<typeof monitorAt> {
  const url = textOf(said("url")) ?? "";
  const dns = said("dns");
  if (isPlain(dns)) {
    const hostname = textOf(own(dns, "query-name"))?.replace(/\.$/, "");
    const [, server, port] = /^(?:\w+:\/\/)?(.+?)(?::(\d{1,5}))?$/.exec(url) ?? [];
    const recordType = textOf(own(dns, "query-type"))?.toUpperCase();
    const config = clean({ hostname, recordType, server, port: port && Number(port) });
    return { kind: "service", body: { protocol: "dns", protocolConfig: config } };
  }
  const starttls = /^starttls:\/\/(.*)$/i.exec(url)?.[1];
  if (starttls === undefined) return monitorAt(url);
  const found = monitorAt(`tls://${starttls}`);
  // Gatus speaks SMTP there on any port.
  if ("body" in found) Object.assign(found.body["protocolConfig"] as object, { starttls: "smtp" });
  return found;
}

function scheduleOf(
  endpoint: Plain,
  { said, take, peek }: Taken,
  { alerting }: Filling,
  notes: MessageDescriptor[],
) {
  const seconds = (name: string, value: unknown, usual?: number): number | undefined => {
    const found = secondsOf(value);
    if (found === undefined && isSaid(value)) notes.push(msg("import.setting", { setting: name }));
    return found ?? usual;
  };
  const checkInterval = seconds("interval", said("interval"), 60);
  const group = textOf(said("group"));
  const { confirmations, recoveries } = alertThresholds(endpoint, alerting, peek);
  return {
    checkInterval,
    timeout: seconds("client.timeout", take(own(own(endpoint, "client"), "timeout"))),
    tags: group === undefined ? undefined : [group],
    enabled: isTrue(said("enabled")) === false ? false : undefined,
    confirmations,
    recoveries,
    // Gatus rechecks after an interval, never sooner.
    recheckDelay: confirmations > 1 || recoveries > 1 ? checkInterval : undefined,
  };
}

/** Endpoints with external results become heartbeats, if they have a maximum of silence. */
const externalEntry: MakeEntry = (endpoint, line, taken, { alerting }) => {
  const name = textOf(taken.said("name"));
  const interval = secondsOf(taken.take(own(own(endpoint, "heartbeat"), "interval")));
  const entry = entryAt(line, "service", clean({ name, protocol: "heartbeat", protocolConfig: {} }));
  if (!interval) return { ...entry, problem: msg("import.external") };
  const group = textOf(taken.said("group"));
  const notes: MessageDescriptor[] = [msg("import.heartbeat")];
  for (const setting of ["alerts", "maintenance-windows"])
    if (isSaid(own(endpoint, setting))) notes.push(msg("import.setting", { setting }));
  const settings = {
    checkInterval: interval,
    tags: group === undefined ? undefined : [group],
    enabled: isTrue(taken.said("enabled")) === false ? false : undefined,
    ...alertThresholds(endpoint, alerting, taken.peek),
  };
  return { ...entry, body: { ...entry.body, ...clean(settings) }, notes };
};

const suiteEntry: MakeEntry = (_, line, { said }) => ({
  ...entryAt(line, "domain", clean({ name: textOf(said("name")) })),
  problem: msg("import.suite"),
});

const USUAL = { "failure-threshold": 3, "success-threshold": 2 };

/**
 * Failures before an endpoint's first alert, and successes that end it; one each without alerts. Defaults are
 * in the provider's `default-alert`.
 */
function alertThresholds(
  endpoint: unknown,
  alerting: unknown,
  take: (value: unknown) => unknown,
): { confirmations: number; recoveries: number } {
  const thresholds = listOf(own(endpoint, "alerts"))
    .filter(isPlain)
    .flatMap((alert) => {
      const usual = own(own(alerting, textOf(own(alert, "type")) ?? ""), "default-alert");
      const said = (name: string) => take(own(alert, name) ?? own(usual, name));
      if (isTrue(said("enabled")) === false) return [];
      const countOf = (name: keyof typeof USUAL): number => {
        const count = numberOf(said(name)) ?? 0;
        return count > 0 ? count : USUAL[name];
      };
      return [{ confirmations: countOf("failure-threshold"), recoveries: countOf("success-threshold") }];
    })
    .toSorted((one, other) => one.confirmations - other.confirmations);
  return thresholds[0] ?? { confirmations: 1, recoveries: 1 };
}

/** Variables are filled in on use. */
interface Taken {
  take(value: unknown): unknown;
  said(name: string): unknown;
  /** For optional values: a missing variable is not reported. */
  peek(value: unknown): unknown;
  raw(name: string): unknown;
}

/** Settings that are imported for every kind, or noted elsewhere. */
const USED = [
  "name",
  "group",
  "url",
  "interval",
  "enabled",
  "conditions",
  "dns",
  "client",
  "headers",
  "body",
  "method",
  "graphql",
];
/** A body may contain its endpoint's name ten thousand times. */
const MAX_NAMED = 2048;
const MAX_SHOWN = 100;
const CLIENT_USED = ["insecure", "ignore-redirect", "timeout"];

/** Notes settings that are not imported. */
function nameUnused(endpoint: Plain, { take }: Taken, { notes }: FileEntry): void {
  const leave = (setting: string) => void notes.push(msg("import.setting", { setting }));
  for (const [name, value] of Object.entries(endpoint))
    if (!USED.includes(name) && isSaid(value)) leave(name.slice(0, MAX_SHOWN));
  const client = own(endpoint, "client");
  for (const [name, value] of Object.entries(isPlain(client) ? client : {})) {
    if (CLIENT_USED.includes(name) || !isSaid(value)) continue;
    // Either family is the default here, too.
    if (name !== "network" || take(value) !== "ip") leave(`client.${name.slice(0, MAX_SHOWN)}`);
  }
}

function applyRequest(taken: Taken, { body, notes }: FileEntry): void {
  const { said, take, raw } = taken;
  const setting = (name: string) => isTrue(take(own(raw("client"), name)));
  const headers = headersOf(said("headers"));
  const hostHeader = takeHost(headers);
  const isGraphql = isTrue(said("graphql")) ?? false;
  const sent = sentText(taken, notes);
  if (isGraphql && !Object.keys(headers).some((name) => name.toLowerCase() === "content-type"))
    headers["Content-Type"] = "application/json";
  Object.assign(
    body,
    clean({
      method: textOf(said("method"))?.toUpperCase(),
      headers: Object.keys(headers).length > 0 ? headers : undefined,
      hostHeader,
      body: isGraphql ? JSON.stringify({ query: sent ?? "" }) : sent,
      ignoreCertificate: setting("insecure") ? true : undefined,
      followRedirects: setting("ignore-redirect") ? false : undefined,
    }),
  );
}

function headersOf(headers: unknown): Record<string, string> {
  const all = isPlain(headers) ? Object.entries(headers) : [];
  return Object.fromEntries(all.map(([name, value]) => [name, textOf(value) ?? ""]));
}

/** Replaces known placeholders; others would be sent literally. */
function sentText({ said }: Taken, notes: FileEntry["notes"]): string | undefined {
  const text = textOf(said("body"));
  if (text === undefined) return undefined;
  const nameFor = (setting: string) => () => textOf(said(setting))?.slice(0, MAX_NAMED) ?? "";
  const filled = text
    .replaceAll("[ENDPOINT_NAME]", nameFor("name"))
    .replaceAll("[ENDPOINT_GROUP]", nameFor("group"))
    .replaceAll("[ENDPOINT_URL]", nameFor("url"));
  const [left] = /\[(?:RANDOM_STRING_\d+|LOCAL_ADDRESS|CONTEXT)\]/.exec(filled) ?? [];
  if (left !== undefined) notes.push(msg("import.placeholder", { placeholder: left }));
  return filled;
}

/** For protocols other than HTTP. */
function applyService(taken: Taken, entry: FileEntry, kinds: Reading["kinds"]): void {
  const { said, take, raw } = taken;
  const { body, notes } = entry;
  const client = (name: string) => isTrue(take(own(raw("client"), name)));
  const config = body["protocolConfig"] as Record<string, unknown>;
  const fields = lookUp(kinds, String(body["protocol"]))?.fields ?? [];
  const set = (field: string, setting: string, value: () => unknown): void => {
    if (fields.includes(field)) Object.assign(config, clean({ [field]: value() }));
    else notes.push(msg("import.setting", { setting }));
  };
  // Unused settings are noted without filling them in.
  if (client("insecure")) set("ignoreCertificate", "client.insecure", () => true);
  if (client("ignore-redirect")) notes.push(msg("import.setting", { setting: "client.ignore-redirect" }));
  if (isSaid(raw("body"))) set("send", "body", () => sentText(taken, notes));
  if (isSaid(raw("headers"))) {
    set("headers", "headers", () => {
      const headers = headersOf(said("headers"));
      if (takeHost(headers) !== undefined) notes.push(msg("import.setting", { setting: "headers.Host" }));
      return Object.keys(headers).length > 0 ? headers : undefined;
    });
  }
  if (isSaid(raw("method")) && !/^get$/i.test(textOf(raw("method")) ?? ""))
    notes.push(msg("import.setting", { setting: "method" }));
}
