import type { Language } from "../../texts/languages.ts";
import { policyOf, type Rendered } from "./document.ts";
import { html, type Markup } from "./html.ts";
import { styleOf } from "./style.ts";
import { faviconOf } from "./tone.ts";

const NEUTRAL = { theme: "auto", accent: null, css: null } as const;

/** A page beside those of a status page: what is asked or told there is for one visitor, and has no page's own look. */
export function plainPage(language: Language, title: string, content: Markup): Rendered {
  const style = styleOf(NEUTRAL);
  const body = html`<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="${faviconOf("idle")}">${style.elements}</head>
<body><main class="plain"><h1>${title}</h1>${content}</main></body></html>
`;
  return { body: body.text, headers: { "content-security-policy": policyOf(style.sources) } };
}

/** The way from there to the status page; nothing where it has no address that may be told. */
export const wayTo = (address: string | null, text: string): Markup | false =>
  address !== null && html`<p class="months"><a href="${address}">${text}</a></p>`;
