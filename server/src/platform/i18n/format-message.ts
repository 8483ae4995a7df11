import { de } from "./de.ts";
import { en } from "./en.ts";
import type { MessageDescriptor } from "./message.ts";
import { formatsOf, type Language, renderMessage } from "./render.ts";
import { zh } from "./zh.ts";

const TEXTS: Readonly<Record<Language, Readonly<Partial<Record<string, string>>>>> = { en, de, zh };

/** A message in a language, with times in UTC. */
export const formatMessage = (language: Language, message: MessageDescriptor): string =>
  renderMessage(TEXTS[language], message, formatsOf(language, "UTC"));
