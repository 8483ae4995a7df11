import { currentLanguage } from "./i18n.ts";
import type { Language } from "./languages.ts";

/** Of what is said in several languages, the reader's own; else that which stands first. */
export const inReadersLanguage = <Text extends { language: Language }>(
  texts: readonly Text[],
): Text | undefined => texts.find(({ language }) => language === currentLanguage()) ?? texts[0];
