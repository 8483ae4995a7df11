import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The app's sources. */
export const app = join(import.meta.dirname, "../src");

/** As a text file has them. */
export type Texts = { [name: string]: string | Texts };

/** The folders with texts of their own, by the name that the app calls them (src/i18n/texts.ts). */
const folders = new Map(
  readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("/en.json"))
    .map(dirname)
    .map((folder) => [folder === "i18n" ? "shared" : folder, folder]),
);

export const textNames = [...folders.keys()].toSorted();

/** A folder's texts in a language. */
export function textsOf(name: string, language: string): Texts {
  return JSON.parse(readFileSync(join(app, folders.get(name) ?? "", `${language}.json`), "utf8")) as Texts;
}

/** The texts by their whole keys: `filter.all`. */
export function flatten(texts: Texts, path = ""): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, text]): [string, string][] =>
      typeof text === "string" ? [[path + name, text]] : [...flatten(text, `${path}${name}.`)],
    ),
  );
}
