import type { Fact, Params } from "../../texts/fact.ts";
import { listed, pluralIn, shortFormatsOf, shortTime, zoneName } from "../../texts/formats.ts";
import type { Language } from "../../texts/languages.ts";
import type { MessageTexts } from "../../texts/messages/en.ts";
import type { Reader } from "../../texts/reader.ts";
import { renderFact } from "../../texts/render.ts";
import type { Digest, DigestEntry, DigestGroup, Members } from "./message.ts";

/** Says a text of messages. */
export type Say = (code: keyof MessageTexts, params?: Params) => string;

/** What a digest says: a title, of each kind of event how many and when, and what is known of the most severe. */
export function digestWords(
  digest: Digest,
  reader: Reader,
  { now, texts }: { now: number; texts: Readonly<Partial<Record<string, string>>> },
): { title: string; text: string } {
  const { isSummary, groups } = digest;
  // The zone is named where the first times are.
  const formats = shortFormatsOf(reader.language, reader.timeZone, { now, isZoned: false });
  const say: Say = (code, params = {}) => renderFact(texts, { code, params }, formats);
  const render = (fact: Fact) => renderFact(texts, fact, formats);
  const titles = groups.map((group) => {
    const { form, count } = counted(group.count, reader.language);
    return say(`digest.title.${group.event}.${form}`, { count });
  });
  const title = titles.reduce((first, next) => say("digest.then", { first, next }));
  // What still is so says no time.
  const timed = groups.find(
    ({ event }) => event !== "reminder" && !/^(?:certificate|objective)\.(?!renewed|steady)/.test(event),
  );
  const parts = groups.map((group) => {
    const { form, count } = counted(group.count, reader.language);
    const said = whenOf(group, reader, { now, say });
    const zone = zoneName(reader.language, reader.timeZone, group.from);
    const when = group === timed ? say("digest.zoned", { said, zone }) : said;
    const head = say(`digest.${group.event}.${form}`, { count, when });
    return head + itemsOf(group, listedIn(digest, group), reader.language, { say, render });
  });
  for (const which of ["going_on", "held"] as const) {
    const others = which === "held" ? digest.held : digest.goingOn;
    if (others) parts.push(say(`alert.${which}`, { names: namesOf(others, reader.language, say) }));
  }
  return { title: isSummary ? say("digest.summary", { title }) : title, text: parts.join("\n") };
}

/** How it says texts of messages, and facts. */
type Saying = { say: Say; render: (fact: Fact) => string };

type Listed = Pick<DigestEntry, "name" | "title" | "severity" | "reason">;

/** Those of a group that are listed one by one. Older versions listed the first ten of what was known more of than names. */
function listedIn({ mostSevere }: Digest, { event, names, known = [] }: DigestGroup): readonly Listed[] {
  if (mostSevere) return mostSevere.filter((one) => one.event === event);
  if (!known.some(({ severity, reason }) => severity !== null || reason !== null)) return [];
  const nothing = { title: null, severity: null, reason: null };
  return names.map((name, index) => ({ name, ...(known[index] ?? nothing) }));
}

/** What something is called in a digest, in its reader's language. */
export const calledIn = (
  { title, name }: Pick<DigestEntry, "name" | "title">,
  render: (fact: Fact) => string,
): string => (title ? render(title) : name);

/** One a line, of those that are listed; else their names. */
function itemsOf(
  group: DigestGroup,
  listed: readonly Listed[],
  language: Language,
  { say, render }: Saying,
): string {
  const { names, known = [] } = group;
  if (listed.length === 0) {
    const called = names.map((name, index) => calledIn({ name, title: known[index]?.title ?? null }, render));
    return (language === "zh" ? "" : " ") + namesOf({ ...group, names: called }, language, say);
  }
  const lines = listed.map((one) => lineOf(one, { say, render }));
  const left = group.count - listed.length;
  const { form, count } = counted(left, language);
  if (left > 0) lines.push(say(`digest.rest.${form}`, { count }));
  return lines.map((line) => `\n• ${line}`).join("");
}

/** "Shop (high severity): The connection was refused." */
function lineOf(listed: Listed, { say, render }: Saying): string {
  const name = calledIn(listed, render);
  const severity = listed.severity && say(`digest.severity.${listed.severity}`);
  const item = severity ? say("digest.item", { name, severity }) : name;
  return listed.reason ? say("digest.because", { item, reason: render(listed.reason) }) : item;
}

function namesOf(group: Members, language: Language, say: Say): string {
  const names = listed(group.names, language);
  const left = group.count - group.names.length;
  if (left <= 0) return names;
  const { form, count } = counted(left, language);
  return say(`digest.more.${form}`, { names, count });
}

const counted = (count: number, language: Language) => ({
  form: pluralIn(language, count),
  count: new Intl.NumberFormat(language).format(count),
});

/** To the minute: "between 12:01 and 12:02"; with the days where it was not today. */
function whenOf(
  { from, to }: DigestGroup,
  { language, timeZone }: Reader,
  { now, say }: { now: number; say: Say },
): string {
  const [first, last] = [from, to].map((at) => shortTime(at, { language, timeZone, now })) as [
    string,
    string,
  ];
  const isToday = shortTime(from, { language, timeZone, now: from }) === first;
  return first === last
    ? say(isToday ? "digest.at" : "digest.on", { at: first })
    : say("digest.between", { from: first, to: last });
}
