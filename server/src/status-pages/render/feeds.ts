import { html, type Markup, paragraphs, html as xml } from "../../platform/formats/html.ts";
import type {
  ComponentName,
  PublicIncident,
  PublicMaintenance,
  PublicPage,
} from "../document/public-page.ts";
import { olderUpdates, stageOf, UPDATES_SHOWN } from "./incidents.ts";
import { pageAddress, saidIn, timeOf, type View } from "./view.ts";

/** Feed readers store what they have seen. */
const MAX_ENTRIES = 50;

/** Times in milliseconds. */
interface FeedEntry {
  /** Stable, wherever the page is served. */
  id: string;
  url: string;
  title: string;
  publishedAt: number;
  /** For readers that go by one date alone and would not show the end; null while ongoing. */
  resolvedAt: number | null;
  updatedAt: number;
  content: Markup;
  tags: string[];
}

interface Feed {
  title: string;
  description: string;
  updatedAt: number;
  entries: FeedEntry[];
}

/** Incidents with their updates, and maintenance; latest change first. */
function feedOf(view: View): Feed {
  const { page, words } = view;
  const { name } = page;
  const incidents = [...page.incidents, ...page.history].map((incident) => ({
    updatedAt: incident.updatedAt,
    entry: () => incidentEntry(view, incident),
  }));
  const maintenance = page.maintenance.map((window) => ({
    updatedAt: maintenanceChangedAt(window),
    entry: () => maintenanceEntry(view, window),
  }));
  const newest = [...incidents, ...maintenance].sort((a, b) => b.updatedAt - a.updatedAt);
  return {
    title: words.say("feed.title", { name }),
    description: page.description || words.say("feed.description", { name }),
    updatedAt: pageChangedAt(page),
    entries: newest.slice(0, MAX_ENTRIES).map(({ entry }) => entry()),
  };
}

function incidentEntry(view: View, incident: PublicIncident): FeedEntry {
  const { words } = view;
  const { uuid, updates, startedAt, resolvedAt, updatedAt, status } = incident;
  const title = words.sentence(incident.title);
  const posted = updates
    .slice(0, UPDATES_SHOWN)
    .map(
      ({ at, status, text }) =>
        html`<p><strong>${stageOf(words, status)}</strong>, ${timeOf(at, words.time(at))}</p>${saidIn(view, text)}`,
    );
  const url = pageAddress(view, `/incidents/${uuid}`);
  return {
    id: `urn:uuid:${uuid}`,
    url,
    title: resolvedAt === null ? title : words.say("feed.resolved", { title }),
    publishedAt: startedAt,
    resolvedAt,
    updatedAt,
    content: html`${posted}${olderUpdates(view, incident, url)}${affects(view, incident.components)}`,
    tags: ["incident", status],
  };
}

function maintenanceEntry(view: View, maintenance: PublicMaintenance): FeedEntry {
  const { uuid, title, description, startsAt, endsAt, updatedAt, components, isRunning } = maintenance;
  const { words } = view;
  const span = words.say("maintenance.ahead", { from: words.time(startsAt), until: words.time(endsAt) });
  return {
    id: `urn:uuid:${uuid}`,
    url: pageAddress(view),
    title: words.say("feed.maintenance", { title: words.sentence(title) }),
    publishedAt: updatedAt,
    resolvedAt: null,
    updatedAt: maintenanceChangedAt(maintenance),
    content: html`<p>${span}</p>${paragraphs(description)}${affects(view, components)}`,
    tags: ["maintenance", isRunning ? "in_progress" : "scheduled"],
  };
}

function affects({ words }: View, components: readonly ComponentName[]): Markup | false {
  const names = words.list(components.map(({ name }) => name));
  return components.length > 0 && html`<p>${words.say("incident.affects", { names })}</p>`;
}

/** When it was planned, changed or began. */
export const maintenanceChangedAt = ({ updatedAt, startsAt, isRunning }: PublicMaintenance): number =>
  isRunning ? Math.max(updatedAt, startsAt) : updatedAt;

