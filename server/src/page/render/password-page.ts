import type { Language } from "../../texts/languages.ts";
import { policyOf, type Rendered } from "./document.ts";
import { html, type Markup } from "./html.ts";
import { faviconOf, styleOf } from "./style.ts";
import { wordsFor } from "./view.ts";

/** What was wrong with what a visitor gave. */
export type Refusal = "wrong" | "many";

/**
 * Asks a visitor for the password of a page, of which it tells nothing else. `action`: where it is sent; `wanted`: the address
 * of the page, below its own, that they asked for.
 */
export function passwordPage(
  language: Language,
  { action, wanted, refusal }: { action: string; wanted: string; refusal: Refusal | null },
): Rendered {
  const { say } = wordsFor(language, "UTC");
  const problem =
    refusal && html`<p class="problem" id="problem" role="alert">${say(`locked.${refusal}`)}</p>`;
  const described = refusal && html` aria-describedby="problem" aria-invalid="true"`;
  const content = html`<p>${say("locked.text")}</p><form class="form" method="post" action="${action}">${wanted !== "" && html`<input type="hidden" name="wanted" value="${wanted}">`}${problem}<label for="password">${say("locked.password")}</label><input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000" required autofocus${described}><button type="submit">${say("locked.enter")}</button></form>`;
  return plainPage(language, say("locked.title"), content);
}

/** A page that cannot be shown asks again by itself after so long. */
const RETRY_SECONDS = 15;

/**
 * What a visitor reads in the place of a page: `missing` of an address where nothing is, or nothing that they may know of, `away`
 * while its data cannot be had, and `many` who asks too often.
 */
export type MessageKind = "missing" | "away" | "many";

/** Says so. It says nothing about any page, and looks the same for all; `home` leads those who may see the page back to it. */
export function messagePage(kind: MessageKind, language: Language, home: string | null = null): Rendered {
  const { say } = wordsFor(language, "UTC");
  const content = html`<p>${say(`${kind}.text`)}</p>${wayTo(home, say("back"))}`;
  const { body, headers } = plainPage(language, say(`${kind}.title`), content);
  const again = { refresh: String(RETRY_SECONDS), "retry-after": String(RETRY_SECONDS) };
  return { body, headers: kind === "away" ? { ...headers, ...again } : headers };
}

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
