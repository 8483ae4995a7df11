import { DOMParser, type Element, onErrorStopParsing } from "@xmldom/xmldom";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/platform/i18n/render.ts";
import type { PublicPage } from "../../../src/status-pages/document/public-page.ts";
import { JSON_FEED_SCHEMA } from "./json-feed-schema.ts";
import { HOSTILE, hostilePage, textAt } from "./machine-renderings.ts";
import { incident, NOW, publicPage, SCENES } from "./public-pages.ts";

const ATOM = "http://www.w3.org/2005/Atom";
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const RFC822 =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const PAGES: [string, PublicPage][] = [
  ...Object.entries(SCENES).map(([name, make]): [string, PublicPage] => [name, make()]),
  ["hostile", hostilePage()],
];

/** The root of a document; throws at the first thing that makes it no XML. */
function parseXml(text: string): Element {
  const parser = new DOMParser({ onError: onErrorStopParsing });
  return parser.parseFromString(text, "text/xml").documentElement!;
}

const childrenOf = (parent: Element, name: string, namespace: string | null = ATOM): Element[] =>
  Array.from(parent.childNodes).filter(
    (node): node is Element =>
      (node as Element).localName === name && ((node as Element).namespaceURI || null) === namespace,
  );

/** The text of the one child of this name. */
function only(parent: Element, name: string, namespace: string | null = ATOM): string {
  const found = childrenOf(parent, name, namespace);
  expect(found, name).toHaveLength(1);
  return found[0]!.textContent ?? "";
}

const elementsOf = (parent: Element): Element[] =>
  Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === 1);

