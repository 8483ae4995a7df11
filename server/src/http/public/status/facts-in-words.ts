import { de } from "../../../texts/de.ts";
import { en } from "../../../texts/en.ts";
import type { Fact } from "../../../texts/fact.ts";
import { formatsOf } from "../../../texts/formats.ts";
import type { Language } from "../../../texts/languages.ts";
import { renderFact } from "../../../texts/render.ts";
import { zh } from "../../../texts/zh.ts";

const TEXTS: Readonly<Record<Language, Readonly<Partial<Record<string, string>>>>> = { en, de, zh };

/** A fact as visitors of a status page read it. */
export const sayFact = (language: Language, fact: Fact): string =>
  renderFact(TEXTS[language], fact, formatsOf(language, "UTC"));
