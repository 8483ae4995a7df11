import { type Fact, fact } from "../texts/fact.ts";
import { isSaid, listOf, own, type Plain, textOf } from "./plain.ts";

/** Types that request a page. */
const PAGES = ["http", "keyword", "json-query", "real-browser"];
/** Types whose conditions are judged where they become monitors. */
const JUDGED_CONDITIONS = ["dns", "mysql", "postgres"];
/** Settings that have no place here: of which types they mean something, and what they are where nobody set them. */
const UNUSED: readonly { setting: string; types?: readonly string[]; usual?: readonly unknown[] }[] = [
  { setting: "proxyId", types: [...PAGES, "websocket-upgrade"] },
  { setting: "resendInterval" },
  { setting: "domainExpiryNotification" },
  { setting: "ipFamily" },
  { setting: "cacheBust", types: PAGES },
  { setting: "retryOnlyOnStatusCodeFailure", types: ["json-query"] },
  { setting: "saveResponse", types: PAGES },
  { setting: "packetSize", types: ["ping"], usual: [56] },
  { setting: "ping_per_request_timeout", types: ["ping"], usual: [2] },
  { setting: "grpcMetadata", types: ["grpc-keyword"] },
  { setting: "wsIgnoreSecWebsocketAcceptHeader", types: ["websocket-upgrade"] },
  { setting: "databaseQuery", types: ["mongodb"] },
  { setting: "jsonPath", types: ["mongodb"], usual: ["$"] },
  { setting: "expectedValue", types: ["mongodb"] },
];

/** Notes of what a monitor says that has no place here. */
export function unusedSettings(monitor: Plain, type: string): Fact[] {
  const settings = UNUSED.filter(({ setting, types, usual = [] }) => {
    const value = own(monitor, setting);
    return (types?.includes(type) ?? true) && isSaid(value) && !usual.includes(value);
  }).map(({ setting }) => setting);
  const notes: Fact[] = settings.map((setting) => fact("import.setting", { setting }));
  if (!JUDGED_CONDITIONS.includes(type)) notes.push(...conditionsOf(monitor).map(leftOut));
  const isSecure = /^https:/i.test(textOf(own(monitor, "url")) ?? "");
  const isSilent = [false, 0].includes(own(monitor, "expiryNotification") as number);
  if (PAGES.includes(type) && isSecure && isSilent) notes.push(fact("import.certificate_notice"));
  return notes;
}

/** One of the conditions of a monitor, in the words that notes have for it. */
export interface KumaCondition {
  variable: string;
  operator: string;
  value: string;
  /** As it is said in a note. */
  text: string;
}

/** The conditions of a monitor, those within groups too. */
function conditionsOf(monitor: Plain): KumaCondition[] {
  const found: KumaCondition[] = [];
  const collect = (list: unknown, depth: number): void => {
    for (const one of listOf(list)) {
      if (own(one, "type") === "group" && depth < 5) {
        collect(own(one, "children"), depth + 1);
        continue;
      }
      const [variable, operator, value] = ["variable", "operator", "value"].map(
        (name) => textOf(own(one, name)) ?? "",
      ) as [string, string, string];
      found.push({ variable, operator, value, text: `${variable} ${operator} ${value}`.trim() });
    }
  };
  const given = own(monitor, "conditions");
  collect(typeof given === "string" ? parsedList(given) : given, 0);
  return found;
}

/** A list that is kept as a text of JSON; what cannot be read is one condition, in its own words. */
function parsedList(text: string): unknown {
  try {
    return text.trim() === "" ? [] : JSON.parse(text);
  } catch {
    return [{ variable: text.slice(0, 100) }];
  }
}

/** That a condition has no place here. */
const leftOut = ({ text }: KumaCondition): Fact => fact("import.condition", { condition: text });

/**
 * The one text that the conditions demand of what is found (`variable`), with notes of those that cannot be said. Several
 * are alternatives or more than one text, and none of them is taken.
 */
export function expectedBy(monitor: Plain, variable: string): { expect?: string; notes: Fact[] } {
  const conditions = conditionsOf(monitor);
  const [only] = conditions;
  if (
    conditions.length === 1 &&
    only?.variable === variable &&
    only.operator === "equals" &&
    only.value !== ""
  )
    return { expect: only.value, notes: [] };
  return { notes: conditions.map(leftOut) };
}
