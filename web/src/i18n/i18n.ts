import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type { MessageDescriptor } from "../../../server/src/platform/i18n/message.ts";
import { filled, joined } from "./direction.ts";
import en from "./en.json" with { type: "json" };
import { english } from "./english.ts";
import { firstLanguage, type Language, languageCodes, localeOf } from "./languages.ts";
import { formatMessage, type MessageTexts, messageTexts } from "./messages.ts";
import { type PageTexts, readTexts } from "./texts.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shared";
    resources: { shared: typeof en } & PageTexts;
  }
}

const storageKey = "vedette.language";

/** The app's texts. Keys are typed from en.json: a missing one does not compile. */
export const i18n = i18next;

/** Loads the texts in the reader's language; call once, before the first render. Without them the app is English. */
export async function startTranslations(): Promise<void> {
  i18next.on("languageChanged", (locale) => {
    document.documentElement.lang = locale;
  });
  i18next.use({ type: "postProcessor", name: "joined", process: joined });
  await i18next.use(initReactI18next).init({
    resources: { en: { shared: en } },
    defaultNS: "shared",
    lng: localeOf("en", navigator.languages),
    fallbackLng: "en",
    supportedLngs: languageCodes,
    // "de-AT" has the texts of "de", and its own dates and numbers.
    load: "languageOnly",
    // React escapes what is HTML.
    interpolation: { escape: filled },
    postProcess: ["joined"],
    returnNull: false,
  });
  // "3 Tage", but "seit 3 Tagen": the only unit of time whose dative differs.
  i18next.services.formatter?.add("dative", (text: string) => text.replace(/Tage$/, "Tagen"));
  chosen = savedLanguage();
  const language = firstLanguage(chosen, navigator.languages);
  await speak(language).catch(() => undefined);
}

export function currentLanguage(): Language {
  return languageCodes.find((code) => code === i18next.resolvedLanguage) ?? "en";
}

/** The language chosen in this browser; null: the browser's own. */
export const chosenLanguage = (): Language | null => chosen;

/** The first of the browser's own languages that the app speaks. */
export const browserLanguage = (): Language => firstLanguage(null, navigator.languages);

/** Null: the browser's own. Remembered in this browser. Throws when its texts cannot be loaded. */
export async function chooseLanguage(language: Language | null): Promise<void> {
  await speak(language ?? browserLanguage());
  chosen = language;
  try {
    if (language === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, language);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export const onLanguageChosen = (listener: () => void): void => void listeners.add(listener);

/** What people call a place from which checks are made: by its code, but for the server itself. */
export const locationInReadersLanguage = (code: string): string =>
  translateMessage(code, { code: `place.${code}` });

/** In the reader's language; `sentence`: the same as the server says it. `field`: the one that it is about. */
export function translateMessage(
  sentence: string,
  message: MessageDescriptor | null | undefined,
  field?: string,
): string {
  return formatMessage(texts, { sentence, message, field }, i18next.language);
}

/** Has the texts of these names here: in the page's language, and in the one it is being turned to. */
export async function loadPageTexts(...names: (keyof PageTexts)[]): Promise<void> {
  for (const name of names) wanted.add(name);
  await Promise.all([loadWanted(currentLanguage()), loadWanted(latest)]);
}

let chosen: Language | null = null;
const listeners = new Set<() => void>();
/** Until more is here, what the server has no better sentence for. */
let texts: MessageTexts = english;
/** What was chosen last, even while its texts are on their way. */
let latest: Language = "en";
/** What the pages that have been opened say, by name. */
const wanted = new Set<string>(["shared"]);

/** English is bundled, because it is the fallback of all others; the languages are loaded on demand, one at a time. */
async function loadWanted(language: Language): Promise<void> {
  const missing = [...wanted].filter((name) => !i18next.hasResourceBundle(language, name));
  const load = async (name: string) =>
    void i18next.addResourceBundle(language, name, await readTexts(name, language));
  await Promise.all(missing.map(load));
}

async function speak(language: Language): Promise<void> {
  latest = language;
  try {
    const [spoken] = await Promise.all([messageTexts[language](), loadWanted(language)]);
    if (latest !== language) return;
    texts = spoken;
    await i18next.changeLanguage(localeOf(language, navigator.languages));
  } catch (error) {
    if (latest === language) latest = currentLanguage();
    throw error;
  }
}

function savedLanguage(): Language | null {
  try {
    const saved = localStorage.getItem(storageKey);
    return languageCodes.find((code) => code === saved) ?? null;
  } catch {
    return null;
  }
}

/** Of a text in several languages, the reader's own; else the first. */
export const inReadersLanguage = <Text extends { language: Language }>(
  texts: readonly Text[],
): Text | undefined => texts.find(({ language }) => language === currentLanguage()) ?? texts[0];
