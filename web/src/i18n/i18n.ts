import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "./en.json" with { type: "json" };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
  }
}

/** Languages with a complete file in this folder; the first is what all others fall back to. */
const languages = ["en"] as const;

/** The app's texts. Keys are typed from en.json: a missing one does not compile. */
export const i18n = i18next;

/** Loads the texts in the reader's language; call once, before the first render. */
export async function startTranslations(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    lng: preferredLanguage(navigator.languages),
    fallbackLng: languages[0],
    supportedLngs: languages,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = i18next.language;
}

function preferredLanguage(wanted: readonly string[]): string {
  const known: readonly string[] = languages;
  return (
    wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => known.includes(tag)) ?? languages[0]
  );
}
