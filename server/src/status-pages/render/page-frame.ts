import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { html, type Markup, trusted } from "../../platform/formats/html.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import type { PublicPage } from "../document/public-page.ts";
import { faviconOf, styleOf, type Tone } from "./style.ts";
import { addressOf, type RenderOptions, type View, wordsFor } from "./view.ts";

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
