import type { CheckedKind } from "../monitor/monitor-defaults.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { type Addressed, clean, monitorAt } from "./address.ts";
import { isPlain, isSaid, listOf, lookUp, numberOf, own, type Plain, textOf } from "./plain.ts";

/** What became of a monitor of Kuma's. */
export type Converted = (Addressed & { notes?: Fact[] }) | { problem: Fact; kind: CheckedKind };

/** Where it expects something that Vedette expects by itself: 2xx is narrower than 200-399. */
const SAFE_METHODS = ["GET", "HEAD"];
/** How it authenticates itself; the others cannot be had here. */
const AUTH_METHODS: readonly unknown[] = [undefined, null, "", "null", "basic"];
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  xml: "text/xml; charset=utf-8",
};

const refusedHttp = (problem: Fact): Converted => ({ problem, kind: "domain" });

/** A page that is requested; `assertions`: what its type expects beside the status. */
export function webPage(monitor: Plain, assertions: object[]): Converted {
  const method = own(monitor, "authMethod");
  if (!AUTH_METHODS.includes(method)) return refusedHttp(fact("import.auth", { method: String(method) }));
  const found = monitorAt(textOf(own(monitor, "url")) ?? "");
  if ("problem" in found) return refusedHttp(found.problem);
  if (found.kind !== "domain") return refusedHttp(fact("import.address", { scheme: "url" }));
  const notes: Fact[] = [];
  const headers = headersOf(monitor, notes);
  const codes = listOf(own(monitor, "accepted_statuscodes")).flatMap((one) => textOf(one) ?? []);
  const body = textOf(own(monitor, "body"));
  const type = lookUp(CONTENT_TYPES, textOf(own(monitor, "httpBodyEncoding")) ?? "json");
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  if (body !== undefined && type !== undefined && !named) headers["Content-Type"] = type;
  const request = textOf(own(monitor, "method"))?.toUpperCase();
  const settings = clean({
    method: request === "GET" ? undefined : request,
    body: SAFE_METHODS.includes(request ?? "GET") ? undefined : body,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    ignoreCertificate: isSaid(own(monitor, "ignoreTls")) ? true : undefined,
    followRedirects: numberOf(own(monitor, "maxredirects")) === 0 ? false : undefined,
    assertions: [{ type: "status", codes: codes.length > 0 ? codes.join(",") : "200-299" }, ...assertions],
  });
  return { kind: "domain", body: { ...found.body, ...settings, ...loginOf(monitor) }, notes };
}

function loginOf(monitor: Plain): object {
  const username = textOf(own(monitor, "basic_auth_user"));
  const password = textOf(own(monitor, "basic_auth_pass")) ?? "";
  return username === undefined ? {} : { authType: "basic", authConfig: { username, password } };
}

/** They are kept as a text of JSON. */
function headersOf(monitor: Plain, notes: Fact[]): Record<string, string> {
  const text = textOf(own(monitor, "headers"));
  if (text === undefined) return {};
  try {
    const headers: unknown = JSON.parse(text);
    if (!isPlain(headers)) throw new Error("no headers");
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value) ?? ""]));
  } catch {
    notes.push(fact("import.setting", { setting: "headers" }));
    return {};
  }
}
