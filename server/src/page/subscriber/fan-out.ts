import { randomUUIDv7 } from "node:crypto";
import type { Context } from "../../context.ts";
import { listOpenNews, listToTell, noteNewsTold, readNews } from "../../store/queries/page-news.ts";
import { insertSubscriberDeliveries } from "../../store/queries/subscriber-deliveries.ts";
import { concerns } from "./news.ts";
import type { PutsOff } from "./puts-off.ts";

const SUBSCRIBERS_AT_ONCE = 500;
const NEWS_AT_ONCE = 20;
/** So long news are worth sending. */
const WORTH_MS = 86_400_000;

/**
 * Writes news into the outbox, for so many subscribers in a transaction: others write in between, and whoever goes on after a
 * process has died goes on where that was.
 */
export async function fanOutNews(ctx: Pick<Context, "store" | "clock">, putOff: PutsOff): Promise<void> {
  for (;;) {
    const now = ctx.clock.now();
    const open = await listOpenNews(ctx.store.db, NEWS_AT_ONCE, putOff.ids(now));
    if (open.length === 0) return;
    for (const id of open) {
      await putOff.attempt(id, now, async () => {
        while (await tellSome(ctx, id));
      });
    }
  }
}

/** Returns whether there are more to tell. */
function tellSome({ store, clock }: Pick<Context, "store" | "clock">, newsId: number): Promise<boolean> {
  return store.transaction(async (trx) => {
    const news = await readNews(trx, newsId, { lock: true });
    if (!news || news.toldTo === null) return false;
    const { pageId, organizationId, content, toldTo, event, at } = news;
    const some = await listToTell(trx, { pageId, after: toldTo, limit: SUBSCRIBERS_AT_ONCE });
    const wanting = some.filter(({ components }) => concerns(content, components));
    const deliveries = wanting.map(({ id: subscriberId }) => ({
      ...{ uuid: randomUUIDv7(), organizationId, subscriberId, newsId, event: `page.${event}`, content: "" },
      givesUpAt: at + WORTH_MS,
    }));
    await insertSubscriberDeliveries(trx, deliveries, clock.now());
    const isDone = some.length < SUBSCRIBERS_AT_ONCE;
    await noteNewsTold(trx, newsId, isDone ? null : (some.at(-1)?.id ?? null));
    return !isDone;
  });
}
