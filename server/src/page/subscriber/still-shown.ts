import type { Context } from "../../context.ts";
import { lastEventId } from "../../store/queries/events.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import type { Store } from "../../store/store.ts";
import type { PublicPage } from "../document/public-page.ts";
import { readPublicPage } from "../document/read-public-page.ts";
import { isWithdrawal, type PageNews } from "./news.ts";

/** So long a page that was read is good for others who are told of it, while nothing happens. */
const GOOD_MS = 60_000;

interface Readings {
  eventId: number;
  at: number;
  /** By the page's number, and where there are too many others, the incident's uuid. */
  pages: Map<string, Promise<PublicPage>>;
}

const readings = new WeakMap<Store, Readings>();

/**
 * The page as it is now, with what the news are of if it is still published there: read once for all who are told of it until
 * something happens. Throws the store's error.
 */
export async function readShown(
  { store, clock, config }: Pick<Context, "store" | "clock" | "config">,
  page: StatusPage,
  { incident }: Pick<PageNews, "incident">,
): Promise<PublicPage> {
  const eventId = await lastEventId(store.db);
  const now = clock.now();
  let known = readings.get(store);
  if (!known || known.eventId !== eventId || Math.abs(now - known.at) >= GOOD_MS) {
    known = { eventId, at: now, pages: new Map() };
    readings.set(store, known);
  }
  const { pages } = known;
  const read = (key: string, also: readonly string[]) => {
    const reading =
      pages.get(key) ?? readPublicPage(store.db, page, { now, publicUrl: config.publicUrl, also });
    pages.set(key, reading);
    // What fails is read again for the next one.
    reading.catch(() => pages.delete(key));
    return reading;
  };
  const shown = await read(`${page.id}`, []);
  const isThere = !incident || incidentsOf(shown).some(({ uuid }) => uuid === incident.uuid);
  return isThere ? shown : read(`${page.id} ${incident.uuid}`, [incident.uuid]);
}

const incidentsOf = ({ incidents, history }: PublicPage) => [...incidents, ...history];

/** News without what the page has taken back since, in its words of now; null: nothing of them is left. */
export function stillShown(page: PublicPage, news: PageNews): PageNews | null {
  const { incident, maintenance, event, fresh } = news;
  const shown = [...incidentsOf(page), ...page.maintenance];
  // That it is not there any more.
  if (isWithdrawal(news)) {
    return shown.some(({ uuid }) => uuid === (incident ?? maintenance)?.uuid) ? null : news;
  }
  if (incident) {
    const own = incidentsOf(page).find(({ uuid }) => uuid === incident.uuid);
    if (!own) return null;
    const written = new Set(incident.updates.map(({ uuid }) => uuid));
    const updates = own.updates.filter(({ uuid }) => written.has(uuid));
    const left = fresh.filter((uuid) => updates.some((update) => update.uuid === uuid));
    if (event === "incident.updated" && fresh.length > 0 && left.length === 0) return null;
    const { title, components } = own;
    return { ...news, incident: { ...incident, title, components, updates }, fresh: left };
  }
  // What has ended is not on the page any more.
  if (event === "maintenance.ended") return news;
  const own = page.maintenance.find(({ uuid }) => uuid === maintenance?.uuid);
  return own ? { ...news, maintenance: own } : null;
}
