import type { Language } from "../../texts/languages.ts";
import type { ComponentGroup } from "../document/public-page.ts";
import type { Rendered } from "./document.ts";
import { html } from "./html.ts";
import { plainPage, wayTo } from "./plain-page.ts";
import { componentChoice, languageChoice } from "./subscribe-form.ts";
import { wordsFor } from "./words.ts";

/** Whose subscription it is, and to what; the page's own look belongs to the page. */
export interface SubscriptionView {
  language: Language;
  address: string;
  page: string;
  /** Where the page is; null: that is not for everybody to know. */
  pageUrl: string | null;
}

/** What a link's page asks before it acts, by one button. */
export const questionPage = (kind: "confirm" | "end", view: SubscriptionView): Rendered => {
  const { say } = wordsFor(view.language, "UTC");
  const { address, page, pageUrl } = view;
  const form = html`<form class="form" method="post"><button type="submit">${say(`${kind}.send`)}</button></form>`;
  const text = html`<p>${say(`${kind}.text`, { address, page })}</p>`;
  const way = wayTo(pageUrl, say("told.open"));
  return plainPage(view.language, say(`${kind}.title`), html`${text}${form}${way}`);
};

/** What has become of it. */
export function outcomePage(
  kind: "confirmed" | "again" | "expired" | "ended",
  { language, address, page, pageUrl }: SubscriptionView,
): Rendered {
  const { say } = wordsFor(language, "UTC");
  const text = html`<p role="status">${say(`${kind}.text`, { address, page })}</p>`;
  return plainPage(language, say(`${kind}.title`), html`${text}${wayTo(pageUrl, say("told.open"))}`);
}

/** That nobody has the subscription that a link is about: nothing is known of it any more. */
export function gonePage(language: Language): Rendered {
  const { say } = wordsFor(language, "UTC");
  return plainPage(language, say("gone.title"), html`<p role="status">${say("gone.text")}</p>`);
}

interface Managed extends SubscriptionView {
  groups: readonly ComponentGroup[];
  chosen: readonly string[] | null;
  /** In which they are told. */
  told: Language;
  isSaved: boolean;
  /** Nothing was ticked, so that nothing was changed. */
  isNothing?: boolean;
  /** Where they end it. */
  endUrl: string;
}

/** What a subscriber can change. */
export function managePage({ language, address, page, pageUrl, ...managed }: Managed): Rendered {
  const words = wordsFor(language, "UTC");
  const { say } = words;
  const saved = managed.isSaved && html`<p role="status">${say("manage.saved")}</p>`;
  const problem = managed.isNothing === true ? say("subscribe.none") : null;
  const choices = html`${componentChoice(words, managed.groups, managed.chosen, problem)}${languageChoice(words, managed.told)}`;
  const form = html`<form class="form" method="post">${choices}<button type="submit">${say("manage.save")}</button></form>`;
  const end = html`<p class="months"><a href="${managed.endUrl}">${say("end.send")}</a></p>`;
  const text = html`<p>${say("manage.text", { address, page })}</p>`;
  const way = wayTo(pageUrl, say("told.open"));
  return plainPage(language, say("manage.title"), html`${text}${saved}${form}${end}${way}`);
}
