import type { Language } from "../../texts/languages.ts";
import type { Rendered } from "./document.ts";
import { html } from "./html.ts";
import { plainPage } from "./plain-page.ts";
import { wordsFor } from "./words.ts";

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
