import type { Context } from "../../context.ts";
import { judged } from "../../notification/channel/judge.ts";
import type { ChannelRequest } from "../../notification/channel/kind.ts";
import { composed, post } from "../../notification/channel/post.ts";
import { plainSlackMessage } from "../../notification/channel/slack.ts";
import { signature } from "../../notification/channel/webhook.ts";
import { bodiesOf } from "../../notification/mail/compose.ts";
import { handOver } from "../../notification/mail/hand-over.ts";
import { senderOf } from "../../notification/mail/mail-transport.ts";
import { composeMessage } from "../../notification/mail/message.ts";
import type { OpenDelivery, Outcome } from "../../notification/transport.ts";
import type { Subscriber } from "../../store/queries/subscribers.ts";
import { excerpt, fact } from "../../texts/fact.ts";
import { projectPageEvent } from "../../wire/page-event.ts";
import { wordsFor } from "../render/words.ts";
import { openDestination } from "./address.ts";
import type { PageNews } from "./news.ts";
import { type NewsPage, type NewsWords, newsWords } from "./news-words.ts";

/** Something to send to a subscriber. */
export interface Sending {
  subscriber: Subscriber;
  delivery: Pick<OpenDelivery, "uuid" | "createdAt">;
  page: NewsPage;
  /** Null: the question whether they want any. */
  news: PageNews | null;
  /** Null: there is nothing to confirm. */
  confirmUrl: string | null;
  manageUrl: string;
  endUrl: string;
}

interface SaidWords extends Omit<NewsWords, "parts"> {
  /** In plain text, one below the other. */
  texts: string[];
  /** The same as HTML; null: there are no more than lines. */
  html: string | null;
  ending: string | null;
}

/** What is sent, in its reader's words. */
function wordsOf({ subscriber, page, news, confirmUrl, manageUrl }: Sending): SaidWords {
  const { language } = subscriber;
  if (news) {
    const { parts, ...words } = newsWords(page, news, language);
    const html = parts.map((part) => part.html.text).join("");
    return { ...words, texts: parts.map(({ text }) => text), html, ending: null };
  }
  const { say } = wordsFor(language, page.timeZone);
  const named = { page: excerpt(page.name) };
  const kind = confirmUrl === null ? "known" : "question";
  return {
    title: say(`${kind}.subject`, named),
    texts: [say(`${kind}.text`, named)],
    html: null,
    label: say(`${kind}.action`),
    url: confirmUrl ?? manageUrl,
    ending: kind === "question" ? say("question.ending") : null,
  };
}

/** Sends a mail that its reader's program can end the subscription by (RFC 8058). */
export async function sendSubscriberMail(
  { config }: Context,
  sending: Sending,
  signal: AbortSignal,
): Promise<Outcome> {
  const { smtp } = config;
  if (smtp === null) return { is: "postponed", why: fact("mail.off") };
  const { subscriber, page, news, delivery, manageUrl, endUrl } = sending;
  const { title, texts, html, label, url, ending } = wordsOf(sending);
  const { say } = wordsFor(subscriber.language, page.timeZone);
  const from = senderOf(config);
  const host = from.address.split("@")[1] ?? "localhost";
  const why = say("told.why", { address: subscriber.address, page: excerpt(page.name) });
  const links = [say("told.manage", { url: manageUrl }), say("told.end", { url: endUrl })];
  const footer = sending.confirmUrl === null ? [why, ...links].join("\n") : null;
  const words = { subject: title, text: texts.join("\n\n"), html, action: label, ending, footer };
  const subject = (news?.incident ?? news?.maintenance)?.uuid;
  const thread = subject && `<page-${subject}.${subscriber.uuid}@${host}>`;
  const message = await composeMessage({
    from,
    to: subscriber.address,
    uuid: delivery.uuid,
    date: new Date(delivery.createdAt),
    language: subscriber.language,
    subject: title,
    ...bodiesOf(words, url),
    more: {
      ...(thread && { "In-Reply-To": thread, References: thread }),
      "List-Id": `<${page.uuid}.${host}>`,
      "List-Unsubscribe": `<${endUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
  return handOver(smtp, { from: from.address, to: subscriber.address, message }, signal);
}

/** Sends to a webhook or to Slack, past the guard. Where that leads is a secret, which no log has. */
export async function sendByRequest(
  { network, secrets, clock }: Context,
  sending: Sending,
  signal: AbortSignal,
): Promise<Outcome> {
  const { subscriber } = sending;
  if (subscriber.secrets === null) return { is: "refused", why: fact("subscriber.gone") };
  const destination = openDestination(secrets, subscriber.secrets);
  const now = clock.now();
  const make = subscriber.kind === "slack" ? slackRequest : webhookRequest;
  const request = composed(make(sending, destination, now));
  const answer = await post(request, network, signal);
  if ("failure" in answer) {
    return { is: "postponed", why: { ...fact("delivery.unreached"), because: answer.failure } };
  }
  const outcome = judged({}, answer, { where: request.url.host, secrets: [destination.url], now });
  return outcome === "unknown" ? { is: "refused", why: fact("delivery.error") } : outcome;
}

type Destination = ReturnType<typeof openDestination>;

function webhookRequest(sending: Sending, { url, secret }: Destination, now: number): ChannelRequest {
  const { subscriber, delivery, page, news, confirmUrl, endUrl } = sending;
  const { sentence } = wordsFor(subscriber.language, page.timeZone);
  const document = projectPageEvent(
    {
      ...{ at: delivery.createdAt, page, title: wordsOf(sending).title, news, unsubscribeUrl: endUrl },
      question: confirmUrl === null ? null : { confirmUrl, secret },
    },
    sentence,
  );
  const text = JSON.stringify(document);
  const signed = { id: delivery.uuid, seconds: Math.floor(now / 1000), text };
  return { url, headers: signature(secret, signed), body: { text, type: "application/json" } };
}

function slackRequest(sending: Sending, { url }: Destination): ChannelRequest {
  const { news, manageUrl, subscriber, page } = sending;
  const { title, texts, label, url: link } = wordsOf(sending);
  const { say } = wordsFor(subscriber.language, page.timeZone);
  const links = [
    ...(link === null ? [] : [{ label, url: link }]),
    ...(news ? [{ label: say("known.action"), url: manageUrl }] : []),
  ];
  return { url, body: { json: plainSlackMessage({ title, texts, type: toneOf(news), links }) } };
}

function toneOf(news: PageNews | null) {
  if (news?.event === "incident.opened") return "error";
  if (news?.event === "incident.updated") return "warning";
  return news?.event === "incident.resolved" || news?.event === "maintenance.ended" ? "success" : "info";
}
