import type { Assertion } from "../check/assertion-config.ts";
import { JSON_PATH_PATTERN } from "../check/json-path.ts";
import { fact } from "../texts/fact.ts";
import type { FileEntry } from "./file-entry.ts";
import { comparedValue, jsonOperator } from "./json-comparison.ts";
import { secondsOf } from "./seconds.ts";

/** What a condition came to: assertions of an HTTP check, settings of another, or nothing that needs to be said. */
type Meaning = { assertion: Assertion } | { settings: object } | "said";

interface Condition {
  left: string;
  operator: string;
  right: string;
}

const CONDITION = /^(.*?) (==|!=|<=|>=|<|>) (.*)$/s;
const DAY_SECONDS = 86_400;
const JSON_PATH = new RegExp(JSON_PATH_PATTERN);

/** Adds what the conditions of an endpoint say to its entry; those that cannot be said are noted. */
export function applyConditions(conditions: readonly string[], entry: FileEntry): void {
  const { kind, body, notes } = entry;
  const assertions: Assertion[] = [];
  for (const text of conditions) {
    const [, left = "", operator = "", right = ""] = CONDITION.exec(text.slice(0, 2000)) ?? [];
    const condition = { left: left.trim(), operator, right: right.trim() };
    const means = kind === "domain" ? ofAnswer(condition) : ofService(condition, String(body["protocol"]));
    if (means === null) notes.push(fact("import.condition", { condition: text }));
    else if (means === "said") continue;
    else if ("assertion" in means) assertions.push(means.assertion);
    else Object.assign(kind === "domain" ? body : (body["protocolConfig"] as object), means.settings);
  }
  if (kind !== "domain") return;
  // It expects a status only where a condition says so.
  if (!assertions.some(({ type }) => type === "status"))
    assertions.unshift({ type: "status", codes: "100-599" });
  body["assertions"] = assertions;
}

/** `any(200, 204)` in its parts. */
const choicesOf = (text: string): string[] =>
  (/^any\((.*)\)$/s.exec(text)?.[1]?.split(",") ?? [text]).map((one) => one.trim());
/** What a pattern looks for anywhere in a text; null where it says more than that. */
function partOf(text: string): string | null {
  const found = /^pat\(\*([^*?[\]\\]+)\*\)$/s.exec(text)?.[1];
  return found ?? null;
}
const isPlainText = (text: string): boolean => !/^(?:any|pat|len|has)\(/.test(text);

function ofAnswer(condition: Condition): Meaning | null {
  const { left, operator, right } = condition;
  if (left === "[STATUS]") return statusOf(operator, right);
  if (left === "[CONNECTED]") return isTrue(condition) ? "said" : null;
  if (left === "[RESPONSE_TIME]") return limitOf(operator, right);
  if (left === "[CERTIFICATE_EXPIRATION]") {
    const days = daysOf(operator, right);
    return days === null ? null : { settings: { certificateExpiryDays: Math.max(1, days) } };
  }
  const part = partOf(right);
  if (left === "[BODY]" && part !== null && operator !== "") {
    if (operator !== "==" && operator !== "!=") return null;
    return {
      assertion: { type: "keyword", operator: operator === "==" ? "present" : "absent", value: part },
    };
  }
  return jsonOf(condition);
}

function statusOf(operator: string, right: string): Meaning | null {
  const codes = choicesOf(right);
  if (!codes.every((code) => /^[1-9]\d\d$/.test(code))) return null;
  const [code = 0] = codes.map(Number);
  const sets: Readonly<Record<string, string>> = {
    "==": codes.join(","),
    "<": `100-${code - 1}`,
    "<=": `100-${code}`,
    ">": `${code + 1}-599`,
    ">=": `${code}-599`,
    "!=": [code > 100 ? `100-${code - 1}` : "", code < 599 ? `${code + 1}-599` : ""]
      .filter(Boolean)
      .join(","),
  };
  const set = codes.length > 1 && operator !== "==" ? undefined : sets[operator];
  return set ? { assertion: { type: "status", codes: set } } : null;
}

function limitOf(operator: string, right: string): Meaning | null {
  const seconds = /^\d+$/.test(right) ? Number(right) / 1000 : (durationSeconds(right) ?? 0);
  const limitMs = Math.round(seconds * 1000) - (operator === "<" ? 1 : 0);
  if (!operator.startsWith("<") || limitMs < 1 || limitMs > 60_000) return null;
  return { assertion: { type: "response_time", downAboveMs: limitMs } };
}

/** Milliseconds count here, which `secondsOf` rounds away. */
const durationSeconds = (text: string): number | undefined =>
  /^\d+ms$/.test(text) ? Number.parseInt(text, 10) / 1000 : secondsOf(text);

function daysOf(operator: string, right: string): number | null {
  const seconds = secondsOf(right);
  if (!operator.startsWith(">") || seconds === undefined) return null;
  const days = Math.ceil(seconds / DAY_SECONDS);
  return days > 365 ? null : days;
}

function jsonOf({ left, operator, right }: Condition): Meaning | null {
  const inner = /^has\((\[BODY\].*)\)$/s.exec(left)?.[1];
  const path = (inner ?? left).replace(/^\[BODY\]/, "$");
  if (path === left || path === "$" || !JSON_PATH.test(path)) return null;
  if (inner !== undefined) {
    return operator === "==" && right === "true"
      ? { assertion: { type: "json", path, operator: "exists" } }
      : null;
  }
  const part = partOf(right);
  if (part !== null && operator === "==")
    return { assertion: { type: "json", path, operator: "contains", value: part } };
  const known = jsonOperator(operator);
  if (!known || !isPlainText(right)) return null;
  const value = comparedValue(right);
  if (known !== "eq" && known !== "ne" && typeof value !== "number") return null;
  // For Gatus a value that is not there is unequal to any other.
  const missing = known === "ne" ? { allowMissing: true } : {};
  return { assertion: { type: "json", path, operator: known, value, ...missing } };
}

const isTrue = ({ operator, right }: Condition): boolean => operator === "==" && right === "true";

function ofService(condition: Condition, protocol: string): Meaning | null {
  const { left, operator, right } = condition;
  if (left === "[CONNECTED]" && isTrue(condition)) return "said";
  if (left === "[DNS_RCODE]" && operator === "==" && right === "NOERROR") return "said";
  // Of gRPC it is the code of the health check's own answer.
  if (left === "[STATUS]" && protocol === "ssh" && operator === "==" && right === "0") return "said";
  if (left === "[CERTIFICATE_EXPIRATION]" && protocol === "tls") {
    const days = daysOf(operator, right);
    return days === null ? null : { settings: { minDays: days } };
  }
  if (left !== "[BODY]" || operator !== "==") return null;
  const part = partOf(right);
  const expects = ["tcp", "udp", "websocket"].includes(protocol);
  if (part !== null && expects) return { settings: { expect: part } };
  if (!isPlainText(right) || !(expects || protocol === "dns")) return null;
  return { settings: { expect: right } };
}
