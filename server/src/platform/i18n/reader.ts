import type { Language } from "./render.ts";

/** A person's language and IANA time zone. */
export interface Reader {
  language: Language;
  timeZone: string;
}

/** What a person chose, and what the browser that they used last says. */
export interface KnownReader {
  language: Language | null;
  timeZone: string | null;
  seenLanguage: Language | null;
  seenTimeZone: string | null;
}

/** As they chose, else as their browser says, else in `language`, with times in UTC. */
export const readerOf = (person: KnownReader | undefined, language: Language = "en"): Reader => ({
  language: person?.language ?? person?.seenLanguage ?? language,
  timeZone: person?.timeZone ?? person?.seenTimeZone ?? "UTC",
});

/** For a person who is in a browser in `language` at this moment, which counts more than an earlier browser. */
export const readerOfRequest = (person: KnownReader | undefined, language: Language | null = null): Reader =>
  readerOf(person && { ...person, seenLanguage: language ?? person.seenLanguage }, language ?? "en");
