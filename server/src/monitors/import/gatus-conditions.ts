import { JSON_PATH_PATTERN } from "../../checks/find-json.ts";
import type { Assertion, JsonAssertion } from "../../checks/http/http-assertion-config.ts";
import { fits } from "../../checks/http/http-assertions.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { FileEntry } from "./file-entry.ts";
import { lookUp } from "./monitor-names.ts";

const JSON_COMPARISON_OPERATORS: Readonly<Record<string, JsonAssertion["operator"]>> = {
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};

/** Undefined: none has the same meaning. */
export const jsonOperator = (written: string): JsonAssertion["operator"] | undefined =>
  lookUp(JSON_COMPARISON_OPERATORS, written);

export const isOfNumbers = (operator: string): boolean => /^[gl]te?$/.test(operator);

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Other text stays, for the API to reject. */
export const limitOf = (text: string): number | string => (NUMBER.test(text) ? Number(text) : text);

const PATH = new RegExp(JSON_PATH_PATTERN);
const SEGMENT = /^([\p{L}\p{N}_:@ -]{1,200})?((?:\[\d{1,9}\])*)$/u;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** `data[0].user-name` as a path of assertions; null where it is more than names and indexes. */
export function pathTo(keys: string): string | null {
  if (keys === "") return "$";
  let path = "$";
  for (const [at, segment] of keys.split(".").entries()) {
    const [whole, name, indexes = ""] = SEGMENT.exec(segment) ?? [];
    if (whole === undefined || (name === undefined && (at > 0 || indexes === ""))) return null;
    const step = name === undefined ? "" : PLAIN_NAME.test(name) ? `.${name}` : `['${name}']`;
    path += step + indexes;
  }
  return PATH.test(path) ? path : null;
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
};
const PART = /(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|[smhd])/g;
const WHOLE = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|ms|[smhd]))+$/;

/** `90s`, `1m30s`, `500ms`; undefined for anything else. */
export function secondsOf(text: unknown): number | undefined {
  if (typeof text !== "string" || text.length > 50 || !WHOLE.test(text)) return undefined;
  const seconds = [...text.matchAll(PART)].reduce(
    (sum, [, count, unit = "s"]) => sum + Number(count) * (UNITS[unit] ?? 1),
    0,
  );
  return Math.round(seconds * 1e6) / 1e6;
}

/**
 * Assertions of an HTTP check; settings of another (`part`: compares a part instead of the whole); implied;
 * the opposite of what a monitor can check; or what needs a DNS record type.
 */
type Meaning =
  | { assertion: Assertion }
  | { settings: object; part?: true; note?: MessageDescriptor }
  | "said"
  | "opposite"
  | "record";

interface Condition {
  left: string;
  operator: string;
  right: string;
}

const OPERATORS = ["==", "!=", "<=", ">=", ">", "<"];
const MIRRORED: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };
const DAY_SECONDS = 86_400;
const MAX_CONDITION = 2000;
/** Valid status codes. */
const CODES = Array.from({ length: 500 }, (_, at) => at + 100);
const FALLBACK = "200-399";

/** Unsupported conditions are noted, or reject the entry. */
export function applyConditions(conditions: readonly string[], entry: FileEntry): void {
  const { kind, body, notes } = entry;
  const assertions: Assertion[] = [];
  const settings: Record<string, unknown> = {};
  const leftOut: MessageDescriptor[] = [];
  let recordAt: string | null = null;
  for (const text of conditions) {
    const condition = conditionOf(text.slice(0, MAX_CONDITION));
    const means = condition && meaningOf(condition, kind === "domain" ? null : String(body["protocol"]));
    if (means === "said") continue;
    if (means === "record") recordAt = text;
    else if (means === "opposite") entry.problem ??= msg("import.opposite", { condition: text });
    else if (means && "assertion" in means) assertions.push(means.assertion);
    // Only one text can be expected.
    else if (means && Object.keys(means.settings).every((name) => !Object.hasOwn(settings, name))) {
      Object.assign(settings, means.settings);
      if (means.part) notes.push(msg("import.part", { condition: text }));
      if (means.note) notes.push(means.note);
    } else leftOut.push(msg("import.condition", { condition: text }));
  }
  if (recordAt !== null && settings["expect"] === undefined)
    notes.push(msg("import.record", { condition: recordAt }));
  notes.push(...leftOut);
  Object.assign(kind === "domain" ? body : (body["protocolConfig"] as object), settings);
  if (kind !== "domain" || conditions.length === 0) return;
  body["assertions"] = withStatus(assertions, entry, leftOut.length > 0);
}

/**
 * Gatus expects a status only by condition; without an unsupported condition, a failure must not count as up.
 */
function withStatus(assertions: Assertion[], { notes }: FileEntry, isLeftOut: boolean): Assertion[] {
  if (assertions.some(({ type }) => type === "status")) return assertions;
  if (isLeftOut) notes.push(msg("import.any_status", { codes: FALLBACK }));
  return [{ type: "status", codes: isLeftOut ? FALLBACK : "100-599" }, ...assertions];
}

