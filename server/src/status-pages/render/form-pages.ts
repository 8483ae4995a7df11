import { html, type Markup } from "../../platform/formats/html.ts";
import { LANGUAGES, type Language } from "../../platform/i18n/render.ts";
import type { StatusPageTexts } from "../../platform/i18n/status-pages/en.ts";
import type { ComponentGroup, ComponentName } from "../document/public-page.ts";
import type { SubscriberKind } from "../subscriber/kinds.ts";
import { documentOf, policyOf, type Rendered } from "./page-frame.ts";
import { faviconOf, styleOf, TONE_OF_OVERALL } from "./style.ts";
import { addressOf, type View, type Words, wordsFor } from "./view.ts";

export type Refusal = "wrong" | "many";

/**
 * Discloses nothing else of the page. `action`: where the form is sent; `wanted`: the requested address,
 * below the page's own.
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

/** For pages that are unavailable. */
const RETRY_SECONDS = 15;

/** `missing`: unknown or hidden; `away`: data unavailable; `many`: too many requests. */
export type MessageKind = "missing" | "away" | "many";

/** The same for all pages; `home` leads those who may see the page back to it. */
export function messagePage(kind: MessageKind, language: Language, home: string | null = null): Rendered {
  const { say } = wordsFor(language, "UTC");
  const content = html`<p>${say(`${kind}.text`)}</p>${wayTo(home, say("back"))}`;
  const { body, headers } = plainPage(language, say(`${kind}.title`), content);
  const again = { refresh: String(RETRY_SECONDS), "retry-after": String(RETRY_SECONDS) };
  return { body, headers: kind === "away" ? { ...headers, ...again } : headers };
}

const NEUTRAL = { theme: "auto", accent: null, css: null } as const;

/** Without a page's theme. */
function plainPage(language: Language, title: string, content: Markup): Rendered {
  const style = styleOf(NEUTRAL);
  const body = html`<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="${faviconOf("idle")}">${style.elements}</head>
<body><main class="plain"><h1>${title}</h1>${content}</main></body></html>
`;
  return { body: body.text, headers: { "content-security-policy": policyOf(style.sources) } };
}

/** Nothing without a public address. */
const wayTo = (address: string | null, text: string): Markup | false =>
  address !== null && html`<p class="months"><a href="${address}">${text}</a></p>`;

/** A rejected form, with the reason. */
interface Attempt {
  kind: SubscriberKind;
  address: string;
  /** Null: all. */
  components: readonly string[] | null;
  problem: string;
  at: "address" | "components";
}

/** Null: this page offers none. */
export function subscribeForm(view: View, attempt: Attempt | null = null): Rendered | null {
  const { words, offered = [] } = view;
  const [first] = offered;
  if (first === undefined) return null;
  const { say } = words;
  const chosen = attempt?.kind ?? first;
  const kinds = offered.map(
    (kind) =>
      html`<label class="choice"><input type="radio" name="kind" value="${kind}"${kind === chosen && html` checked`}> ${say(`subscribe.kind.${kind}`)}</label>`,
  );
  const [problem, noChoice] = ["address", "components"].map((at) =>
    attempt?.at === at ? attempt.problem : null,
  );
  const described = problem && html` aria-describedby="problem" aria-invalid="true"`;
  const address = html`<label for="address">${say("subscribe.address")}</label><input id="address" name="address" type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="2048" required value="${attempt?.address ?? ""}"${described}>`;
  const how =
    kinds.length > 1
      ? html`<fieldset><legend>${say("subscribe.kind")}</legend>${kinds}</fieldset>`
      : html`<input type="hidden" name="kind" value="${chosen}">`;
  const main = html`<h2>${say("subscribe.title")}</h2><p class="meta">${say("subscribe.text")}</p><form class="form" method="post" action="${addressOf(view, "/subscribe")}">${problem && problemText(problem)}${how}${address}${componentChoice(words, view.page.groups, attempt?.components ?? null, noChoice)}<input type="hidden" name="language" value="${words.language}"><button type="submit">${say("subscribe.send")}</button></form>`;
  return document(view, say("subscribe.title"), main);
}

const SENT_TEXTS = {
  email: "confirmation_sent.email",
  webhook: "confirmation_sent.other",
  slack: "confirmation_sent.other",
} as const satisfies Record<SubscriberKind, keyof StatusPageTexts>;

/** The same for every address. */
export function confirmationSentPage(view: View, kind: SubscriberKind): Rendered {
  const { say } = view.words;
  const text = say(SENT_TEXTS[kind]);
  const back = html`<p class="months"><a href="${addressOf(view)}">${say("back")}</a></p>`;
  const main = html`<h2>${say("confirmation_sent.title")}</h2><p role="status">${text}</p>${back}`;
  return document(view, say("confirmation_sent.title"), main);
}

