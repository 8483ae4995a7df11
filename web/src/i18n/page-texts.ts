import { use } from "react";
import { useTranslation } from "react-i18next";
import { currentLanguage, i18n } from "./i18n.ts";
import type { Language } from "./languages.ts";

type Files = Record<Language, () => Promise<{ default: object }>>;

/** Texts that only some pages show. They come with these pages, so that the first view does not grow. */
const files = {
  forms: {
    en: () => import("./forms/en.json"),
    de: () => import("./forms/de.json"),
    zh: () => import("./forms/zh.json"),
  },
  domainForm: {
    en: () => import("./domain-form/en.json"),
    de: () => import("./domain-form/de.json"),
    zh: () => import("./domain-form/zh.json"),
  },
} satisfies Record<string, Files>;

type PageTexts = keyof typeof files;

const loading = new Map<string, Promise<void>>();

/** Has the texts of these names here in the page's language. Rejects when they cannot be loaded. */
export async function loadPageTexts(...names: PageTexts[]): Promise<void> {
  await Promise.all(names.map((name) => load(name, currentLanguage())));
}

/** Waits, as React does, until the texts of these names are here, and again after the language has changed. */
export function usePageTexts(...names: PageTexts[]): void {
  useTranslation();
  const language = currentLanguage();
  for (const name of names) if (!i18n.hasResourceBundle(language, name)) use(load(name, language));
}

function load(name: PageTexts, language: Language): Promise<void> {
  const key = `${name} ${language}`;
  const known = loading.get(key);
  if (known) return known;
  const promise = files[name][language]().then(
    (texts) => void i18n.addResourceBundle(language, name, texts.default),
    (error: unknown) => {
      loading.delete(key);
      throw error;
    },
  );
  loading.set(key, promise);
  return promise;
}
