import type { Context } from "../../context.ts";
import type { OpenDelivery, Outcome, Transport } from "../../notification/transport.ts";
import { readPage, type StatusPage } from "../../store/queries/status-pages.ts";
import { changeSubscriber, readSubscriber } from "../../store/queries/subscribers.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import { pageUrl } from "../page-url.ts";
import { SUBSCRIBER_CHANNELS } from "./channel/registry.ts";
import { type Content, dueNews, type Unsent } from "./due-news.ts";
import { linkOf, manageToken } from "./links.ts";

/** Sends to the subscribers of status pages what the page says, or the question whether they want that. */
export const subscriberTransport: Transport = {
  async send(ctx, delivery, signal) {
    const { store, config, secrets } = ctx;
    const subscriber =
      delivery.subscriberId === null ? null : await readSubscriber(store.db, { id: delivery.subscriberId });
    if (!subscriber) return refused(fact("subscriber.gone"));
    const page = await readPage(store.db, subscriber.pageId);
    if (!page?.isPublic) return refused(fact("subscriber.closed"));
    if (config.publicUrl === null) return refused(fact("mail.no_address"));
    const about = await contentOf(ctx, page, delivery, subscriber.state);
    if ("why" in about) return { is: "refused", ...about };
    if ("afterMs" in about) return { is: "postponed", why: fact("subscriber.turn"), ...about };
    const { uuid, name, timeZone } = page;
    const token = manageToken(secrets, subscriber.uuid);
    const { publicUrl } = config;
    const sending = {
      ...{ subscriber, delivery, news: about.news },
      page: { uuid, name, timeZone, url: pageUrl(page, publicUrl) },
      confirmUrl: about.token === null ? null : linkOf(publicUrl, "confirm", about.token),
      manageUrl: linkOf(publicUrl, "manage", token),
      endUrl: linkOf(publicUrl, "end", token),
    };
    return SUBSCRIBER_CHANNELS[subscriber.kind].send(ctx, sending, signal);
  },
  /** Who wants nothing for good is told nothing more. */
  async settled({ clock }, trx, { subscriberId }, outcome) {
    if (subscriberId === null || outcome.is !== "refused") return;
    if (!outcome.ended && !outcome.noMailbox) return;
    const ended = { state: "ended", endedReason: outcome.why, questionHash: null } as const;
    await changeSubscriber(trx, subscriberId, ended, clock.now());
  },
};

const refused = (why: Fact): Outcome => ({ is: "refused", why });

/** What is to be said to a subscriber who is in that state by now. */
async function contentOf(
  ctx: Context,
  page: StatusPage,
  delivery: OpenDelivery,
  state: string,
): Promise<Content | Unsent> {
  if (delivery.newsId !== null) {
    return state === "active" ? dueNews(ctx, page, delivery) : { why: fact("subscriber.gone") };
  }
  if (state === "active") return { news: null, token: null };
  const { token } = JSON.parse(delivery.content) as { token: string };
  return state === "waiting" ? { news: null, token } : { why: fact("subscriber.gone") };
}
