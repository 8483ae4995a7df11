import type { Context } from "../../context.ts";
import {
  countAskedByOrganization,
  listPagesUnasked,
  nextUnasked,
  readSubscriber,
} from "../../store/queries/subscribers.ts";
import { askSubscriber, asksTooMany, HOUR_MS } from "./ask.ts";
import { kindsOffered } from "./channel/registry.ts";
import { putsOff } from "./puts-off.ts";

const ASKED_AT_ONCE = 20;

interface Owned {
  id: number;
  organizationId: number;
}

/**
 * Asks those who were added by the pages' owners, as many as the limits allow: one of each page in turn, beginning with the
 * organization that has asked fewest lately. Whoever may not be asked now is come back to after the others of the page, and so is
 * whose question fails.
 */
export function askInTurn(ctx: Context): () => Promise<void> {
  const { store, clock, config, log } = ctx;
  const failing = putsOff(log, "Asking a subscriber of a status page");
  /** Up to whom each page has got. */
  let reached = new Map<number, number>();
  const ask = async (whom: { id: number; pageId: number }): Promise<Next> => {
    const now = clock.now();
    let next: Next = "another";
    if (failing.ids(now).includes(whom.id)) return next;
    await failing.attempt(whom.id, now, async () => {
      next = await askOne(ctx, whom);
    });
    return next;
  };
  return async () => {
    const kinds = kindsOffered(config);
    if (kinds.length === 0) return;
    const pages = await listPagesUnasked(store.db, kinds);
    // Nothing is remembered of pages that are done.
    reached = new Map(pages.map(({ id }) => [id, reached.get(id) ?? 0]));
    if (pages.length === 0) return;
    const asked = await countAskedByOrganization(store.db, clock.now() - HOUR_MS);
    let open = inTurn(pages, asked);
    for (let left = ASKED_AT_ONCE; left > 0 && open.length > 0; ) {
      const going: number[] = [];
      for (const pageId of open.slice(0, left)) {
        const after = reached.get(pageId) ?? 0;
        const id = await nextUnasked(store.db, { pageId, kinds, after });
        // Whom it passed over has their turn again in the next round.
        if (id === null) reached.delete(pageId);
        else {
          const next = await ask({ id, pageId });
          if (next !== "none") reached.set(pageId, id);
          if (next === "another") going.push(pageId);
        }
        left--;
      }
      open = going;
    }
  };
}

/** First a page of each organization, then another one of each. */
function inTurn(pages: readonly Owned[], asked: ReadonlyMap<number, number>): number[] {
  const before = new Map<number, number>();
  const ranked = pages.map(({ id, organizationId }) => {
    const rank = before.get(organizationId) ?? 0;
    before.set(organizationId, rank + 1);
    return { id, rank, often: asked.get(organizationId) ?? 0 };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank || a.often - b.often).map(({ id }) => id);
}

/** Whom the page asks next: another one now, another one in the next round, or the same one in the next round. */
type Next = "another" | "another later" | "none";

function askOne(
  { store, clock, config, secrets }: Context,
  { id, pageId }: { id: number; pageId: number },
): Promise<Next> {
  return store.transaction(async (db) => {
    const asking = { db, clock, config, secrets };
    if (await asksTooMany(asking, pageId, "list")) return "none";
    const subscriber = await readSubscriber(db, { id }, { lock: true });
    if (subscriber?.state !== "waiting" || subscriber.askedAt !== null) return "another";
    const asked = await askSubscriber(asking, subscriber, { asker: "list" });
    if (asked === "organization limit") return "none";
    return asked === "person limit" ? "another later" : "another";
  });
}