const document = (view: View, title: string, main: Markup): Rendered =>
  documentOf(view, {
    ...{ path: "/subscribe", title: `${title} – ${view.page.name}`, main, isStill: true },
    tone: TONE_OF_OVERALL[view.page.overall],
  });

const problemText = (problem: string): Markup =>
  html`<p class="problem" id="problem" role="alert">${problem}</p>`;

/** Marks a form with a choice of components. */
const CHOICE_FIELD = "choice";

export const choseNothing = (sent: { field(name: string): string; chosen: readonly string[] }): boolean =>
  sent.field(CHOICE_FIELD) !== "" && sent.chosen.length === 0;

/** `chosen` null: all. With a single component there is no choice. */
function componentChoice(
  { say }: Words,
  groups: readonly ComponentGroup[],
  chosen: readonly string[] | null,
  problem: string | null = null,
): Markup | false {
  const boxes = groups.map(
    ({ name, components }) =>
      html`${name !== null && html`<p>${name}</p>`}${components.map((one) => choiceOf(one, chosen))}`,
  );
  return (
    groups.flatMap(({ components }) => components).length > 1 &&
    html`<fieldset${problem && html` aria-describedby="problem"`}><legend>${say("subscribe.components")}</legend>${problem && problemText(problem)}<input type="hidden" name="${CHOICE_FIELD}" value="1">${boxes}</fieldset>`
  );
}

const choiceOf = ({ uuid, name }: ComponentName, chosen: readonly string[] | null): Markup =>
  html`<label class="choice"><input type="checkbox" name="component[]" value="${uuid}"${(chosen === null || chosen.includes(uuid)) && html` checked`}> ${name}</label>`;

function languageChoice({ say }: Words, chosen: Language): Markup {
  const options = LANGUAGES.map(
    (language) =>
      html`<option value="${language}" lang="${language}"${language === chosen && html` selected`}>${wordsFor(language, "UTC").say("language.name")}</option>`,
  );
  return html`<label for="language">${say("subscribe.language")}</label><select id="language" name="language">${options}</select>`;
}

/** Without the page's theme. */
export interface SubscriptionView {
  language: Language;
  address: string;
  page: string;
  /** Null: not public. */
  pageUrl: string | null;
}

/** With one button. */
export const promptPage = (kind: "confirm" | "end", view: SubscriptionView): Rendered => {
  const { say } = wordsFor(view.language, "UTC");
  const { address, page, pageUrl } = view;
  const form = html`<form class="form" method="post"><button type="submit">${say(`${kind}.send`)}</button></form>`;
  const text = html`<p>${say(`${kind}.text`, { address, page })}</p>`;
  const way = wayTo(pageUrl, say("notification.open"));
  return plainPage(view.language, say(`${kind}.title`), html`${text}${form}${way}`);
};

export function outcomePage(
  kind: "confirmed" | "again" | "expired" | "ended",
  { language, address, page, pageUrl }: SubscriptionView,
): Rendered {
  const { say } = wordsFor(language, "UTC");
  const text = html`<p role="status">${say(`${kind}.text`, { address, page })}</p>`;
  return plainPage(language, say(`${kind}.title`), html`${text}${wayTo(pageUrl, say("notification.open"))}`);
}

export function gonePage(language: Language): Rendered {
  const { say } = wordsFor(language, "UTC");
  return plainPage(language, say("gone.title"), html`<p role="status">${say("gone.text")}</p>`);
}

interface Managed extends SubscriptionView {
  groups: readonly ComponentGroup[];
  chosen: readonly string[] | null;
  notifiedIn: Language;
  isSaved: boolean;
  /** No component was chosen, so nothing was changed. */
  isNothing?: boolean;
  endUrl: string;
}

export function managePage({ language, address, page, pageUrl, ...managed }: Managed): Rendered {
  const words = wordsFor(language, "UTC");
  const { say } = words;
  const saved = managed.isSaved && html`<p role="status">${say("manage.saved")}</p>`;
  const problem = managed.isNothing === true ? say("subscribe.none") : null;
  const choices = html`${componentChoice(words, managed.groups, managed.chosen, problem)}${languageChoice(words, managed.notifiedIn)}`;
  const form = html`<form class="form" method="post">${choices}<button type="submit">${say("manage.save")}</button></form>`;
  const end = html`<p class="months"><a href="${managed.endUrl}">${say("end.send")}</a></p>`;
  const text = html`<p>${say("manage.text", { address, page })}</p>`;
  const way = wayTo(pageUrl, say("notification.open"));
  return plainPage(language, say("manage.title"), html`${text}${saved}${form}${end}${way}`);
}
