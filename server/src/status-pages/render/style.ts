import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BACKGROUNDS, readableAccent, type Shade } from "../../platform/formats/contrast.ts";
import { html, type Markup, trusted } from "../../platform/formats/html.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import type {
  Appearance,
  Overall,
  PublicIncident,
  PublicPage,
  ShownStatus,
} from "../document/public-page.ts";
import { PAGE_DAYS } from "../document/rules.ts";
import { addressOf, type RenderOptions, type View, wordsFor } from "./view.ts";

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

export interface Rendered {
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** Its address contains a hash, so it may be cached forever. */
export const LIVE_SCRIPT = readFileSync(join(import.meta.dirname, "live-refresh.js"), "utf8");
const LIVE_SCRIPT_VERSION = createHash("sha256").update(LIVE_SCRIPT).digest("base64url").slice(0, 10);
export const LIVE_SCRIPT_PATH = "/live.js";

/** Only its own pictures and script; nothing external or inline. */
export const policyOf = (styleSources: readonly string[]): string =>
  `${policyWithin(styleSources)}; frame-ancestors 'none'`;

/** The part that is valid in a meta element. */
const policyWithin = (styleSources: readonly string[]): string =>
  `default-src 'none'; style-src ${styleSources.join(" ")}; img-src 'self' data:; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'`;

interface DocumentParts {
  path: string;
  title: string;
  tone: Tone;
  main: Markup;
  /** A form or its result: not refreshed. */
  isStill?: boolean;
}

/** `path`: below the page's address. */
export function documentOf(
  view: View,
  { path, title, tone, main, isStill = false }: DocumentParts,
): Rendered {
  const { page, base, language, words, isOld, isDraft = false } = view;
  const isLive = !isDraft && !isStill;
  const at = isLive && !isOld && words.time(page.updatedAt);
  const style = styleOf(page.appearance);
  const canonical = page.url === null ? null : page.url + path;
  const body = html`<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8">${isDraft && html`<meta http-equiv="content-security-policy" content="${policyWithin(style.sources)}">`}<title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="${page.description || title}">${canonical && html`<link rel="canonical" href="${canonical}">`}<link rel="icon" href="${faviconOf(tone)}">${feedLinks(view)}${style.elements}${isLive && liveScript(base)}</head>
<body><header><div class="in"><h1><a href="${addressOf(view)}">${nameOrLogo(view)}</a></h1>${subscribeLink(view)}${languageSwitch(view, path)}</div></header>
<main${at && html` data-old="${words.say("overall.old", { at })}"`}>${main}</main>
${footer(view)}</body></html>
`;
  return { body: body.text, headers: { "content-security-policy": policyOf(style.sources) } };
}

const subscribeLink = (view: View): Markup | false =>
  (view.offered ?? []).length > 0 &&
  html`<a class="subscribe" href="${addressOf(view, "/subscribe")}">${view.words.say("subscribe.link")}</a>`;

const liveScript = (base: string): Markup =>
  html`<script src="${base}${LIVE_SCRIPT_PATH}?v=${LIVE_SCRIPT_VERSION}" defer></script>`;

const FEEDS = [
  ["application/atom+xml", "/feed.atom"],
  ["application/rss+xml", "/feed.rss"],
  ["application/feed+json", "/feed.json"],
] as const;

/** Programs discover the page's feeds by these. */
const feedLinks = (view: View): Markup => {
  const title = view.words.say("feed.title", { name: view.page.name });
  return html`${FEEDS.map(([type, path]) => html`<link rel="alternate" type="${type}" title="${title}" href="${addressOf(view, path)}">`)}`;
};

const nameOrLogo = ({ page: { name, appearance }, base }: View) =>
  appearance.logo === null ? name : html`<img src="${base}/logo?v=${appearance.logo}" alt="${name}">`;

/** Links work without script and are remembered by the address. */
function languageSwitch(view: View, path: string): Markup | false {
  const offered = view.page.appearance.languages;
  const languages = offered.length === 0 ? LANGUAGES : offered;
  if (languages.length < 2) return false;
  const links = languages.map((language) => {
    const name = wordsFor(language, view.page.timeZone).say("language.name");
    const address = addressOf({ ...view, language, isChosen: true }, path);
    const current = language === view.language && html` aria-current="true"`;
    return html`<a href="${address}" lang="${language}" hreflang="${language}"${current}>${name}</a>`;
  });
  return html`<nav class="langs" aria-label="${view.words.say("language.choose")}">${links}</nav>`;
}

function footer(view: View): Markup {
  const { page, words } = view;
  const own = page.appearance.footer;
  const links = [
    ["/history", words.say("part.history")],
    ["/feed.atom", "Atom"],
    ["/feed.rss", "RSS"],
    ["/maintenance.ics", words.say("foot.calendar")],
  ].map(([path, text]) => html`<li><a href="${addressOf(view, path)}">${text}</a></li>`);
  return html`<footer><div class="in">${own && html`<div class="own said">${trusted(own)}</div>`}<ul>${links}</ul><p>${words.say("foot.zone", { zone: page.timeZone })}</p><p>${words.say("foot.made", { maker: "Vedette" })}</p></div></footer>`;
}

/** Unregisters the app's worker where a host has become a page's own. */
export const FAREWELL_WORKER = readFileSync(join(import.meta.dirname, "farewell-worker.js"), "utf8");

/** Besides the language: from the path, and the query parameters that the rendering reads. */
export type QueryParameters = Readonly<Record<string, string>>;

export interface Rendering {
  /** Below the page's address, in the router's notation: `/incidents/:uuid`. */
  path: string;
  /** Content type. */
  type: string;
  /** For people: in their language, and with a page for errors. */
  isDocument: boolean;
  /** Query parameters that it reads. */
  query?: readonly string[];
  /** Depends on nothing but the page; null: nothing at this address. */
  render(page: PublicPage, options: RenderOptions, parameters: QueryParameters): Rendered | null;
}