/** By which feed readers recognize new content. */
export const pageChangedAt = (page: PublicPage): number =>
  Math.max(
    page.changedAt,
    ...[...page.incidents, ...page.history].map(({ updatedAt }) => updatedAt),
    ...page.maintenance.map(maintenanceChangedAt),
    ...page.groups.flatMap(({ components }) => components.map(({ since }) => since ?? 0)),
  );

/** Lone surrogates are replaced: UTF-8 cannot hold them, and many readers reject them even escaped. */
export const jsonOf = (value: object): string =>
  JSON.stringify(value, (_key, one) => (typeof one === "string" ? one.toWellFormed() : one));

const GENERATOR = "Vedette";
const iso = (at: number) => new Date(at).toISOString();
/** RFC 822 with a year of four digits, as RSS requires. */
const rfc822 = (at: number) => new Date(at).toUTCString();
const document = ({ text }: Markup) => `<?xml version="1.0" encoding="utf-8"?>\n${text}`;

/** RFC 4287. */
export function renderAtom(view: View): string {
  const feed = feedOf(view);
  const { page, language } = view;
  return document(xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>urn:uuid:${page.uuid}</id>
<title>${feed.title}</title>
<subtitle>${feed.description}</subtitle>
<updated>${iso(feed.updatedAt)}</updated>
<author><name>${page.name}</name></author>
<generator>${GENERATOR}</generator>
<link rel="self" type="application/atom+xml" href="${pageAddress(view, "/feed.atom")}"/>
<link rel="alternate" type="text/html" href="${pageAddress(view)}"/>
${feed.entries.map(atomEntry)}</feed>
`);
}

const atomEntry = (entry: FeedEntry): Markup => xml`<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<link rel="alternate" type="text/html" href="${entry.url}"/>
<published>${iso(entry.publishedAt)}</published>
<updated>${iso(entry.updatedAt)}</updated>
${entry.tags.map((tag) => xml`<category term="${tag}"/>\n`)}<content type="html">${entry.content.text}</content>
</entry>
`;

/**
 * RSS 2.0 with Atom's `updated`, which RSS lacks. Resolved items are dated to their end: readers such as
 * Slack's show an item again by title and date.
 */
export function renderRss(view: View): string {
  const feed = feedOf(view);
  return document(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${feed.title}</title>
<link>${pageAddress(view)}</link>
<description>${feed.description}</description>
<language>${view.language}</language>
<lastBuildDate>${rfc822(feed.updatedAt)}</lastBuildDate>
<generator>${GENERATOR}</generator>
<ttl>1</ttl>
<atom:link rel="self" type="application/rss+xml" href="${pageAddress(view, "/feed.rss")}"/>
${feed.entries.map(rssItem)}</channel>
</rss>
`);
}

const rssItem = (entry: FeedEntry): Markup => xml`<item>
<title>${entry.title}</title>
<link>${entry.url}</link>
<guid isPermaLink="false">${entry.id}</guid>
<pubDate>${rfc822(entry.resolvedAt ?? entry.publishedAt)}</pubDate>
<atom:updated>${iso(entry.updatedAt)}</atom:updated>
${entry.tags.map((tag) => xml`<category>${tag}</category>\n`)}<description>${entry.content.text}</description>
</item>
`;

/** https://www.jsonfeed.org/version/1.1/ */
export function renderJsonFeed(view: View): string {
  const feed = feedOf(view);
  return jsonOf({
    version: "https://jsonfeed.org/version/1.1",
    title: feed.title,
    description: feed.description,
    home_page_url: pageAddress(view),
    feed_url: pageAddress(view, "/feed.json"),
    language: view.language,
    authors: [{ name: view.page.name }],
    items: feed.entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      content_html: entry.content.text,
      date_published: iso(entry.publishedAt),
      date_modified: iso(entry.updatedAt),
      tags: entry.tags,
    })),
  });
}