describe("the Atom feed of a status page", () => {
  test.each(PAGES)("keeps to RFC 4287: %s", (_name, page) => {
    for (const language of LANGUAGES) {
      const feed = parseXml(textAt(page, "/feed.atom", { language }));
      expect([feed.namespaceURI, feed.localName]).toEqual([ATOM, "feed"]);
      expect(only(feed, "id")).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
      expect(only(feed, "title")).not.toBe("");
      expect(only(feed, "updated")).toMatch(RFC3339);
      expect(only(childrenOf(feed, "author")[0]!, "name")).not.toBe("");
      checkLinks(feed, ["self", "alternate"]);
      const entries = childrenOf(feed, "entry");
      const ids = entries.map((entry) => only(entry, "id"));
      expect(new Set(ids).size, "each id once").toBe(ids.length);
      for (const entry of entries) checkEntry(entry);
    }
  });

  test("has what changed last first, and says so of the whole", () => {
    const page = SCENES.outage();
    const feed = parseXml(textAt(page, "/feed.atom"));
    const updated = childrenOf(feed, "entry").map((entry) => only(entry, "updated"));
    expect(updated).toEqual(updated.toSorted().toReversed());
    expect(only(feed, "updated") >= updated[0]!).toBe(true);
  });

  test("changes an incident's `updated` and nothing else of what names it when there is an update", () => {
    const before = SCENES.outage();
    const [open] = before.incidents;
    const update = {
      uuid: "019aaf00-0000-7000-8000-0000000000aa",
      at: NOW,
      status: "monitoring" as const,
      text: "Fixed.",
    };
    const after = {
      ...before,
      incidents: [
        { ...open!, status: "monitoring" as const, updatedAt: NOW, updates: [update, ...open!.updates] },
      ],
    };
    const [first, second] = [before, after].map((page) => {
      const entry = childrenOf(parseXml(textAt(page, "/feed.atom")), "entry")[0]!;
      return Object.fromEntries(
        ["id", "title", "published", "updated"].map((name) => [name, only(entry, name)]),
      );
    });
    expect(second).toEqual({ ...first, updated: new Date(NOW).toISOString() });
    expect(first!.updated).not.toBe(second!.updated);
  });

  test("stays the same, byte for byte, while nothing happens", () => {
    const page = SCENES.outage();
    for (const path of ["/feed.atom", "/feed.rss", "/feed.json", "/maintenance.ics"]) {
      expect(textAt({ ...page, updatedAt: page.updatedAt + 15_000 }, path)).toBe(textAt(page, path));
    }
  });

  test("lists every update with its stage and time, in the reader's language", () => {
    const text = textAt(SCENES.outage(), "/feed.atom", { language: "de" });
    const content = childrenOf(childrenOf(parseXml(text), "entry")[0]!, "content")[0]!;
    expect(content.textContent).toContain("<strong>Ursache gefunden</strong>");
    expect(content.textContent).toContain("The payment provider confirms a fault on their side.");
    expect(content.textContent).toContain('<a href="https://status.payments.test/incidents/42"');
    expect(content.textContent).toContain("Betroffen: Checkout");
  });

  test("takes what people wrote for text, whatever it looks like", () => {
    const feed = parseXml(textAt(hostilePage(), "/feed.atom"));
    const title = only(childrenOf(feed, "entry")[0]!, "title");
    expect(title).toContain("<script>alert(1)</script>");
    const html = only(childrenOf(feed, "entry")[0]!, "content");
    expect(html).not.toMatch(/<script|<\/title/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("holds the 50 events that changed last", () => {
    const history = Array.from({ length: 60 }, (_, at) =>
      incident(`Incident ${at}`, { uuid: crypto.randomUUID(), updatedAt: NOW - at * 60_000 }),
    );
    const feed = parseXml(textAt(publicPage({ history }), "/feed.atom"));
    const titles = childrenOf(feed, "entry").map((entry) => only(entry, "title"));
    expect(titles).toEqual(Array.from({ length: 50 }, (_, at) => `Incident ${at}`));
  });
});

/** RFC 4287, 4.1.2: what an entry has. */
function checkEntry(entry: Element): void {
  expect(only(entry, "id")).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(only(entry, "title")).not.toBe("");
  expect(only(entry, "updated")).toMatch(RFC3339);
  expect(only(entry, "published")).toMatch(RFC3339);
  checkLinks(entry, ["alternate"]);
  const [content] = childrenOf(entry, "content");
  expect(content!.getAttribute("type")).toBe("html");
  // 3.1.1.2: HTML within is text here.
  expect(elementsOf(content!)).toEqual([]);
  for (const category of childrenOf(entry, "category")) expect(category.getAttribute("term")).not.toBe("");
}

function checkLinks(parent: Element, relations: string[]): void {
  const links = childrenOf(parent, "link");
  expect(links.map((link) => link.getAttribute("rel"))).toEqual(relations);
  for (const link of links) expect(URL.canParse(link.getAttribute("href") ?? "")).toBe(true);
}

describe("the RSS feed of a status page", () => {
  test("gives a resolved incident another title and date, and stays the same item", () => {
    const page = SCENES.outage();
    const [open] = page.incidents;
    const resolved = { ...open!, resolvedAt: NOW, updatedAt: NOW, status: "resolved" as const };
    const [first, second] = [page, { ...page, incidents: [], history: [resolved] }].map((one) => {
      const [channel] = childrenOf(parseXml(textAt(one, "/feed.rss")), "channel", null);
      const item = childrenOf(channel!, "item", null).find(
        (each) => only(each, "guid", null) === `urn:uuid:${open!.uuid}`,
      );
      return ["title", "pubDate"].map((name) => only(item!, name, null));
    });
    expect(second).toEqual([expect.stringMatching(/^Resolved: /), new Date(NOW).toUTCString()]);
    expect(first![0]).not.toMatch(/^Resolved/);
    expect(first![1]).toBe(new Date(open!.startedAt).toUTCString());
  });

  /** Of the elements without a namespace, which are all that RSS has. */
  const CHANNEL = ["title", "link", "description", "language", "lastBuildDate", "generator", "ttl", "item"];
  const ITEM = ["title", "link", "guid", "pubDate", "category", "description"];

  test.each(PAGES)("keeps to RSS 2.0: %s", (_name, page) => {
    const rss = parseXml(textAt(page, "/feed.rss"));
    expect([rss.localName, rss.getAttribute("version")]).toEqual(["rss", "2.0"]);
    expect(elementsOf(rss).map(({ localName }) => localName)).toEqual(["channel"]);
    const [channel] = childrenOf(rss, "channel", null);
    for (const name of CHANNEL.slice(0, -1)) expect(only(channel!, name, null), name).not.toBe("");
    expect(URL.canParse(only(channel!, "link", null))).toBe(true);
    expect(only(channel!, "lastBuildDate", null)).toMatch(RFC822);
    expectOnly(channel!, CHANNEL);
    checkLinks(channel!, ["self"]);
    for (const item of childrenOf(channel!, "item", null)) {
      expectOnly(item, ITEM);
      expect(only(item, "title", null)).not.toBe("");
      expect(URL.canParse(only(item, "link", null))).toBe(true);
      expect(only(item, "guid", null)).toMatch(/^urn:uuid:/);
      expect(childrenOf(item, "guid", null)[0]!.getAttribute("isPermaLink")).toBe("false");
      expect(only(item, "pubDate", null)).toMatch(RFC822);
      expect(only(item, "updated")).toMatch(RFC3339);
    }
  });

  function expectOnly(parent: Element, names: string[]): void {
    const plain = elementsOf(parent).filter(({ namespaceURI }) => !namespaceURI);
    expect(plain.map(({ localName }) => localName).filter((name) => !names.includes(name!))).toEqual([]);
  }
});

describe("the JSON feed of a status page", () => {
  const ajv = new Ajv({ allErrors: true });
  addFormats.default(ajv);
  const isJsonFeed = ajv.compile(JSON_FEED_SCHEMA);

  test.each(PAGES)("keeps to JSON Feed 1.1: %s", (_name, page) => {
    for (const language of LANGUAGES) {
      const feed = JSON.parse(textAt(page, "/feed.json", { language }));
      expect(isJsonFeed(feed), JSON.stringify(isJsonFeed.errors)).toBe(true);
      expect(feed.language).toBe(language);
    }
  });

  test("has the same events as the others, by the same ids", () => {
    const page = SCENES.maintenance();
    const { items } = JSON.parse(textAt(page, "/feed.json"));
    const entries = childrenOf(parseXml(textAt(page, "/feed.atom")), "entry");
    expect(items.map(({ id }: { id: string }) => id)).toEqual(entries.map((entry) => only(entry, "id")));
    expect(items[0]).toMatchObject({
      title: "Maintenance: New search servers",
      tags: ["maintenance", "in_progress"],
    });
  });

  test("has what people wrote as they wrote it", () => {
    const { items } = JSON.parse(textAt(hostilePage(), "/feed.json"));
    expect(items.map(({ title }: { title: string }) => title)).toContain(HOSTILE.toWellFormed());
  });
});
