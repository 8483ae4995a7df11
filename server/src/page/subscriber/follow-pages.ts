import { randomUUIDv7 } from "node:crypto";
import type { Context } from "../../context.ts";
import { lastEventId } from "../../store/queries/events.ts";
import { hastenLooksAt, listChangedAfter } from "../../store/queries/page-changes.ts";
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
import type { PublicPage } from "../document/public-page.ts";
import { readPublicPage } from "../document/read-public-page.ts";
import { UNANSWERED_MS } from "./ask.ts";
import { askInTurn } from "./ask-in-turn.ts";
import { fanOutNews } from "./fan-out.ts";
import { lookAt } from "./look-at-page.ts";
import { putsOff } from "./puts-off.ts";
import { type KnownToSubscribers, toldOf, untoldEnds } from "./told.ts";

/** What can change what a page says. */
const TYPES = [...STATUS_EVENTS, "incident", WINDOW_EVENT];
/** A page of which nothing was heard is looked at so often. */
const EVERY_MS = 300_000;
/** Who claims a page and dies keeps it for so long from being looked at. */
const LEASE_MS = 60_000;
const PAGES_AT_ONCE = 10;
const FORGET_EVERY_MS = 3_600_000;
/** So often a page is read again because somebody else has looked at it meanwhile. */
const TRIES = 3;

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
    if (newest > before) {
      const organizations = await listOrganizationsAfter(store.db, before, TYPES);
      await hastenLooks(store.db, organizations, clock.now());
      await hastenLooksAt(store.db, await listChangedAfter(store.db, before), clock.now());
    }
    // Not before: what failed is made good in the next round.
    seen = newest;
  };
  return {
    async look() {
      await hasten();
      const now = clock.now();
      const limits = { now, until: now + LEASE_MS, furthest: now + EVERY_MS, limit: PAGES_AT_ONCE };
      const due = await store.transaction((trx) => claimLooks(trx, { ...limits, except: pages.ids(now) }));
      for (const pageId of due) await pages.attempt(pageId, now, () => lookAtPage(ctx, pageId));
      await fanOutNews(ctx, news);
      await askWaiting();
      if (Math.abs(now - forgotAt) < FORGET_EVERY_MS) return;
      forgotAt = now;
      await forgetUnanswered(store.db, now - UNANSWERED_MS);
    },
  };
}

async function lookAtPage(ctx: Context, pageId: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) if (await lookOnce(ctx, pageId)) return;
}

/** False when somebody else has looked meanwhile, at the page as it was before or after. */
async function lookOnce(ctx: Context, pageId: number): Promise<boolean> {
  const { store, clock, config } = ctx;
  const page = await readPage(store.db, pageId);
  const before = await readTold(store.db, pageId);
  if (!page || before === undefined) return true;
  const told = before === null ? null : (JSON.parse(before) as KnownToSubscribers);
  const reading = { now: clock.now(), publicUrl: config.publicUrl, also: told ? untoldEnds(told) : [] };
  const { now } = reading;
  const document = await readPublicPage(store.db, page, reading);
  return store.transaction(async (trx) => {
    // Which reading is the newer one no clock says: it may have been ahead.
    if ((await readTold(trx, pageId)) !== before) return false;
    if ((await countSubscribers(trx, { pageId, state: "active" })) === 0) {
      await unwatchPage(trx, pageId);
      return true;
    }
    const look = compared(page, document, told);
    const news = look.news.map((content) => ({ uuid: randomUUIDv7(), content }));
    await insertNews(trx, page, news, now);
    const again = Math.min(look.again, now + EVERY_MS);
    await saveTold(trx, pageId, JSON.stringify(look.told), Math.max(again, now + 1));
    return true;
  });
}

/** The first look finds no news, nor does any while a page is for members only. */
function compared({ isPublic }: StatusPage, document: PublicPage, before: KnownToSubscribers | null) {
  if (before !== null && isPublic) return lookAt(document, before);
  return { news: [], told: toldOf(document), again: Number.POSITIVE_INFINITY };
}