/** Placeholder on the left. */
function conditionOf(text: string): Condition | null {
  const operator = OPERATORS.find((one) => text.includes(` ${one} `));
  if (operator === undefined) return null;
  const [left = "", right = ""] = text.split(` ${operator} `).map((side) => side.trim());
  if (isPlaceholder(left)) return isPlaceholder(right) ? null : { left: named(left), operator, right };
  if (!isPlaceholder(right)) return null;
  return { left: named(right), operator: lookUp(MIRRORED, operator) ?? operator, right: left };
}

const PLACEHOLDER = /^((?:len|has)\()?\[([A-Za-z_]+)\]/;
const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text);
/** Placeholders are case-insensitive, paths are not. */
const named = (text: string): string =>
  text.replace(PLACEHOLDER, (_, call = "", name) => `${call}[${String(name).toUpperCase()}]`);

function meaningOf(condition: Condition, protocol: string | null): Meaning | null {
  const { left, operator, right } = condition;
  if (left === "[CONNECTED]") {
    if (isOpposite(condition, "true", ["false"])) return "opposite";
    return operator === (right === "true" ? "==" : "!=") && /^(?:true|false)$/.test(right) ? "said" : null;
  }
  return protocol === null ? ofAnswer(condition) : ofService(condition, protocol);
}

function ofAnswer(condition: Condition): Meaning | null {
  const { left, operator, right } = condition;
  if (left === "[STATUS]") return statusOf(condition);
  if (left === "[RESPONSE_TIME]") return timeOf(operator, right);
  if (left === "[CERTIFICATE_EXPIRATION]") {
    const days = Math.max(1, daysOf(operator, right) ?? Number.NaN);
    if (Number.isNaN(days)) return null;
    const note = msg("import.certificate_days", { condition: `${left} ${operator} ${right}`, days });
    return { settings: { certificateExpiryDays: days }, note };
  }
  const [, call, inner] = /^(has|len)\((\[BODY\].*)\)$/s.exec(left) ?? [];
  const place = bodyPath(inner ?? left);
  if (place === null) return null;
  if (call === "has") return hasOf(condition, place);
  if (call === "len") return lengthOf(condition, place);
  return valueOf(condition, place);
}

/** `any(200, 204)`; null: not a list. */
const choicesOf = (text: string): string[] | null =>
  /^any\((.*)\)$/s
    .exec(text)?.[1]
    ?.split(",")
    .map((one) => one.trim()) ?? null;
