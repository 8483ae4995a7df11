import { de } from "./de.ts";
import { en } from "./en.ts";
import type { Fact } from "./fact.ts";
import { formatsOf } from "./formats.ts";
import type { Language } from "./languages.ts";
import { renderFact } from "./render.ts";
import { zh } from "./zh.ts";

const TEXTS: Readonly<Record<Language, Readonly<Partial<Record<string, string>>>>> = { en, de, zh };

/** A fact in a language, with times in UTC. */
export const sayFact = (language: Language, fact: Fact): string =>
  renderFact(TEXTS[language], fact, formatsOf(language, "UTC"));
