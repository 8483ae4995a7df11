import type { OpenDelivery } from "../../alerts/outbox.ts";
import { html, type Markup, paragraphs } from "../../platform/formats/html.ts";
import { markdown, plainText } from "../../platform/formats/markdown.ts";
import { excerpt } from "../../platform/i18n/message.ts";
import type { Language } from "../../platform/i18n/render.ts";
import type { PublicIncident, PublicMaintenance } from "../document/public-page.ts";
import type { Subscriber } from "../queries/subscribers.ts";
import { stageOf } from "../render/incidents.ts";
import { type Words, wordsFor } from "../render/view.ts";
import { isWithdrawal, type PageNotification } from "./page-notification.ts";

export interface Sending {
  subscriber: Subscriber;
  delivery: Pick<OpenDelivery, "uuid" | "createdAt">;
  page: NotificationPage;
  /** Null: the confirmation request. */
  notification: PageNotification | null;
  /** Null: nothing to confirm. */
  confirmUrl: string | null;
  manageUrl: string;
  endUrl: string;
}

interface SaidWords extends Omit<NotificationWords, "parts"> {
  /** Plain text, one paragraph each. */
  texts: string[];
  /** Null: plain lines only. */
  html: string | null;
  ending: string | null;
}

/** `nameAs`: how a confirmation request writes the page's name, which its readers may not know. */
export function wordsOf(
  { subscriber, page, notification, confirmUrl, manageUrl }: Sending,
  nameAs: (name: string) => string = (name) => name,
): SaidWords {
  const { language } = subscriber;
  if (notification) {
    const { parts, ...words } = notificationWords(page, notification, language);
    const html = parts.map((part) => part.html.text).join("");
    return { ...words, texts: parts.map(({ text }) => text), html, ending: null };
  }
  const { say } = wordsFor(language, page.timeZone);
  const name = excerpt(page.name);
  const named = { page: nameAs(name) };
  const kind = confirmUrl === null ? "known" : "confirmation";
  return {
    title: say(`${kind}.subject`, { page: name }),
    texts: [say(`${kind}.text`, named)],
    html: null,
    label: say(`${kind}.action`),
    url: confirmUrl ?? manageUrl,
    ending: kind === "confirmation" ? say("confirmation.ending") : null,
  };
}

interface NotificationPage {
  uuid: string;
  name: string;
  timeZone: string;
  /** Null: unknown. */
  url: string | null;
}

interface Part {
  text: string;
  html: Markup;
}

interface NotificationWords {
  title: string;
  /** Plain text and safe HTML of the same content. */
  parts: Part[];
  /** The link's text and address; null: none. */
  label: string;
  url: string | null;
}

/** Times are in the page's zone. */
function notificationWords(
  page: NotificationPage,
  notification: PageNotification,
  language: Language,
): NotificationWords {
  const words = wordsFor(language, page.timeZone);
  const { incident, maintenance, event } = notification;
  const own = words.sentence(incident?.title ?? maintenance?.title ?? "");
  const isGone = isWithdrawal(notification);
  const parts = incident
    ? ofIncident(incident, notification, words)
    : maintenance
      ? ofMaintenance(maintenance, isGone, words)
      : [];
  return {
    title: words.say(`notification.${event}`, { page: excerpt(page.name), title: excerpt(own) }),
    parts: parts.filter(({ text }) => text !== ""),
    label: words.say("notification.open"),
    url: page.url === null ? null : page.url + (incident && !isGone ? `/incidents/${incident.uuid}` : ""),
  };
}

/** Newest first: unsent updates, or else the last one. */
function ofIncident(incident: PublicIncident, notification: PageNotification, words: Words): Part[] {
  const title = written(words.sentence(incident.title));
  if (isWithdrawal(notification)) return [title, written(words.say("notification.incident.gone"))];
  const unknown = new Set(notification.fresh);
  const newUpdates = incident.updates.filter(({ uuid }) => unknown.has(uuid));
  const shown = newUpdates.length > 0 ? newUpdates : incident.updates.slice(0, 1);
  return [
    title,
    ...shown.map((update) => ofUpdate(update, words)),
    written([whenOf(incident, words), affects(incident, words)].filter((part) => part !== "").join("\n")),
  ];
}

/** Since when; for a resolved one from, to and duration. */
function whenOf({ startedAt, resolvedAt }: PublicIncident, words: Words): string {
  const from = words.time(startedAt);
  if (resolvedAt === null) return words.say("notification.since", { since: from });
  const lasted = words.duration(resolvedAt - startedAt);
  return words.say("notification.lasted", { from, until: words.time(resolvedAt), lasted });
}

function ofUpdate({ at, status, text }: PublicIncident["updates"][number], words: Words): Part {
  const stage = stageOf(words, status);
  const time = words.time(at);
  const said = typeof text === "string" ? ofMarkdown(text) : written(words.sentence(text));
  return {
    text: `${stage} · ${time}\n${said.text}`.trim(),
    html: html`<p><strong>${stage}</strong> · ${time}</p>${said.html}`,
  };
}

function ofMaintenance(maintenance: PublicMaintenance, isGone: boolean, words: Words): Part[] {
  const { description, startsAt, endsAt } = maintenance;
  const title = words.sentence(maintenance.title);
  const when = { from: words.time(startsAt), until: words.time(endsAt) };
  if (isGone) return [title, words.say("notification.maintenance.gone", when)].map(written);
  return [title, words.say("maintenance.ahead", when), description, affects(maintenance, words)].map(written);
}

const ofMarkdown = (text: string): Part => ({ text: plainText(text), html: html`${markdown(text)}` });

/** Not Markdown. */
const written = (text: string): Part => ({ text, html: html`${paragraphs(text)}` });

function affects({ components }: Pick<PublicIncident, "components">, words: Words): string {
  const names = words.list(components.map(({ name }) => name));
  return names && words.say("incident.affects", { names });
}
