import type { Fact, Texts } from "../../../server/src/texts/fact.ts";
import { renderFact } from "../../../server/src/texts/render.ts";
import { formatDateTime, formatDuration, formatUtcDay } from "../format.ts";
import type { Language } from "./languages.ts";
import type { Phrasebook } from "./phrasebook.ts";

/** What the server's facts say in a language; null: what the server sends with them, which is English. */
export const factTexts: Record<Language, () => Promise<Texts | null>> = {
  en: async () => null,
  de: async () => (await import("../../../server/src/texts/de.ts")).de,
  zh: async () => (await import("../../../server/src/texts/zh.ts")).zh,
};

/** A fact in a language; `sentence` is the same in English. */
export function sayFact(
  texts: Texts | null,
  { sentence, fact }: { sentence: string; fact: Fact | null | undefined },
  locale: string,
): string {
  if (!fact || texts === null || !Object.hasOwn(texts, fact.code)) return sentence;
  return renderFact(texts, fact, {
    day: (day) => formatUtcDay(day, locale),
    time: (time) => formatDateTime(time, locale),
    duration: (ms) => formatDuration(ms, locale),
  });
}

/** What a check may say, as phrases: refusals, which are sentences, hold them (a page whose title cannot be read). */
export async function reasonPhrases(texts: Texts): Promise<Phrasebook> {
  const { en } = await import("../../../server/src/texts/en.ts");
  const phrase = (text: string) => text.replaceAll(/\{ ?(\w+)(?::\w+)?\}/g, "{{$1}}");
  const codes = (Object.keys(en) as (keyof Texts)[]).filter(
    (code) => !/^(?:incident|notice|watch)\./.test(code),
  );
  return Object.fromEntries(codes.map((code) => [phrase(en[code]), phrase(texts[code])]));
}
