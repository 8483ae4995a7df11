import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { de as reasons } from "../../server/src/texts/de.ts";
import { reasonPhrases } from "../src/i18n/facts.ts";
import { interpreterOf } from "../src/i18n/phrasebook.ts";
import de from "../src/i18n/server-de.json" with { type: "json" };
import en from "../src/i18n/server-en.json" with { type: "json" };
import zh from "../src/i18n/server-zh.json" with { type: "json" };

const inGerman = interpreterOf({ ...(await reasonPhrases(reasons)), ...de });
const placeholder = /\{\{(\w+)\}\}/g;

describe("a sentence of the server's", () => {
  test.each([
    [
      "that is always the same",
      "The code is wrong, or was used already.",
      "Der Code ist falsch oder wurde schon verwendet.",
    ],
    [
      "with a sentence after its colon is told whole",
      "The page could not be read: the server stopped reading it because it took too long or too much memory.",
      "Die Seite konnte nicht gelesen werden: Der Server hat das Lesen abgebrochen, weil es zu lange dauerte oder zu viel Speicher brauchte.",
    ],
    [
      "takes the wordier phrase of two that fit",
      "The checkInterval field must be at least 10.",
      "Das Feld „Intervall“ muss mindestens 10 sein.",
    ],
    [
      "keeps a field that has no name of its own",
      "The assertions.0.path field is required.",
      "Das Feld „assertions.0.path“ darf nicht leer sein.",
    ],
    [
      "about a page holds the reason that a check would give",
      "The page could not be read: the request cannot be made: it is neither http nor https.",
      "Die Seite konnte nicht gelesen werden: Die Anfrage ist nicht möglich: Die URL ist weder http noch https.",
    ],
    ["that the book lacks stays as it came", "The moon is full.", "The moon is full."],
    ["is no member of an object", "constructor", "constructor"],
  ])("%s", (_case, sentence, said) => {
    expect(inGerman(sentence)).toBe(said);
    expect(inGerman(sentence)).toBe(said);
  });

  test("with braces or signs of a pattern in it is kept to the letter", () => {
    expect(inGerman("The header $& {{text}} (a+) is given twice.")).toBe(
      "Der Header $& {{text}} (a+) ist doppelt angegeben.",
    );
  });
});

const books = Object.entries({ de, zh }) as [string, Record<string, string>][];

describe.each(books)("server-%s.json", (_language, book) => {
  test("has the phrases that the others have", () => {
    expect(Object.keys(book)).toEqual(Object.keys(de));
  });

  test("fills in only what the server's sentence holds, and loses none of it", () => {
    const namesIn = (text: string) => [...text.matchAll(placeholder)].map(([, name]) => name).toSorted();
    const differing = Object.entries(book).filter(
      ([from, to]) => String(namesIn(from)) !== String(namesIn(to)),
    );
    expect(differing).toEqual([]);
  });
});

test("the English book says fields by their labels, and nothing that the others have no words for", () => {
  const inEnglish = interpreterOf(en);
  expect(inEnglish("The url field is required.")).toBe("Enter the URL to watch.");
  expect(inEnglish("The password field must be at least 8 characters.")).toBe(
    "The password needs at least 8 characters.",
  );
  const others = interpreterOf(de);
  expect(Object.keys(en).filter((phrase) => others(phrase) === phrase)).toEqual([]);
});

test("every phrase is one that the server still says", () => {
  const server = join(import.meta.dirname, "../../server/src");
  const sources = readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((name) =>
      /^(?:errors\.ts|(?:account|check|http|input|monitor|probe|site|status)\b.*\.ts)$/.test(name),
    )
    .map((name) => readFileSync(join(server, name), "utf8"))
    .join("\n");
  /** Whole, or put together from two texts of the code. */
  const isSaid = (piece: string) =>
    sources.includes(piece) ||
    Array.from(piece).some((_, at) => {
      const cut = at > 0 && /\W/.test(piece.slice(at - 1, at + 1));
      return cut && sources.includes(piece.slice(0, at).trim()) && sources.includes(piece.slice(at).trim());
    });
  const piecesOf = (phrase: string) =>
    phrase.split(/\{\{\w+\}\}/).map((piece) => piece.replace(/[.;:]?\s*$/, "").trim());
  expect(
    [...Object.keys(de), ...Object.keys(en)].filter((phrase) => !piecesOf(phrase).every(isSaid)),
  ).toEqual([]);
});
