import type { Context } from "../../context.ts";
import type { OpenDelivery } from "../../notification/transport.ts";
import { listSiblings, readNews } from "../../store/queries/page-news.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import { isWithdrawal, type PageNews } from "./news.ts";
import { readShown, stillShown } from "./still-shown.ts";

/** What was begun before may be sent by then. */
const TURN_MS = 1_000;

/** What is said to a subscriber. */
export interface Content {
  /** Null: the question whether they want any. */
  news: PageNews | null;
  /** Of the link by which that is answered; null: there is nothing to answer. */
  token: string | null;
}

/** Why nothing is: for good, or not before so long. */
export type Unsent = { why: Fact } | { afterMs: number };

/**
 * News as they are to be sent to one subscriber: with the updates of what they were to be sent of the same thing before and were
 * not, so that they get each of them once, and without what the page has taken back.
 */
export async function dueNews(
  ctx: Context,
  page: StatusPage,
  { newsId, subscriberId }: Pick<OpenDelivery, "newsId" | "subscriberId">,
): Promise<Content | Unsent> {
  const { db } = ctx.store;
  const news = newsId === null ? null : await readNews(db, newsId);
  if (!news) return { why: fact("subscriber.gone") };
  const whose = { subscriberId: subscriberId ?? 0, now: ctx.clock.now() };
  const siblings = await listSiblings(db, news, whose);
  if (siblings.some(({ id }) => id > news.id)) return { why: fact("subscriber.outdated") };
  if (siblings.some(({ isUnderWay }) => isUnderWay)) return { afterMs: TURN_MS };
  // Who was never told of it need not hear that it is gone.
  const lastSent = siblings.findLastIndex(({ isSent }) => isSent);
  const isUnheard = isWithdrawal(news.content) && lastSent === -1;
  // The last one that was sent told what was to be sent before.
  const unsent = siblings.slice(lastSent + 1).map(({ id }) => id);
  const shown = isUnheard
    ? null
    : stillShown(await readShown(ctx, page, news.content), await united(ctx, news.content, unsent));
  return shown ? { news: shown, token: null } : { why: fact("subscriber.withdrawn") };
}

/** News with the updates of others of the same incident. */
async function united({ store }: Context, news: PageNews, others: readonly number[]): Promise<PageNews> {
  const fresh = new Set(news.fresh);
  for (const id of others) {
    const older = await readNews(store.db, id);
    for (const uuid of older?.content.fresh ?? []) fresh.add(uuid);
  }
  return { ...news, fresh: [...fresh] };
}
