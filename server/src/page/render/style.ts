import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGE_DAYS } from "../document/days.ts";
import type { Appearance } from "../document/public-page.ts";
import { BACKGROUNDS, readableAccent, type Shade } from "../look/contrast.ts";
import { type Markup, trusted } from "./html.ts";

/** The last of a page's days, of which each is wide enough on a phone to be hit. */
export const PHONE_DAYS = 30;

const LIGHT =
  `--page:${BACKGROUNDS.light.page};--surface:${BACKGROUNDS.light.surface};` +
  "--float:#fff;--line:#e4e6eb;--ink:#16171b;--muted:#555963;--focus:#3461e0;--line-ink:#4a6fe3;" +
  "--up:#1f9d6b;--up-ink:#0f7a50;--up-soft:#eef8f3;--up-edge:#bfe3d3;" +
  "--slow:#d07f07;--slow-ink:#8f5600;--slow-soft:#fdf4e3;--slow-edge:#f1d9ab;" +
  "--down:#dc3d45;--down-ink:#b9272f;--down-soft:#fdf0f0;--down-edge:#f3c6c8;" +
  "--care:#4a6fe3;--care-ink:#2f54c4;--care-soft:#eff3fe;--care-edge:#c8d5fa;--none:#8a8f9b;--empty:#dfe2e7";
const DARK =
  `--page:${BACKGROUNDS.dark.page};--surface:${BACKGROUNDS.dark.surface};` +
  "--float:#1f2126;--line:#292b31;--ink:#eceef1;--muted:#a0a5af;--focus:#8aabff;--line-ink:#7d9bff;" +
  "--up:#3dc98b;--up-ink:#58d39d;--up-soft:#10201a;--up-edge:#1f4635;" +
  "--slow:#f5b041;--slow-ink:#f5bd5c;--slow-soft:#2a2010;--slow-edge:#57431d;" +
  "--down:#f2555a;--down-ink:#ff8f92;--down-soft:#2a1517;--down-edge:#5c2a2d;" +
  "--care:#7d9bff;--care-ink:#a3b8ff;--care-soft:#141b30;--care-edge:#2c3b6b;--none:#7a7f8a;--empty:#2c2f36";

/** By the reader's choice or, where a page has one theme only, by that. */
const THEMES: Readonly<Record<Appearance["theme"], string>> = {
  auto: `:root{color-scheme:light dark;${LIGHT}}@media(prefers-color-scheme:dark){:root{${DARK}}}`,
  light: `:root{color-scheme:light;${LIGHT}}`,
  dark: `:root{color-scheme:dark;${DARK}}`,
};

/** Where each day of a strip stands: the policy allows no style of an element's own. */
const placesOf = (count: number): string =>
  Array.from({ length: count }, (_, place) => {
    const left = `${((100 * place) / count).toFixed(2)}%`;
    return `.d${PAGE_DAYS - count + place}{left:${left}}`;
  }).join("");
const PLACES = `${placesOf(PAGE_DAYS)}@media(max-width:600px){${placesOf(PHONE_DAYS)}}`;

const SHEET = condensed(readFileSync(join(import.meta.dirname, "page.css"), "utf8")) + PLACES;
const ACCENT = /^#[0-9a-f]{6}$/i;

/** Style sheets in the page itself, and what its policy says of them. */
export interface Style {
  elements: Markup;
  /** Sources of `style-src`. */
  sources: string[];
}

/** Everything that a page needs for its first paint. The owner's own rules stand in an element of their own, and last. */
export function styleOf({ theme, accent, css }: Pick<Appearance, "theme" | "accent" | "css">): Style {
  const own = accent !== null && ACCENT.test(accent) ? accentOf(theme, accent) : "";
  const sheets = [THEMES[theme] + SHEET + own, ...(css ? [inElement(css)] : [])];
  return {
    elements: trusted(sheets.map((sheet) => `<style>${sheet}</style>`).join("")),
    sources: sheets.map((sheet) => `'sha256-${createHash("sha256").update(sheet).digest("base64")}'`),
  };
}

/** The accent, and in each theme a shade of it that can be read. */
function accentOf(theme: Appearance["theme"], accent: string): string {
  const shade = (one: Shade) => `:root{--accent:${accent};--accent-ink:${readableAccent(accent, one)}}`;
  if (theme !== "auto") return shade(theme);
  return `${shade("light")}@media(prefers-color-scheme:dark){${shade("dark")}}`;
}

/** What would begin or end an element; a comparison such as `(400px<width<800px)` does not. */
const TAG = /<(?![\s\d.(+=-]|[a-z-]+\s*[)<=])/gi;

/** Nothing in a style sheet ends its element: within a string, where alone it can stand, `\3c ` is the same as `<`. */
const inElement = (css: string): string => css.toWellFormed().replace(TAG, "\\3c ").replaceAll("\0", "");

/** Without comments, and without the room between words that nobody needs. */
function condensed(css: string): string {
  return css
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replaceAll(";}", "}")
    .trim();
}
