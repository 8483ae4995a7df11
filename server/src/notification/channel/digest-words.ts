import type { Language } from "../../texts/languages.ts";
import type { MessageTexts } from "../../texts/messages/en.ts";
import type { Reader } from "../mail/mail.ts";
import type { Digest, DigestGroup } from "./message.ts";

/** Says a text of messages. */
export type Say = (code: keyof MessageTexts, params?: Record<string, string>) => string;

/** What a digest says: a title, and a line for each kind of event. */
export function digestWords(
  { isSummary, groups }: Digest,
  reader: Reader,
  say: Say,
): { title: string; text: string } {
  const listed = new Intl.ListFormat(reader.language, { style: "short", type: "unit" });
  const title = listed.format(
    groups.map((group) => {
      const { form, count } = counted(group, reader.language);
      return say(`digest.title.${group.event}.${form}`, { count });
    }),
  );
  return {
    title: isSummary ? say("digest.summary", { title }) : title,
    text: groups.map((group) => lineOf(group, reader, say)).join("\n"),
  };
}

function lineOf(group: DigestGroup, reader: Reader, say: Say): string {
  const { names } = group;
  const left = group.count - names.length;
  const more = left > 0 ? [say("digest.more", { count: numberIn(reader.language, left) })] : [];
  const { form, count } = counted(group, reader.language);
  const params = { count, when: whenOf(group, reader, say), names: [...names, ...more].join(", ") };
  return say(`digest.${group.event}.${form}`, params);
}

const numberIn = (language: Language, count: number): string => new Intl.NumberFormat(language).format(count);

/** The forms that the languages of messages have. */
const counted = ({ count }: DigestGroup, language: Language) => ({
  form: new Intl.PluralRules(language).select(count) === "one" ? ("one" as const) : ("other" as const),
  count: numberIn(language, count),
});

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
