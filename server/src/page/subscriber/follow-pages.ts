import { randomUUIDv7 } from "node:crypto";
import type { Context } from "../../context.ts";
import { lastEventId } from "../../store/queries/events.ts";
import {
  claimLooks,
  hastenLooks,
  insertNews,
  listOrganizationsAfter,
  readTold,
  saveTold,
  unwatchPage,
} from "../../store/queries/page-news.ts";
import { readPage, type StatusPage } from "../../store/queries/status-pages.ts";
import { forgetUnanswered } from "../../store/queries/subscriber-questions.ts";
import { countSubscribers } from "../../store/queries/subscribers.ts";
import { STATUS_EVENTS, WINDOW_EVENT } from "../../wire/live.ts";
import type { PublicPage } from "../public-page.ts";
import { readPublicPage } from "../read-public-page.ts";
import { UNANSWERED_MS } from "./ask.ts";
import { askInTurn } from "./ask-in-turn.ts";
import { fanOutNews } from "./fan-out.ts";
import { lookAt, type Told, toldOf } from "./news.ts";
import { putsOff } from "./puts-off.ts";

/** What can change what a page says. */
const TYPES = [...STATUS_EVENTS, "incident", WINDOW_EVENT];
/** A page of which nothing was heard is looked at so often. */
const EVERY_MS = 300_000;
/** Who claims a page and dies keeps it for so long from being looked at. */
const LEASE_MS = 60_000;
const PAGES_AT_ONCE = 10;
const FORGET_EVERY_MS = 3_600_000;

/** Looks for what subscribers of status pages are to be told, and asks those who wait for it. */
export interface PageFollower {
  /** One round. Throws the store's error. */
  look(): Promise<void>;
}

/** Any number of processes may follow pages side by side. A page that cannot be read holds up no other. */
export function followPages(ctx: Context): PageFollower {
  const { store, clock, log } = ctx;
  const pages = putsOff(log, "The look at a status page for its subscribers");
  const news = putsOff(log, "Telling subscribers of a status page");
  const askWaiting = askInTurn(ctx);
  let seen: number | null = null;
  let forgotAt = Number.NEGATIVE_INFINITY;
  /** What happened since the round before makes pages due now. */
  const hasten = async () => {
    const newest = await lastEventId(store.db);
    const before = seen ?? newest;
    seen = newest;
    if (newest > before) {
      const organizations = await listOrganizationsAfter(store.db, before, TYPES);
      await hastenLooks(store.db, organizations, clock.now());
    }
  };
  return {
    async look() {
      await hasten();
      const now = clock.now();
      const due = await store.transaction((trx) =>
        claimLooks(trx, { now, until: now + LEASE_MS, limit: PAGES_AT_ONCE, except: pages.ids(now) }),
      );
      for (const pageId of due) await pages.attempt(pageId, now, () => lookAtPage(ctx, pageId));
      await fanOutNews(ctx, news);
      await askWaiting();
      if (now < forgotAt + FORGET_EVERY_MS) return;
      forgotAt = now;
      await forgetUnanswered(store.db, now - UNANSWERED_MS);
    },
  };
}

async function lookAtPage(ctx: Context, pageId: number): Promise<void> {
  const { store, clock, config } = ctx;
  const page = await readPage(store.db, pageId);
  if (!page) return;
  const now = clock.now();
  const document = await readPublicPage(store.db, page, { now, publicUrl: config.publicUrl });
  await store.transaction(async (trx) => {
    const before = await readTold(trx, pageId);
    if (before === undefined) return;
    if ((await countSubscribers(trx, { pageId, state: "active" })) === 0) return unwatchPage(trx, pageId);
    const look = compared(page, document, before);
    // Somebody else has looked meanwhile.
    if (look === null) return;
    const news = look.news.map((content) => ({ uuid: randomUUIDv7(), content }));
    await insertNews(trx, page, news, now);
    const again = Math.min(look.again, now + EVERY_MS);
    await saveTold(trx, pageId, JSON.stringify(look.told), Math.max(again, now + 1));
  });
}

/** The first look finds no news, nor does any while a page is for members only. Null: a newer one was made. */
function compared({ isPublic }: StatusPage, document: PublicPage, before: string | null) {
  const nothing = { news: [], told: toldOf(document), again: Number.POSITIVE_INFINITY };
  if (before === null) return nothing;
  const told = JSON.parse(before) as Told;
  if (told.readAt > document.updatedAt) return null;
  return isPublic ? lookAt(document, told) : nothing;
}
