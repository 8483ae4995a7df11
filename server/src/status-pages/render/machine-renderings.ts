import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { html, trusted } from "../../platform/formats/html.ts";
import type { PublicMaintenance } from "../document/public-page.ts";
import { atlassianFiles } from "./atlassian.ts";
import { badges } from "./badges.ts";
import { renderAtom, renderJsonFeed, renderRss } from "./feeds.ts";
import { type QueryParameters, type Rendering } from "./page-frame.ts";
import { iconOf, TONE_OF_OVERALL } from "./style.ts";
import { pageAddress, type View, viewOf } from "./view.ts";

/** Without the line break (RFC 5545, 3.1). */
const MAX_LINE_OCTETS = 75;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f]/g;

/** RFC 5545; each occurrence of a recurring window is an event. */
function renderCalendar(view: View): string {
  const { page, words, language } = view;
  const name = textOf(words.say("calendar.title", { name: page.name }));
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//Vedette//Status page//${language.toUpperCase()}`,
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...page.maintenance.flatMap((one) => eventLines(view, one)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventLines(view: View, one: PublicMaintenance): string[] {
  const { words } = view;
  const names = words.list(one.components.map(({ name }) => name));
  const affects = names && words.say("incident.affects", { names });
  const description = [one.description, affects].filter((part) => part !== "").join("\n\n");
  return [
    "BEGIN:VEVENT",
    `UID:${one.uuid}`,
    `DTSTAMP:${timeOf(one.updatedAt)}`,
    `LAST-MODIFIED:${timeOf(one.updatedAt)}`,
    `DTSTART:${timeOf(one.startsAt)}`,
    `DTEND:${timeOf(one.endsAt)}`,
    `SUMMARY:${textOf(words.say("feed.maintenance", { title: words.sentence(one.title) }))}`,
    ...(description ? [`DESCRIPTION:${textOf(description)}`] : []),
    `URL:${pageAddress(view)}`,
    // Does not mark calendar subscribers as busy.
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** `20261123T070000Z`. */
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** A TEXT (3.3.11). */
const textOf = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(CONTROLS, " ")
    .replaceAll(/[\\;,]/g, (one) => `\\${one}`)
    .replaceAll("\n", "\\n");

/** A long line goes on after a line break and a space, between characters (3.1). */
function folded(line: string): string {
  let text = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_LINE_OCTETS) {
      text += "\r\n ";
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}

const THEMES = ["auto", "light", "dark"] as const;

const LIGHT =
  "color-scheme:light;--page:#fff;--line:#d9dce1;--ink:#16171b;--muted:#555963;--focus:#3461e0;" +
  "--ok:#1f9d6b;--warn:#d07f07;--bad:#dc3d45;--work:#4a6fe3;--idle:#8a8f9b";
const DARK =
  "color-scheme:dark;--page:#141518;--line:#292b31;--ink:#eceef1;--muted:#a0a5af;--focus:#8aabff;" +
  "--ok:#3dc98b;--warn:#f5b041;--bad:#f2555a;--work:#7d9bff;--idle:#7a7f8a";

const STYLE = `
:root{${LIGHT};font:14px/1.4 system-ui,sans-serif}
:root[data-theme=dark]{${DARK}}
@media(prefers-color-scheme:dark){:root[data-theme=auto]{${DARK}}}
body{margin:0;background:var(--page)}
a{display:grid;grid-template-columns:24px minmax(0,1fr);column-gap:10px;align-content:center;box-sizing:border-box;height:64px;
padding:0 14px;border:1px solid var(--line);border-radius:8px;color:var(--ink);text-decoration:none}
a:hover strong{text-decoration:underline}
a:focus-visible{outline:2px solid var(--focus);outline-offset:-3px}
svg{grid-row:span 2;align-self:center;width:24px;height:24px}
${["ok", "warn", "bad", "work", "idle"].map((tone) => `.${tone} svg{fill:var(--${tone})}`).join("")}
strong,span{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
strong{font-weight:600}
span{font-size:12px;color:var(--muted)}
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** It may use its style, and be framed by any page. */
const WIDGET_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors *`;

const WIDGET_LOADER = readFileSync(join(import.meta.dirname, "widget-loader.js"), "utf8");

/** Two lines that link to the page, for a frame on other sites. */
function renderWidget(view: View, parameters: QueryParameters): string {
  const { page, words, language } = view;
  const theme = THEMES.find((one) => one === parameters.theme) ?? page.appearance.theme;
  const running = page.maintenance.find(({ isRunning }) => isRunning);
  const event = page.incidents[0]?.title ?? running?.title ?? page.name;
  const tone = TONE_OF_OVERALL[page.overall];
  const address = pageAddress(view) + (view.isChosen ? `?lang=${language}` : "");
  return html`<!DOCTYPE html>
<html lang="${language}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<title>${words.say("widget.title", { name: page.name })}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="${tone}" href="${address}" target="_blank" rel="noopener">${iconOf(tone)}
<strong>${words.say(`overall.${page.overall}`)}</strong>
<span>${words.sentence(event)}</span></a>
</body>
</html>
`.text;
}

/** Other sites may embed public pages' widgets and read them by script. */
const FOR_ALL = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

type Render = (view: View, parameters: QueryParameters) => string | null;

function machine(
  path: string,
  type: string,
  render: Render,
  {
    query = [],
    headers = {},
  }: { query?: readonly string[]; headers?: Readonly<Record<string, string>> } = {},
): Rendering {
  return {
    path,
    type,
    isDocument: false,
    query,
    render(page, options, parameters) {
      const body = render(viewOf(page, options), parameters);
      return body === null ? null : { body, headers: { ...FOR_ALL, ...headers } };
    },
  };
}

const HTML_TYPE = "text/html; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

export const MACHINE_RENDERINGS: readonly Rendering[] = [
  machine("/feed.atom", "application/atom+xml; charset=utf-8", renderAtom),
  machine("/feed.rss", "application/rss+xml; charset=utf-8", renderRss),
  machine("/feed.json", "application/feed+json; charset=utf-8", renderJsonFeed),
  machine("/maintenance.ics", "text/calendar; charset=utf-8", renderCalendar),
  ...atlassianFiles.map(({ name, render }) => machine(`/api/v2/${name}.json`, JSON_TYPE, render)),
  ...badges.map(({ name, render }) =>
    machine(`/badge/${name}.svg`, "image/svg+xml", render, { query: ["component", "label", "style"] }),
  ),
  machine("/widget", HTML_TYPE, renderWidget, {
    query: ["theme"],
    headers: { "content-security-policy": WIDGET_POLICY },
  }),
  machine("/widget.js", "text/javascript; charset=utf-8", () => WIDGET_LOADER, {
    headers: { "cache-control": "public, max-age=3600" },
  }),
];
