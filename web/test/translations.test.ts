import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { languageCodes } from "../src/i18n/languages.ts";

const app = join(import.meta.dirname, "../src");
const pluralEnding = /_(?:zero|one|two|few|many|other)$/;

type Texts = { [name: string]: string | Texts };

/** What every page needs, and the folders of what only some need. */
const folders = readdirSync(join(app, "i18n"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const sets = ["", ...folders].map((folder) => {
  const read = (language: string): Map<string, string> =>
    flatten(JSON.parse(readFileSync(join(app, "i18n", folder, `${language}.json`), "utf8")) as Texts);
  return { folder, english: read("en"), read };
});
const files = sets.flatMap(({ folder, english, read }) =>
  languageCodes.map((language) => ({
    name: join(folder, `${language}.json`),
    language,
    english,
    texts: read(language),
  })),
);

function flatten(texts: Texts, path = ""): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, text]): [string, string][] =>
      typeof text === "string" ? [[path + name, text]] : [...flatten(text, `${path}${name}.`)],
    ),
  );
}

/** A key as the code names it: without the ending of its plural form. */
const baseOf = (key: string, english: Map<string, string>) =>
  english.has(key.replace(pluralEnding, "_other")) ? key.replace(pluralEnding, "") : key;

/** What a file must have: every key of English, a counted one once for each plural form of the language. */
function keysFor(language: string, english: Map<string, string>): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const keys = [...english.keys()].flatMap((key) => {
    const base = baseOf(key, english);
    return base === key ? [key] : forms.map((form) => `${base}_${form}`);
  });
  return [...new Set(keys)].toSorted();
}

const placeholdersOf = (text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).toSorted();

describe.each(files)("$name", ({ language, english, texts }) => {
  test("has every key of English in the language's own plural forms, and no other", () => {
    expect([...texts.keys()].toSorted()).toEqual(keysFor(language, english));
  });

  test("has no empty text and none with blanks around it", () => {
    expect([...texts].filter(([, text]) => text === "" || text !== text.trim())).toEqual([]);
  });

  test("fills in what English fills in", () => {
    const differing = [...texts].filter(([key, text]) => {
      const model = english.get(key) ?? english.get(`${baseOf(key, english)}_other`) ?? "";
      return String(placeholdersOf(text)) !== String(placeholdersOf(model));
    });
    expect(differing).toEqual([]);
  });
});

test("Chinese is punctuated in Chinese", () => {
  const han = "\\p{Script=Han}";
  const western = new RegExp(`${han}[,;:?!(]|[,;:?!)]${han}|${han}\\.`, "u");
  const chinese = files.filter(({ language }) => language === "zh").flatMap(({ texts }) => [...texts]);
  expect(chinese.filter(([key, text]) => western.test(text) && !key.endsWith("placeholder"))).toEqual([]);
});

/** Every text in the app's sources that may name a key: whole texts, and patterns where some of it is computed. */
function namedInCode(): { whole: Set<string>; patterns: RegExp[] } {
  const whole = new Set<string>();
  const patterns = new Set<string>();
  const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) whole.add(node.text);
    if (ts.isTemplateExpression(node) && /^\w+\./.test(node.head.text)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      patterns.add(`^${parts.map(escaped).join("[\\w.*]+")}$`);
    }
    ts.forEachChild(node, visit);
  };
  const sources = readdirSync(app, { recursive: true, encoding: "utf8" });
  // The styleguide's specimens have texts of their own.
  for (const file of sources.filter((name) => /^(?!pages\/styleguide\/).*\.tsx?$/.test(name))) {
    visit(ts.createSourceFile(file, readFileSync(join(app, file), "utf8"), ts.ScriptTarget.Latest));
  }
  return { whole, patterns: [...patterns].map((pattern) => new RegExp(pattern)) };
}

const allKeys = sets.flatMap(({ english }) => [...english.keys()].map((key) => baseOf(key, english)));

test("every key is used in the code", () => {
  const { whole, patterns } = namedInCode();
  const unused = allKeys.filter((key) => !whole.has(key) && !patterns.some((pattern) => pattern.test(key)));
  expect([...new Set(unused)]).toEqual([]);
});

test("every key that the code names exists", () => {
  const known = new Set(allKeys);
  const groups = new Set(allKeys.filter((key) => key.includes(".")).map((key) => key.split(".")[0]));
  const { whole, patterns } = namedInCode();
  const asKeys = [...whole].filter((text) => /^\w+(?:\.\w+)+$/.test(text) && groups.has(text.split(".")[0]));
  expect(asKeys.filter((key) => !known.has(key))).toEqual([]);
  const idle = patterns.filter(
    (pattern) => groups.has(/\w+/.exec(pattern.source)?.[0]) && !allKeys.some((key) => pattern.test(key)),
  );
  expect(idle).toEqual([]);
});
