import type { Language } from "../../texts/languages.ts";
import { policyOf, type Rendered } from "./document.ts";
import { html } from "./html.ts";
import { styleOf } from "./style.ts";
import { faviconOf } from "./tone.ts";
import { wordsFor } from "./words.ts";

const NEUTRAL = { theme: "auto", accent: null, css: null } as const;

/** What was wrong with what a visitor gave. */
export type Refusal = "wrong" | "many";

/** Asks a visitor for the password of a page, of which it tells nothing else. `base`: what stands before its addresses. */
export function passwordPage(
  language: Language,
  { base, refusal }: { base: string; refusal: Refusal | null },
): Rendered {
  const { say } = wordsFor(language, "UTC");
  const style = styleOf(NEUTRAL);
  const title = say("locked.title");
  const problem =
    refusal && html`<p class="problem" id="problem" role="alert">${say(`locked.${refusal}`)}</p>`;
  const described = refusal && html` aria-describedby="problem" aria-invalid="true"`;
  const body = html`<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="${faviconOf("idle")}">${style.elements}</head>
<body><main class="plain"><h1>${title}</h1><p>${say("locked.text")}</p><form class="form" method="post" action="${base}/unlock?lang=${language}">${problem}<label for="password">${say("locked.password")}</label><input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000" required autofocus${described}><button type="submit">${say("locked.enter")}</button></form></main></body></html>
`;
  return { body: body.text, headers: { "content-security-policy": policyOf(style.sources) } };
}
