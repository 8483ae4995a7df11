import { type Fact, fact } from "../texts/fact.ts";
import { clean, monitorAt } from "./address.ts";
import { entryAt, type FileEntry, type FileFormat, type Reading } from "./file-entry.ts";
import { applyConditions } from "./gatus-conditions.ts";
import { isPlain, isSaid, listOf, lookUp, own, type Plain, textOf } from "./plain.ts";
import { secondsOf } from "./seconds.ts";
import { BARE_OR_IN_BRACES, fillIn } from "./variables.ts";
import { hasKey, readYaml } from "./yaml-file.ts";

/** Parts of the file that are about something else than what is checked. */
const OTHER_PARTS = [
  "alerting",
  "external-endpoints",
  "suites",
  "remote",
  "maintenance",
  "tunneling",
  "security",
];
/** The same of an endpoint. */
const OTHER_SETTINGS = ["alerts", "maintenance-windows", "ui", "extra-labels", "always-run", "store"];
/** Settings of its client that Vedette has. */
const CLIENT_SETTINGS = ["insecure", "ignore-redirect", "timeout", "network"];

/** The configuration of Gatus (YAML): its endpoints with their conditions. */
export const gatus: FileFormat = {
  isLike: (content) =>
    hasKey(content, "endpoints|services") && /^[ \t]*(?:- )?["']?conditions["']?\s*:/m.test(content),
  read(content, reading) {
    const { value, lineOf } = readYaml(content);
    const part = own(value, "endpoints") === undefined ? "services" : "endpoints";
    const missing = new Set<string>();
    const entries = listOf(own(value, part)).map((endpoint, at) =>
      entryOf(endpoint, lineOf([part, at]), { ...reading, missing }),
    );
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
}

function entryOf(said: unknown, line: number | null, { variables, missing, kinds }: Filling): FileEntry {
  if (!isPlain(said)) return { ...entryAt(line, "domain", {}), problem: fact("import.nothing") };
  const lacking = new Set<string>();
  const endpoint = fillIn(said, variables, lacking, BARE_OR_IN_BRACES) as Plain;
  for (const name of lacking) missing.add(name);
  const name = textOf(own(endpoint, "name"));
  const found = addressed(endpoint);
  const names = [...lacking].join(", ");
  const problem =
    names === "" ? ("problem" in found ? found.problem : null) : fact("import.variables", { names });
  if ("problem" in found) return { ...entryAt(line, "domain", clean({ name })), problem };
  const notes: Fact[] = [];
  const entry = { ...entryAt(line, found.kind, { name, ...found.body }), problem, notes };
  applySettings(endpoint, entry, kinds);
  applyConditions(
    listOf(own(endpoint, "conditions")).flatMap((one) => textOf(one) ?? []),
    entry,
  );
  return entry;
}

/** The kind follows from the URL, and from `dns` beside it. */
function addressed(endpoint: Plain): ReturnType<typeof monitorAt> {
  const url = textOf(own(endpoint, "url")) ?? "";
  const dns = own(endpoint, "dns");
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

function applySettings(endpoint: Plain, { kind, body, notes }: FileEntry, kinds: Reading["kinds"]): void {
  const client = own(endpoint, "client");
  const group = textOf(own(endpoint, "group"));
  const enabled = own(endpoint, "enabled");
  Object.assign(
    body,
    clean({
      checkInterval: secondsOf(own(endpoint, "interval")) ?? 60,
      timeout: secondsOf(own(client, "timeout")),
      tags: group === undefined ? undefined : [group],
      enabled: enabled === false ? false : undefined,
      // It takes the first failure for one.
      confirmations: 1,
      recoveries: 1,
    }),
  );
  const leave = (setting: string) => void notes.push(fact("import.setting", { setting }));
  if (kind === "domain") applyRequest(endpoint, body, leave);
  else applyService(endpoint, body, { fields: lookUp(kinds, String(body["protocol"]))?.fields ?? [], leave });
  if (isSaid(own(endpoint, "ssh")) && textOf(own(own(endpoint, "ssh"), "username"))) leave("ssh");
  for (const setting of OTHER_SETTINGS) if (isSaid(own(endpoint, setting))) leave(setting);
  const others = isPlain(client) ? Object.keys(client) : [];
  for (const name of others)
    if (!CLIENT_SETTINGS.includes(name) && isSaid(own(client, name))) leave(`client.${name}`);
}

/** What is asked of another server than a web server. */
function applyService(
  endpoint: Plain,
  body: FileEntry["body"],
  { fields, leave }: { fields: readonly string[]; leave(setting: string): void },
): void {
  const config = body["protocolConfig"] as Record<string, unknown>;
  const said = { ignoreCertificate: own(own(endpoint, "client"), "insecure"), send: own(endpoint, "body") };
  for (const [field, value] of Object.entries(said)) {
    if (!isSaid(value)) continue;
    if (fields.includes(field)) config[field] = value;
    else leave(field === "send" ? "body" : "client.insecure");
  }
}

function applyRequest(endpoint: Plain, body: FileEntry["body"], leave: (setting: string) => void): void {
  const client = own(endpoint, "client");
  const headers = own(endpoint, "headers");
  const texts = isPlain(headers)
    ? Object.entries(headers).map(([name, value]) => [name, textOf(value) ?? ""])
    : [];
  const host = texts.find(([name = ""]) => name.toLowerCase() === "host");
  if (host) leave("headers.Host");
  const kept = texts.filter((one) => one !== host);
  Object.assign(
    body,
    clean({
      method: textOf(own(endpoint, "method"))?.toUpperCase(),
      headers: kept.length > 0 ? Object.fromEntries(kept) : undefined,
      body: textOf(own(endpoint, "body")),
      ignoreCertificate: own(client, "insecure") === true ? true : undefined,
      followRedirects: own(client, "ignore-redirect") === true ? false : undefined,
    }),
  );
  if (own(endpoint, "graphql") === true) leave("graphql");
}
