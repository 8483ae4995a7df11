import type { Language } from "../../texts/languages.ts";
import type { PublicPage } from "../document/public-page.ts";
import type { SubscriberKind } from "../subscriber/kinds.ts";
import { html, type Markup } from "./html.ts";
import { type Words, wordsFor } from "./words.ts";

/** How a rendering is asked for. */
export interface RenderOptions {
  /** What stands before every address of the page: `/status/shop`, or nothing on a domain of its own. */
  base: string;
  language: Language;
  /** The language was chosen by the address, which the page's links then keep. */
  isChosen: boolean;
  /** Newer information could not be had. */
  isOld: boolean;
  /** It is looked at within the app before it is stored: it comes without headers, and never runs a script. */
  isDraft?: boolean;
  /** How visitors can have themselves told what it says; absent: in no way. */
  offered?: readonly SubscriberKind[];
}

/** A page as one of its renderings sees it. */
export interface View extends RenderOptions {
  page: PublicPage;
  words: Words;
}

export const viewOf = (page: PublicPage, options: RenderOptions): View => ({
  ...options,
  page,
  words: wordsFor(options.language, page.timeZone),
});

/** An address of the page: `path` below its own, in the language that was chosen. */
export function addressOf(
  { base, language, isChosen }: Pick<RenderOptions, "base" | "language" | "isChosen">,
  path = "",
): string {
  const address = base + path;
  return (address === "" ? "/" : address) + (isChosen ? `?lang=${language}` : "");
}

/** A time, for people and for machines. */
export const timeOf = (at: number, shown: string): Markup =>
  html`<time datetime="${new Date(at).toISOString()}">${shown}</time>`;
