import type { Language } from "../../texts/languages.ts";
import type { ComponentName } from "../public-page.ts";
import { policyOf, type Rendered } from "./document.ts";
import { html, type Markup } from "./html.ts";
import { styleOf } from "./style.ts";
import { componentChoice, languageChoice } from "./subscribe-form.ts";
import { faviconOf } from "./tone.ts";
import { wordsFor } from "./words.ts";

const NEUTRAL = { theme: "auto", accent: null, css: null } as const;

/** Whose subscription it is, and to what; the page's own look belongs to the page. */
export interface SubscriptionView {
  language: Language;
  address: string;
  page: string;
}

/** What a link's page asks before it acts, by one button. */
export const questionPage = (kind: "confirm" | "end", view: SubscriptionView): Rendered => {
  const { say } = wordsFor(view.language, "UTC");
  const { address, page } = view;
  const form = html`<form class="form" method="post"><button type="submit">${say(`${kind}.send`)}</button></form>`;
  const text = html`<p>${say(`${kind}.text`, { address, page })}</p>`;
  return plain(view.language, say(`${kind}.title`), html`${text}${form}`);
};

/** What has become of it. */
export function outcomePage(
  kind: "confirmed" | "again" | "expired" | "gone" | "ended",
  language: Language,
  params: { address?: string; page?: string } = {},
): Rendered {
  const { say } = wordsFor(language, "UTC");
  const text = html`<p role="status">${say(`${kind}.text`, { address: "", page: "", ...params })}</p>`;
  return plain(language, say(`${kind}.title`), text);
}

interface Managed extends SubscriptionView {
  components: readonly ComponentName[];
  chosen: readonly string[] | null;
  /** In which they are told. */
  told: Language;
  isSaved: boolean;
  /** Where they end it. */
  endUrl: string;
}

/** What a subscriber can change. */
export function managePage({ language, address, page, ...managed }: Managed): Rendered {
  const words = wordsFor(language, "UTC");
  const { say } = words;
  const saved = managed.isSaved && html`<p role="status">${say("manage.saved")}</p>`;
  const choices = html`${componentChoice(words, managed.components, managed.chosen)}${languageChoice(words, managed.told)}`;
  const form = html`<form class="form" method="post">${choices}<button type="submit">${say("manage.save")}</button></form>`;
  const end = html`<p class="months"><a href="${managed.endUrl}">${say("end.send")}</a></p>`;
  const text = html`<p>${say("manage.text", { address, page })}</p>`;
  return plain(language, say("manage.title"), html`${text}${saved}${form}${end}`);
}

function plain(language: Language, title: string, content: Markup): Rendered {
  const style = styleOf(NEUTRAL);
  const body = html`<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="${faviconOf("idle")}">${style.elements}</head>
<body><main class="plain"><h1>${title}</h1>${content}</main></body></html>
`;
  return { body: body.text, headers: { "content-security-policy": policyOf(style.sources) } };
}
