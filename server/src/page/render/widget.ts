import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { html, trusted } from "./html.ts";
import { pageAddress } from "./page-address.ts";
import type { Asked } from "./rendering.ts";
import { iconOf, TONE_OF_OVERALL } from "./tone.ts";
import type { View } from "./view.ts";

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

/** What the widget may do: have its style, and stand on anybody's page. */
export const WIDGET_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors *`;

/** The script that puts the widget on a page. */
export const WIDGET_LOADER = readFileSync(join(import.meta.dirname, "widget-loader.js"), "utf8");

/** How the page stands, in two lines that lead to it, for a frame on other people's pages. */
export function renderWidget(view: View, asked: Asked): string {
  const { page, words, language } = view;
  const theme = THEMES.find((one) => one === asked.theme) ?? page.appearance.theme;
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
