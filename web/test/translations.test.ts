import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { languageCodes } from "../src/i18n/languages.ts";
import { app, flatten, textNames, textsOf } from "./texts.ts";

const pluralEnding = /_(?:zero|one|two|few|many|other)$/;

const sets = textNames.map((name) => ({ name, english: flatten(textsOf(name, "en")) }));
const files = sets.flatMap(({ name, english }) =>
  languageCodes.map((language) => ({
    name: `${name}/${language}.json`,
    language,
    english,
    texts: flatten(textsOf(name, language)),
  })),
);

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

/** What a source says: texts that may be keys, patterns of those where some is computed, and whose keys they are. */
interface Source {
  file: string;
  whole: string[];
  patterns: RegExp[];
  names: Set<string>;
}

/** Whose keys the arguments of these calls name, unless they say it; `i18n.t` and an empty list mean `shared`. */
const callsWithNames = new Set(["useTranslation", "loadPageTexts"]);
/** These mean every kind of monitor. */
const callsForKinds = new Map([
  ["useKindTexts", /^monitors\/(?:domain|service|device)$/],
  ["useKindFormTexts", /^monitors\/(?:domain|service|device)\/form$/],
]);

function readSource(file: string): Source {
  const whole: string[] = [];
  const patterns = new Set<string>();
  const names = new Set<string>();
  const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) whole.push(node.text);
    if (ts.isTemplateExpression(node) && /^[\w/:-]+\./.test(node.head.text)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      patterns.add(`^${parts.map(escaped).join("[\\w.*-]+")}$`);
    }
    if (ts.isCallExpression(node) && callsWithNames.has(node.expression.getText())) {
      const said = node.arguments.flatMap((one) => (ts.isArrayLiteralExpression(one) ? one.elements : [one]));
      const given = said.filter(ts.isStringLiteralLike).map(({ text }) => text);
      for (const name of given.length > 0 ? given : ["shared"]) names.add(name);
    }
    if (ts.isCallExpression(node)) {
      const call = node.expression.getText();
      const ofKinds = callsForKinds.get(call);
      for (const name of textNames) if (ofKinds?.test(name)) names.add(name);
      if (call === "i18n.t") names.add("shared");
      if (call === "useMonitorTexts") names.add("monitors");
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(join(app, file), "utf8"), ts.ScriptTarget.Latest, true));
  return { file, whole, patterns: [...patterns].map((pattern) => new RegExp(pattern)), names };
}

// The styleguide's specimens have texts of their own.
const sources = readdirSync(app, { recursive: true, encoding: "utf8" })
  .filter((name) => /^(?!styleguide\/).*\.tsx?$/.test(name))
  .map(readSource);
const spoken = sources.filter(({ names }) => names.size > 0);

const ofMonitors = sets.find(({ name }) => name === "monitors")?.english ?? new Map<string, string>();

describe.each(sets)("each text of $name", ({ name, english }) => {
  test("is used in the code", () => {
    // Forms look up the texts of whatever fields a schema has (domain-form.test.ts), and for what a kind names.
    const kind = /^monitors\/(?:domain|service|device)\/(?=form$)/.exec(name)?.[0];
    const places = name.endsWith("/form") ? ["forms/", kind ?? []].flat() : [];
    const own = sources.filter(
      ({ file, names }) => names.has(name) || places.some((place) => file.startsWith(place)),
    );
    const keys = new Set([...english.keys()].map((key) => baseOf(key, english)));
    const isUsed = (key: string, { whole, patterns }: Source) =>
      whole.includes(key) || patterns.some((pattern) => pattern.test(key));
    // What is said of every monitor, in a protocol's own words (useMonitorTexts).
    const isOwnWord = (key: string) => {
      // The level of a device's health chooses among the words for its status.
      const said = key.replace(/^own\.\w+\./, "").replace(/_critical$/, "");
      return key.startsWith("own.") && (ofMonitors.has(said) || ofMonitors.has(`${said}_other`));
    };
    const unused = [...keys].filter(
      (key) =>
        !own.some((source) => isUsed(key, source)) &&
        !isOwnWord(key) &&
        !sources.some((source) => isUsed(`${name}:${key}`, source)),
    );
    expect(unused).toEqual([]);
  });
});

test("every name that the code uses texts of has a folder with them", () => {
  const spokenNames = new Set(spoken.flatMap(({ names }) => [...names]));
  expect([...spokenNames].toSorted()).toEqual(textNames);
});

test("every key that the code says whose it is exists", () => {
  const known = new Set(
    sets.flatMap(({ name, english }) => [...english.keys()].map((key) => `${name}:${baseOf(key, english)}`)),
  );
  const isKey = (text: string) => textNames.some((name) => text.startsWith(`${name}:`));
  const idle = sources.flatMap(({ patterns }) =>
    patterns.filter(
      (pattern) => isKey(pattern.source.slice(1)) && ![...known].some((key) => pattern.test(key)),
    ),
  );
  const asKeys = sources.flatMap(({ whole }) => whole.filter(isKey));
  expect({ keys: asKeys.filter((key) => !known.has(key)), idle }).toEqual({ keys: [], idle: [] });
});
