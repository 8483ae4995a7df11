/**
 * Who says what. `shared` is this folder's files, which every page needs; any other name is a folder with texts of
 * its own, named from below `src/`. They come with the pages that name them (routes.tsx). A folder's
 * English file gives its type, which one of its files adds here:
 *
 *     declare module "../../i18n/texts.ts" {
 *       interface PageTexts { "settings/api-keys": typeof english }
 *     }
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- the folders fill it
export interface PageTexts {}

/** Every text file but the English of `shared`, which comes with the app; Vite makes a script of each. */
const files = import.meta.glob<object>(["../**/??.json", "!./en.json"], { import: "default" });

const readers = new Map(Object.entries(files).map(([path, read]) => [nameOf(path), read]));

/** `../overview/de.json` as `overview/de.json`. */
function nameOf(path: string): string {
  return path.startsWith("./") ? path.replace(".", "shared") : path.replace("../", "");
}

/** The texts of a name in a language. Rejects when they cannot be had. */
export async function readTexts(name: string, language: string): Promise<object> {
  const read = readers.get(`${name}/${language}.json`);
  if (!read) throw new Error(`There are no texts of ${name} in ${language}.`);
  return read();
}
