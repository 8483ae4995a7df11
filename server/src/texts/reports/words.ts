import type { Language } from "../languages.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

const TEXTS: Record<Language, Record<keyof typeof en, string>> = { en, de, zh };

export type ReportWord = keyof typeof en;

/** What a report says in a language; `{name}` is filled with the value of that name. */
export const reportWords =
  (language: Language) =>
  (word: ReportWord, values: Readonly<Record<string, string>> = {}): string =>
    TEXTS[language][word].replaceAll(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot);
