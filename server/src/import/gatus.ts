import { type Fact, fact } from "../texts/fact.ts";
import { clean, monitorAt } from "./address.ts";
import { entryAt, type FileEntry, type FileFormat, type Reading } from "./file-entry.ts";
import { alertThresholds } from "./gatus-alerts.ts";
import { applyConditions } from "./gatus-conditions.ts";
import { applyRequest, applyService, nameUnused, type Taken } from "./gatus-settings.ts";
import { isPlain, isSaid, isTrue, listOf, own, type Plain, textOf } from "./plain.ts";
import { secondsOf } from "./seconds.ts";
import { BARE_OR_IN_BRACES, fillIn } from "./variables.ts";
import { hasKey, readYaml, type YamlFile } from "./yaml-file.ts";

/** Parts of the file that are about something else than what is checked. */
const OTHER_PARTS = [
  "alerting",
  "remote",
  "maintenance",
  "tunneling",
  "security",
  "connectivity",
  "announcements",
];

/** The configuration of Gatus (YAML): its endpoints with their conditions. */
export const gatus: FileFormat = {
  isLike: (content) =>
    hasKey(content, "endpoints|services|external-endpoints|suites") &&
    /^[ \t]*(?:- )?["']?(?:conditions|token)["']?\s*:/m.test(content),
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
      notes: notes.map((setting) => fact("import.setting", { setting })),
      missing: [...missing],
    };
  },
};

interface Filling extends Reading {
  missing: Set<string>;
  alerting: unknown;
}

type MakeEntry = (said: Plain, line: number | null, taken: Taken, filling: Filling) => FileEntry;

/** The entries of a part. Values have to be given where they are used: those of alerts and providers are not. */
function entriesOf(
  { value, lineOf }: YamlFile,
  part: string,
  filling: Filling,
  make: MakeEntry,
): FileEntry[] {
  return listOf(own(value, part)).map((said, at) => {
    const line = lineOf([part, at]);
    if (!isPlain(said)) return { ...entryAt(line, "domain", {}), problem: fact("import.nothing") };
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
    return { ...entry, problem: fact("import.variables", { names: [...lacking].join(", ") }) };
  });
}

const endpointEntry: MakeEntry = (endpoint, line, taken, filling) => {
  const name = textOf(taken.said("name"));
  const found = addressed(taken);
  if ("problem" in found) {
    return { ...entryAt(line, "domain", clean({ name })), problem: found.problem };
  }
  const notes: Fact[] = [];
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

/** The kind follows from the URL, and from `dns` beside it. */
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
  // Gatus speaks SMTP there, whatever the port is.
  if ("body" in found) Object.assign(found.body["protocolConfig"] as object, { starttls: "smtp" });
  return found;
}

/** How often it is checked, when it counts as down, and what it belongs to. */
function scheduleOf(endpoint: Plain, { said, take, peek }: Taken, { alerting }: Filling, notes: Fact[]) {
  const seconds = (name: string, value: unknown, usual?: number): number | undefined => {
    const found = secondsOf(value);
    if (found === undefined && isSaid(value)) notes.push(fact("import.setting", { setting: name }));
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
    // It checks again after an interval, never sooner.
    recheckDelay: confirmations > 1 || recoveries > 1 ? checkInterval : undefined,
  };
}

/** One that receives its results from outside is a heartbeat where it says how long it may be silent. */
const externalEntry: MakeEntry = (endpoint, line, taken, { alerting }) => {
  const name = textOf(taken.said("name"));
  const interval = secondsOf(taken.take(own(own(endpoint, "heartbeat"), "interval")));
  const entry = entryAt(line, "service", clean({ name, protocol: "heartbeat", protocolConfig: {} }));
  if (!interval) return { ...entry, problem: fact("import.external") };
  const group = textOf(taken.said("group"));
  const { confirmations } = alertThresholds(endpoint, alerting, taken.peek);
  const notes: Fact[] = [fact("import.heartbeat")];
  for (const setting of ["alerts", "maintenance-windows"])
    if (isSaid(own(endpoint, setting))) notes.push(fact("import.setting", { setting }));
  const settings = {
    checkInterval: interval,
    tags: group === undefined ? undefined : [group],
    enabled: isTrue(taken.said("enabled")) === false ? false : undefined,
    confirmations,
    recoveries: 1,
  };
  return { ...entry, body: { ...entry.body, ...clean(settings) }, notes };
};

const suiteEntry: MakeEntry = (_, line, { said }) => ({
  ...entryAt(line, "domain", clean({ name: textOf(said("name")) })),
  problem: fact("import.suite"),
});
