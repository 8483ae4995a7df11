import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BACKGROUNDS, readableAccent, type Shade } from "../../platform/formats/contrast.ts";
import { html, type Markup, trusted } from "../../platform/formats/html.ts";
import type { Appearance, Overall, PublicIncident, ShownStatus } from "../document/public-page.ts";
import { PAGE_DAYS } from "../document/rules.ts";

/** Wide enough to be tapped. */
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

/** By the reader's choice, unless a page has a single theme. */
const THEMES: Readonly<Record<Appearance["theme"], string>> = {
  auto: `:root{color-scheme:light dark;${LIGHT}}@media(prefers-color-scheme:dark){:root{${DARK}}}`,
  light: `:root{color-scheme:light;${LIGHT}}`,
  dark: `:root{color-scheme:dark;${DARK}}`,
};

/** The position of each day of a strip: the policy allows no inline styles. */
const placesOf = (count: number): string =>
  Array.from({ length: count }, (_, place) => {
    const left = `${((100 * place) / count).toFixed(2)}%`;
    return `.d${PAGE_DAYS - count + place}{left:${left}}`;
  }).join("");
const PLACES = `${placesOf(PAGE_DAYS)}@media(max-width:600px){${placesOf(PHONE_DAYS)}}`;

const SHEET = condensed(readFileSync(join(import.meta.dirname, "page.css"), "utf8")) + PLACES;
const ACCENT = /^#[0-9a-f]{6}$/i;

interface Style {
  elements: Markup;
  /** Sources of `style-src`. */
  sources: string[];
}

/** For the first paint. The owner's rules have an element of their own, and come last. */
export function styleOf({ theme, accent, css }: Pick<Appearance, "theme" | "accent" | "css">): Style {
  const own = accent !== null && ACCENT.test(accent) ? accentOf(theme, accent) : "";
  const sheets = [THEMES[theme] + SHEET + own, ...(css ? [inElement(css)] : [])];
  return {
    elements: trusted(sheets.map((sheet) => `<style>${sheet}</style>`).join("")),
    sources: sheets.map((sheet) => `'sha256-${createHash("sha256").update(sheet).digest("base64")}'`),
  };
}

/** With a readable shade for each theme. */
function accentOf(theme: Appearance["theme"], accent: string): string {
  const shade = (one: Shade) => `:root{--accent:${accent};--accent-ink:${readableAccent(accent, one)}}`;
  if (theme !== "auto") return shade(theme);
  return `${shade("light")}@media(prefers-color-scheme:dark){${shade("dark")}}`;
}

/** What would begin or end an element; a comparison such as `(400px<width<800px)` does not. */
const TAG = /<(?![\s\d.(+=-]|[a-z-]+\s*[)<=])/gi;

/** `\3c ` is `<` within a string, the only place where that is valid. */
const inElement = (css: string): string => css.toWellFormed().replace(TAG, "\\3c ").replaceAll("\0", "");

function condensed(css: string): string {
  return css
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replaceAll(";}", "}")
    .trim();
}

/** A class of page.css. */
export type Tone = "ok" | "warn" | "bad" | "work" | "idle";

export const TONE_OF_STATUS: Readonly<Record<ShownStatus, Tone>> = {
  operational: "ok",
  degraded: "warn",
  outage: "bad",
  partial_outage: "warn",
  maintenance: "work",
  unknown: "idle",
  paused: "idle",
};

export const TONE_OF_OVERALL: Readonly<Record<Overall, Tone>> = {
  operational: "ok",
  degraded: "warn",
  partial_outage: "warn",
  major_outage: "bad",
  maintenance: "work",
  unknown: "idle",
};

const TONE_OF_IMPACT: Readonly<Record<PublicIncident["impact"], Tone>> = {
  none: "idle",
  minor: "warn",
  major: "bad",
  critical: "bad",
};

export const toneOfIncident = ({ impact, resolvedAt }: PublicIncident): Tone =>
  resolvedAt === null ? TONE_OF_IMPACT[impact] : "ok";

const DISC = "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z";
/** 24 by 24: tick, warning sign, cross, clock and dash. */
const SHAPES: Readonly<Record<Tone, string>> = {
  ok: `${DISC}m-1.3 14.6-4.4-4.4 1.6-1.6 2.8 2.8 5.4-5.6 1.6 1.6Z`,
  warn: "M12 2.5 1.2 21h21.6ZM11 9.5h2v6h-2Zm0 7.5h2v2h-2Z",
  bad: `${DISC}m4.4 12.8-1.6 1.6L12 13.6l-2.8 2.8-1.6-1.6 2.8-2.8-2.8-2.8 1.6-1.6 2.8 2.8 2.8-2.8 1.6 1.6-2.8 2.8Z`,
  work: `${DISC}m1.1 4.5h-2.2v6.2l4.5 2.7 1.1-1.8-3.4-2Z`,
  idle: `${DISC}m-5 8.9h10v2.2h-10Z`,
};

/** Decorative: the words beside it say the same. */
export const iconOf = (tone: Tone): Markup =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d="${SHAPES[tone]}"/></svg>`;

const FAVICON_COLOURS: Readonly<Record<Tone, string>> = {
  ok: "1f9d6b",
  warn: "d07f07",
  bad: "dc3d45",
  work: "4a6fe3",
  idle: "8a8f9b",
};

/** A data URL: costs no request. */
export function faviconOf(tone: Tone): string {
  const path = `<path fill='#${FAVICON_COLOURS[tone]}' fill-rule='evenodd' d='${SHAPES[tone]}'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>${path}</svg>`;
  return `data:image/svg+xml,${svg.replaceAll("%", "%25").replaceAll("#", "%23")}`;
}
