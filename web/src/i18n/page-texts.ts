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

const loading = new Map<string, Promise<unknown>>();

/** Waits, as React does, until the texts of these names are here, and again after the language has changed. */
export function usePageTexts(...names: PageTexts[]): void {
  useTranslation();
  // One promise, always: React tells what is waited for by its place in the order of the calls.
  use(loadPageTexts(...names));
}

/** Has the texts of these names here in the page's language. Rejects when they cannot be loaded; then call again. */
export function loadPageTexts(...names: PageTexts[]): Promise<unknown> {
  const language = currentLanguage();
  const key = [language, ...names].join(" ");
  const known = loading.get(key);
  if (known) return known;
  const promise = Promise.all(names.map((name) => load(name, language)));
  promise.catch(() => loading.delete(key));
  loading.set(key, promise);
  return promise;
}

async function load(name: PageTexts, language: Language): Promise<void> {
  i18n.addResourceBundle(language, name, (await files[name][language]()).default);
}
