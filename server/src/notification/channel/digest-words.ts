import { listed } from "../../texts/formats.ts";
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
  const titles = groups.map((group) => {
    const { form, count } = counted(group.count, reader.language);
    return say(`digest.title.${group.event}.${form}`, { count });
  });
  const title = titles.reduce((first, next) => say("digest.then", { first, next }));
  return {
    title: isSummary ? say("digest.summary", { title }) : title,
    text: groups.map((group) => lineOf(group, reader, say)).join("\n"),
  };
}

function lineOf(group: DigestGroup, reader: Reader, say: Say): string {
  const { form, count } = counted(group.count, reader.language);
  const params = { count, when: whenOf(group, reader, say), names: namesOf(group, reader.language, say) };
  return say(`digest.${group.event}.${form}`, params);
}

function namesOf(group: DigestGroup, language: Language, say: Say): string {
  const names = listed(group.names, language);
  const left = group.count - group.names.length;
  if (left <= 0) return names;
  const { form, count } = counted(left, language);
  return say(`digest.more.${form}`, { names, count });
}

/** The forms that the languages of messages have. */
const counted = (count: number, language: Language) => ({
  form: new Intl.PluralRules(language).select(count) === "one" ? ("one" as const) : ("other" as const),
  count: new Intl.NumberFormat(language).format(count),
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