/** The pattern of `pat(…)` with no wildcard but `*`; null: none. */
const patternOf = (text: string): string | null => /^pat\(([^?[\]\\]*)\)$/s.exec(text)?.[1] ?? null;
/** The text that it contains. */
const partOf = (text: string): string | null => /^\*([^*]+)\*$/s.exec(patternOf(text) ?? "")?.[1] ?? null;
const isPlainText = (text: string): boolean => !/^(?:any|pat|len|has)\(/.test(text);

function statusOf({ operator, right }: Condition): Meaning | null {
  if (operator === "==" && /^0+$/.test(right)) return "opposite";
  const codes = CODES.filter((code) => isStatus(code, operator, right));
  // Without a response, the status is 0 in Gatus.
  if (codes.length === 0) return isStatus(0, operator, right) ? "opposite" : null;
  if (codes.length === CODES.length) return null;
  return { assertion: { type: "status", codes: rangesOf(codes) } };
}

function isStatus(code: number, operator: string, right: string): boolean {
  const text = String(code);
  if (operator === "==" || operator === "!=") return isMet({ operator, right }, text);
  const limit = Math.trunc(Number(right));
  if (operator === "<") return code < limit;
  if (operator === "<=") return code <= limit;
  return operator === ">" ? code > limit : code >= limit;
}

/** By equality, the only comparison of texts that Gatus has. */
function isMet({ operator, right }: Pick<Condition, "operator" | "right">, text: string): boolean {
  const pattern = patternOf(right);
  const isSame =
    choicesOf(right)?.includes(text) ?? (pattern === null ? right === text : fits(text, pattern));
  return operator === (isSame ? "==" : "!=");
}

/** Not met by a check that succeeds, but by one that fails. */
const isOpposite = (condition: Condition, success: string, failures: readonly string[]): boolean =>
  !isMet(condition, success) && failures.some((failure) => isMet(condition, failure));

const DNS_FAILURES = ["NXDOMAIN", "SERVFAIL", "REFUSED", "FORMERR", "NOTIMP"];
const GRPC_FAILURES = ["NOT_SERVING", "UNKNOWN", "SERVICE_UNKNOWN"];

/** `200-299,401`. */
function rangesOf(codes: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const code of codes) {
    const range = ranges.at(-1);
    if (range?.[1] === code - 1) range[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

function timeOf(operator: string, right: string): Meaning | null {
  const seconds = millisecondsOf(right) / 1000;
  const limitMs = Math.round(seconds * 1000) - (operator === "<" ? 1 : 0);
  if (!operator.startsWith("<") || !(limitMs >= 1) || limitMs > 60_000) return null;
  return { assertion: { type: "response_time", downAboveMs: limitMs } };
}

/** Bare numbers are milliseconds; NaN: neither number nor duration. */
const millisecondsOf = (text: string): number =>
  /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)
    ? Math.trunc(Number(text))
    : Math.trunc((secondsOf(text) ?? Number.NaN) * 1000);

function daysOf(operator: string, right: string): number | null {
  const days = Math.ceil(millisecondsOf(right) / 1000 / DAY_SECONDS);
  return operator.startsWith(">") && days >= 0 && days <= 365 ? days : null;
}

function roundedTo(days: number, { left, operator, right }: Condition): { note?: MessageDescriptor } {
  const hours = millisecondsOf(right) / 3_600_000;
  if (hours === days * 24) return {};
  const written = { setting: `${left} ${operator} ${right}`, from: `${hours} h`, to: `${days * 24} h` };
  return { note: msg("import.changed", written) };
}

/** `[BODY].a[0]` as a path; null: not one. */
function bodyPath(text: string): string | null {
  if (!text.startsWith("[BODY]")) return null;
  const rest = text.slice("[BODY]".length);
  return rest === "" || rest.startsWith(".") || rest.startsWith("[") ? pathTo(rest.replace(/^\./, "")) : null;
}

function hasOf({ operator, right }: Condition, path: string): Meaning | null {
  if ((operator !== "==" && operator !== "!=") || (right !== "true" && right !== "false")) return null;
  const isThere = (right === "true") === (operator === "==");
  if (path !== "$") {
    const operator = isThere ? "exists" : "missing";
    return { assertion: { type: "json", path, operator, compareAs: "integer" } };
  }
  return {
    assertion: { type: "json", path, operator: isThere ? "ne" : "eq", value: "", compareAs: "integer" },
  };
}

function lengthOf({ operator: written, right }: Condition, path: string): Meaning | null {
  const operator = jsonOperator(written);
  if (!operator || !/^\d{1,9}$/.test(right)) return null;
  return { assertion: { type: "json", path, operator, value: Number(right), compareAs: "length" } };
}

/** Texts, whole numbers where both sides are, patterns. */
function valueOf({ operator: written, right }: Condition, path: string): Meaning | null {
  const operator = jsonOperator(written);
  if (!operator) return null;
  const compareAs = "integer" as const;
  if (isOfNumbers(operator)) {
    const value = millisecondsOf(right);
    if (Number.isNaN(value)) return null;
    return { assertion: { type: "json", path, operator, value: exact(right, value), compareAs } };
  }
  const isSame = operator === "eq";
  // A missing value differs from every value.
  const missing = !isSame && path !== "$" ? { allowMissing: true } : {};
  const part = partOf(right);
  if (path === "$" && part !== null)
    return { assertion: { type: "keyword", operator: isSame ? "present" : "absent", value: part } };
  if (part !== null && isSame)
    return { assertion: { type: "json", path, operator: "contains", value: part, compareAs: "text" } };
  const pattern = patternOf(right);
  if (pattern !== null) {
    const fitting = isSame ? "matches" : "not_matches";
    return { assertion: { type: "json", path, operator: fitting, value: pattern, compareAs, ...missing } };
  }
  if (!isPlainText(right)) return null;
  return { assertion: { type: "json", path, operator, value: right, compareAs, ...missing } };
}

/** Numbers as written: 4.5 is easier to recognize than its rounded value. */
const exact = (written: string, value: number): number =>
  /^-?\d{1,15}(?:\.\d{1,15})?$/.test(written) ? Number(written) : value;

function ofService(condition: Condition, protocol: string): Meaning | null {
  const { left, operator, right } = condition;
  const isSame = operator === "==";
  if (left === "[DNS_RCODE]") {
    if (isOpposite(condition, "NOERROR", DNS_FAILURES)) return "opposite";
    return isSame && right === "NOERROR" ? "record" : null;
  }
  // Status 0 is Gatus' status of non-HTTP checks.
  if (left === "[STATUS]" && isSame && right === "0" && protocol !== "grpc") return "said";
  if (left === "[BODY].status" && protocol === "grpc") {
    if (isOpposite(condition, "SERVING", GRPC_FAILURES)) return "opposite";
    if (isSame && right === "SERVING") return "said";
  }
  if (left === "[CERTIFICATE_EXPIRATION]" && protocol === "tls") {
    const days = daysOf(operator, right);
    return days === null ? null : { settings: { minDays: days }, ...roundedTo(days, condition) };
  }
  if (left !== "[BODY]" || !isSame || right === "") return null;
  const part = partOf(right);
  const expects = ["tcp", "udp", "websocket"].includes(protocol);
  if (part !== null && expects) return { settings: { expect: part } };
  if (!isPlainText(right)) return null;
  if (expects) return { settings: { expect: right }, part: true };
  return protocol === "dns" ? { settings: { expect: right } } : null;
}
