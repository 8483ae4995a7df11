import type { Language } from "../../texts/languages.ts";
import type { Rendered } from "./document.ts";
import { html } from "./html.ts";
import { plainPage, wayTo } from "./plain-page.ts";
import { wordsFor } from "./words.ts";

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
