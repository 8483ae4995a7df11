import type { Language } from "../../texts/languages.ts";
import type { Reader } from "../mail/mail.ts";
import type { Digest, DigestGroup } from "./message.ts";

/** Says a text of messages. */
type Say = (code: string, params?: Record<string, string>) => string;

/** What a digest says: a title, and a line for each kind of event. */
export function digestWords(
  { isSummary, groups }: Digest,
  reader: Reader,
  say: Say,
): { title: string; text: string } {
  const listed = new Intl.ListFormat(reader.language, { style: "narrow", type: "unit" });
  const title = listed.format(
    groups.map((group) => say(...plural(`digest.title.${group.event}`, group, reader.language))),
  );
  return {
    title: isSummary ? say("digest.summary", { title }) : title,
    text: groups.map((group) => lineOf(group, reader, say)).join("\n"),
  };
}

function lineOf(group: DigestGroup, reader: Reader, say: Say): string {
  const { names, count } = group;
  const more =
    count > names.length
      ? [say("digest.more", { count: numberIn(reader.language, count - names.length) })]
      : [];
  const [code, params] = plural(`digest.${group.event}`, group, reader.language);
  return say(code, { ...params, when: whenOf(group, reader, say), names: [...names, ...more].join(", ") });
}

const numberIn = (language: Language, count: number): string => new Intl.NumberFormat(language).format(count);

const plural = (
  code: string,
  { count }: DigestGroup,
  language: Language,
): [string, Record<string, string>] => [
  `${code}.${new Intl.PluralRules(language).select(count)}`,
  { count: numberIn(language, count) },
];

/** To the minute: "between 12:01 and 12:02"; with the days where it was not one day. */
function whenOf({ from, to }: DigestGroup, { language, timeZone }: Reader, say: Say): string {
  const day = new Intl.DateTimeFormat(language, { dateStyle: "short", timeZone });
  const isOneDay = day.format(from) === day.format(to);
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  const dated = { ...clock, day: "numeric", month: "short" } as const;
  const format = new Intl.DateTimeFormat(language, isOneDay ? clock : dated);
  const [first, last] = [format.format(from), format.format(to)];
  return first === last ? say("digest.at", { at: first }) : say("digest.between", { from: first, to: last });
}
