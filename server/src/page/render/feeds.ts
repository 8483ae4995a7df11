import { type FeedEntry, feedOf } from "./feed-entries.ts";
import { type Markup, html as xml } from "./html.ts";
import { jsonOf } from "./json.ts";
import { pageAddress } from "./page-address.ts";
import type { View } from "./view.ts";

const GENERATOR = "Vedette";
const iso = (at: number) => new Date(at).toISOString();
/** RFC 822 with a year of four digits, as RSS asks for. */
const rfc822 = (at: number) => new Date(at).toUTCString();
const document = ({ text }: Markup) => `<?xml version="1.0" encoding="utf-8"?>\n${text}`;

/** The page's feed as Atom (RFC 4287). */
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
 * The page's feed as RSS 2.0. That an item has changed, for which RSS has no word, it says in Atom's; what is resolved is dated to
 * its end, since readers such as Slack's show an item anew by its title and date.
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

/** The page's feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
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
