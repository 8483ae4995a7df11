import type { Language } from "../../texts/languages.ts";
import { policyOf, type Rendered } from "./document.ts";
import { html } from "./html.ts";
import { styleOf } from "./style.ts";
import { faviconOf } from "./tone.ts";
import { wordsFor } from "./words.ts";

const NEUTRAL = { theme: "auto", accent: null, css: null } as const;
/** A page that cannot be shown asks again by itself after so long. */
const RETRY_SECONDS = 15;

/**
 * What a visitor reads in the place of a page: `missing` of an address where nothing is, or nothing that they may know of, and
 * `away` while its data cannot be had. It says nothing about any page, and looks the same for all.
 */
export function messagePage(kind: "missing" | "away", language: Language): Rendered {
  const { say } = wordsFor(language, "UTC");
  const style = styleOf(NEUTRAL);
  const title = say(`${kind}.title`);
  const body = html`<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="${faviconOf("idle")}">${style.elements}</head>
<body><main class="plain"><h1>${title}</h1><p>${say(`${kind}.text`)}</p></main></body></html>
`;
  const policy = { "content-security-policy": policyOf(style.sources) };
  const again = { refresh: String(RETRY_SECONDS), "retry-after": String(RETRY_SECONDS) };
  return { body: body.text, headers: kind === "away" ? { ...policy, ...again } : policy };
}
