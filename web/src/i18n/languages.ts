/** Each language with a complete file in this folder, by its own name; English is what all others fall back to. */
export const languages = { en: "English", de: "Deutsch", zh: "中文" } as const;

export type Language = keyof typeof languages;

/** The languages in the order of the menu. */
export const languageCodes = Object.keys(languages) as Language[];

/** Where the reader's own tags name no country: what dates, numbers and the page's `lang` follow. */
const plainTags: Record<Language, string> = { en: "en", de: "de", zh: "zh-Hans" };

/** The language to start in: the saved choice, else the first of the browser's that exists here, else English. */
export function firstLanguage(saved: string | null, wanted: readonly string[]): Language {
  const chosen = languageCodes.find((code) => code === saved);
  return chosen ?? wanted.map(languageOf).find((code) => code !== undefined) ?? "en";
}

/**
 * The reader's own country where they named one for this language (`de-AT`), else the language alone. Always
 * valid for Intl.
 */
export function localeOf(language: Language, wanted: readonly string[]): string {
  const own = wanted.find((tag) => languageOf(tag) === language && tag.includes("-"));
  return own ?? plainTags[language];
}

/** Which of our languages a browser's tag means; traditional Chinese is not the Chinese that we have. */
function languageOf(tag: string): Language | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return languageCodes.find((code) => {
      const ours = new Intl.Locale(plainTags[code]).maximize();
      return ours.language === language && ours.script === script;
    });
  } catch {
    // Not a language tag at all, such as a browser's under LANG=C.
    return undefined;
  }
}
