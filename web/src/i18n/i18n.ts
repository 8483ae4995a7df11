import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type domainForm from "./domain-form/en.json";
import en from "./en.json" with { type: "json" };
import type forms from "./forms/en.json";
import { firstLanguage, type Language, languageCodes, localeOf } from "./languages.ts";
import { interpreterOf, type Phrasebook } from "./phrasebook.ts";
import serverEn from "./server-en.json" with { type: "json" };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en; forms: typeof forms; domainForm: typeof domainForm };
  }
}

const storageKey = "vedette.language";

/** A language's texts, and its words for the server's sentences. */
type Words = readonly [texts: object, phrases: Phrasebook];

/** English comes with the app, because it stands in for all others; they come when wanted. */
const words: Record<Language, () => Promise<Words>> = {
  // Its book has only what the API says of fields by their names in the API.
  en: async () => [en, serverEn],
  de: () => Promise.all([contentOf(import("./de.json")), contentOf(import("./server-de.json"))]),
  zh: () => Promise.all([contentOf(import("./zh.json")), contentOf(import("./server-zh.json"))]),
};

const contentOf = async <Content>(file: Promise<{ default: Content }>) => (await file).default;

/** The app's texts. Keys are typed from en.json: a missing one does not compile. */
export const i18n = i18next;

/** Loads the texts in the reader's language; call once, before the first render. Without them the app is English. */
export async function startTranslations(): Promise<void> {
  i18next.on("languageChanged", (locale) => {
    document.documentElement.lang = locale;
  });
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    lng: localeOf("en", navigator.languages),
    fallbackLng: "en",
    supportedLngs: languageCodes,
    // "de-AT" has the texts of "de", and its own dates and numbers.
    load: "languageOnly",
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  // "3 Tage", but "seit 3 Tagen": the only unit of time whose dative differs.
  i18next.services.formatter?.add("dative", (text: string) => text.replace(/Tage$/, "Tagen"));
  const language = firstLanguage(savedLanguage(), navigator.languages);
  if (language !== "en") await speak(language).catch(() => undefined);
}

/** The language of the page now. */
export function currentLanguage(): Language {
  return languageCodes.find((code) => code === i18next.resolvedLanguage) ?? "en";
}

/** Turns the page to a language and remembers it in this browser. Throws when its texts cannot be loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language);
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
}

/** A sentence of the server's, such as why a check failed, in the reader's language; as it came where that has no words for it. */
export function inReadersLanguage(sentence: string): string {
  return interpret(sentence);
}

let interpret = interpreterOf(serverEn);
/** What was chosen last, even while its texts are on their way. */
let latest: Language | undefined;

async function speak(language: Language): Promise<void> {
  latest = language;
  const [texts, phrases] = await words[language]();
  i18next.addResourceBundle(language, "translation", texts);
  if (latest !== language) return;
  interpret = interpreterOf(phrases);
  await i18next.changeLanguage(localeOf(language, navigator.languages));
}

function savedLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
