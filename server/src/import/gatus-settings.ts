import { fact } from "../texts/fact.ts";
import { clean, takeHost } from "./address.ts";
import type { FileEntry, Reading } from "./file-entry.ts";
import { isPlain, isSaid, isTrue, lookUp, own, type Plain, textOf } from "./plain.ts";

/** An endpoint, whose variables are filled in where they are used. */
export interface Taken {
  take(value: unknown): unknown;
  /** One of its settings. */
  said(name: string): unknown;
  /** What is known of a value without which the endpoint can be imported as well: the person does not have to give it. */
  peek(value: unknown): unknown;
  /** A setting as it stands in the file. */
  raw(name: string): unknown;
}

/** What becomes part of a monitor, whatever it checks, or is named where that is decided. */
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
/** A body may name its endpoint ten thousand times. */
const MAX_NAMED = 2048;
const MAX_SHOWN = 100;
const CLIENT_USED = ["insecure", "ignore-redirect", "timeout"];

/** Names what of an endpoint has no place here. */
export function nameUnused(endpoint: Plain, { take }: Taken, { notes }: FileEntry): void {
  const leave = (setting: string) => void notes.push(fact("import.setting", { setting }));
  for (const [name, value] of Object.entries(endpoint))
    if (!USED.includes(name) && isSaid(value)) leave(name.slice(0, MAX_SHOWN));
  const client = own(endpoint, "client");
  for (const [name, value] of Object.entries(isPlain(client) ? client : {})) {
    if (CLIENT_USED.includes(name) || !isSaid(value)) continue;
    // Either family is what is used here as well.
    if (name !== "network" || take(value) !== "ip") leave(`client.${name.slice(0, MAX_SHOWN)}`);
  }
}

/** The request of a page. */
export function applyRequest(taken: Taken, { body, notes }: FileEntry): void {
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

/** Placeholders that stand for what is known here; the others would be sent as they are. */
function sentText({ said }: Taken, notes: FileEntry["notes"]): string | undefined {
  const text = textOf(said("body"));
  if (text === undefined) return undefined;
  const nameFor = (setting: string) => () => textOf(said(setting))?.slice(0, MAX_NAMED) ?? "";
  const filled = text
    .replaceAll("[ENDPOINT_NAME]", nameFor("name"))
    .replaceAll("[ENDPOINT_GROUP]", nameFor("group"))
    .replaceAll("[ENDPOINT_URL]", nameFor("url"));
  const [left] = /\[(?:RANDOM_STRING_\d+|LOCAL_ADDRESS|CONTEXT)\]/.exec(filled) ?? [];
  if (left !== undefined) notes.push(fact("import.placeholder", { placeholder: left }));
  return filled;
}

/** What is requested of another server than a web server. */
export function applyService(taken: Taken, entry: FileEntry, kinds: Reading["kinds"]): void {
  const { said, take, raw } = taken;
  const { body, notes } = entry;
  const client = (name: string) => isTrue(take(own(raw("client"), name)));
  const config = body["protocolConfig"] as Record<string, unknown>;
  const fields = lookUp(kinds, String(body["protocol"]))?.fields ?? [];
  const set = (field: string, setting: string, value: () => unknown): void => {
    if (fields.includes(field)) Object.assign(config, clean({ [field]: value() }));
    else notes.push(fact("import.setting", { setting }));
  };
  // What is of no use there is named without being filled in.
  if (client("insecure")) set("ignoreCertificate", "client.insecure", () => true);
  if (client("ignore-redirect")) notes.push(fact("import.setting", { setting: "client.ignore-redirect" }));
  if (isSaid(raw("body"))) set("send", "body", () => sentText(taken, notes));
  if (isSaid(raw("headers"))) {
    set("headers", "headers", () => {
      const headers = headersOf(said("headers"));
      if (takeHost(headers) !== undefined) notes.push(fact("import.setting", { setting: "headers.Host" }));
      return Object.keys(headers).length > 0 ? headers : undefined;
    });
  }
  if (isSaid(raw("method")) && !/^get$/i.test(textOf(raw("method")) ?? ""))
    notes.push(fact("import.setting", { setting: "method" }));
}
