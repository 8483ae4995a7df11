import { takeTurns } from "../../turns.ts";
import type { PublicPage, Said } from "../document/public-page.ts";
import type { Markup } from "./html.ts";
import { markdown } from "./markdown.ts";
import { paragraphs } from "./text.ts";
import type { View } from "./view.ts";

type Texts = ReadonlyMap<string, readonly Markup[]>;

const texts = new WeakMap<PublicPage, Texts>();

/** Reads the Markdown of everything that a page tells, giving way in between: its renderings, made at once, have it then. */
export async function readTexts(page: PublicPage): Promise<void> {
  const read = new Map<string, readonly Markup[]>();
  const giveWay = takeTurns();
  for (const { updates } of [...page.incidents, ...page.history]) {
    for (const { text } of updates) {
      if (typeof text === "string" && !read.has(text)) read.set(text, markdown(text));
      await giveWay();
    }
  }
  texts.set(page, read);
}

/** What an update says, as blocks: Markdown of a person, or a sentence of ours, in which names are no Markdown. */
export const saidIn = ({ page, words }: View, text: Said): readonly Markup[] =>
  typeof text === "string"
    ? (texts.get(page)?.get(text) ?? markdown(text))
    : paragraphs(words.sentence(text));
