import type { Language } from "./languages.ts";

/** In which language somebody reads, and in which IANA time zone they live. */
export interface Reader {
  language: Language;
  timeZone: string;
}

/** What is known of how somebody reads: what they chose, and what the browser that they used last says. */
export interface KnownReader {
  language: Language | null;
  timeZone: string | null;
  seenLanguage: Language | null;
  seenTimeZone: string | null;
}

/** How to write to somebody: as they chose, else as their browser says, else in that language, with times in UTC. */
export const readerOf = (person: KnownReader | undefined, language: Language = "en"): Reader => ({
  language: person?.language ?? person?.seenLanguage ?? language,
  timeZone: person?.timeZone ?? person?.seenTimeZone ?? "UTC",
});

/**
 * How to write to somebody who asks for it at this moment, or in a browser, in that language: a browser that they used before
 * says less.
 */
export const readerOfRequest = (person: KnownReader | undefined, language: Language | null = null): Reader =>
  readerOf(person && { ...person, seenLanguage: language ?? person.seenLanguage }, language ?? "en");
