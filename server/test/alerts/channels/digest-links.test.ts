import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import { digestOf } from "../../../src/alerts/channels/digest.ts";
import type { Outgoing } from "../../../src/alerts/channels/kind.ts";
import {
  jsonBytes,
  type Message,
  type NotifiedEvent,
  newMessage,
  utf8Bytes,
} from "../../../src/alerts/channels/message.ts";
import { type Words, wordsOf } from "../../../src/alerts/channels/message-words.ts";
import { channelKinds } from "../../../src/alerts/channels/registry.ts";
import { bodiesOf } from "../../../src/alerts/mail/mail-body.ts";
import type { MessageMonitor } from "../../../src/monitors/queries/monitor-names.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { CASES, type HttpType } from "./channel-cases.ts";
import { outgoingOf } from "./outgoing.ts";

const PUBLIC_URL = "https://vedette.test";
const READER = { language: "en", timeZone: "UTC" } as const;
const MONITOR: MessageMonitor = {
  ...{ id: 0, uuid: "", kind: "domain", name: "", type: "http", target: "https://shop.example/" },
  ...{ severity: "high", tags: [] },
};

let nextId = 0;
const of = (event: NotifiedEvent, name: string, known: Partial<MessageMonitor> & Partial<Message> = {}) => {
  nextId += 1;
  const { severity = "high", kind = "domain", id = nextId, ...more } = known;
  const monitor = { ...MONITOR, id, name, kind, severity };
  return newMessage({ event, type: "error", at: 0, descriptor: { code: "text" }, monitor, ...more });
};

const wordsIn = (messages: readonly Message[], publicUrl: string | null = PUBLIC_URL): Words =>
  wordsOf(digestOf(messages, false), READER, { now: 0, publicUrl });

describe("what a digest lists", () => {
  const refused = { reason: msg("refused", { where: "shop.example" }) };
  const blogs = Array.from({ length: 13 }, (_, at) =>
    of("monitor.down", `Blog ${at + 1}`, { id: 100 + at, severity: "low" }),
  );

  test("the five most severe of what is wrong, whatever happened to them, with reason and link", () => {
    const words = wordsIn([
      ...blogs,
      of("monitor.up", "Old", { id: 1, severity: "critical", type: "success" }),
      of("monitor.degraded", "Search", { id: 2, severity: "high", kind: "service" }),
      of("monitor.down", "Payments", { id: 3, severity: "critical", incidentId: 7, ...refused }),
      of("reminder", "Bank", { id: 4, severity: "critical", incidentId: 8 }),
      of("device.offline" as NotifiedEvent, "Router", { id: 5, severity: "medium", kind: "device" }),
    ]);
    expect(words.links).toEqual([
      { label: "Payments", url: `${PUBLIC_URL}/incidents/7` },
      { label: "Bank", url: `${PUBLIC_URL}/incidents/8` },
      { label: "Search", url: `${PUBLIC_URL}/services/2` },
      { label: "Router", url: `${PUBLIC_URL}/devices/5` },
      { label: "Blog 1", url: `${PUBLIC_URL}/domains/100` },
    ]);
    const lines = words.text
      .split("\n")
      .map((line) => line.replace(/ (?:at|on) [^:]*:\d\d(?: \(UTC\))?/, ""));
    expect(lines).toEqual([
      "14 monitors went down:",
      "• Payments (critical): shop.example refused the connection.",
      "• Blog 1 (low severity)",
      "• and 12 more",
      "1 device went offline:",
      "• Router (medium severity)",
      "1 monitor is still down and has not been acknowledged:",
      "• Bank (critical)",
      "1 monitor became degraded:",
      "• Search (high severity)",
      "1 monitor came back up: Old",
    ]);
    expect(words.title).toMatch(/^14 monitors are down, 1 device is offline, 1 monitor is still down, /);
  });

  test("nothing of what is up again, and names of what is less severe than those five", () => {
    const up = Array.from({ length: 3 }, (_, at) =>
      of("monitor.up", `Shop ${at + 1}`, { severity: "critical", type: "success" }),
    );
    expect(wordsIn(up).links).toEqual([]);
    expect(wordsIn(up).text).toMatch(/: Shop 1, Shop 2, Shop 3$/);
    const down = Array.from({ length: 5 }, (_, at) => of("monitor.down", `Shop ${at + 1}`));
    const degraded = of("monitor.degraded", "Blog", { severity: "low" });
    const words = wordsIn([...down, degraded]);
    expect(words.links.map(({ label }) => label)).not.toContain("Blog");
    expect(words.text).toMatch(/1 monitor became degraded [^\n]*: Blog$/);
  });

  test("incidents that people write about, by their titles in the reader's language", () => {
    const written = (incidentId: number, title: Message["title"]) =>
      newMessage({
        ...{ event: "incident.opened", type: "error", at: 0, descriptor: { code: "text" } },
        ...{ incidentId, severity: "critical", title },
      });
    const messages = [
      written(7, "Payments are slow"),
      written(8, msg("incident.down_over", { name: "Shop" })),
    ];
    const words = wordsOf(
      digestOf(messages, true),
      { language: "de", timeZone: "UTC" },
      { now: 0, publicUrl: PUBLIC_URL },
    );
    expect(words.links).toEqual([
      { label: "Payments are slow", url: `${PUBLIC_URL}/incidents/7` },
      { label: "Shop war ausgefallen", url: `${PUBLIC_URL}/incidents/8` },
    ]);
  });

  test("no link where the installation has no public address", () => {
    expect(wordsIn(blogs, null)).toMatchObject({ links: [], link: null });
  });

  test("the first ten by their names of what an older version wrote", () => {
    const digest = digestOf(blogs, false);
    const { mostSevere: _, ...older } = digest.digest ?? { isSummary: false, groups: [] };
    const words = wordsOf({ ...digest, digest: older }, READER, { now: 0, publicUrl: PUBLIC_URL });
    expect(words.links).toEqual([]);
    expect(words.text).toMatch(/• Blog 10 \(low severity\)\n• and 3 more$/);
  });
});

/** How each kind shows what a digest lists. An SMS has no room for it, and programs are sent no digests. */
type Form = "line" | "markdown" | "button" | "none";
const FORMS: Record<HttpType, Form> = {
  discord: "markdown",
  mattermost: "markdown",
  slack: "button",
  teams: "button",
  pagerduty: "button",
  telegram: "line",
  matrix: "line",
  ntfy: "line",
  gotify: "line",
  pushover: "line",
  apprise: "line",
  opsgenie: "line",
  twilio: "none",
  webhook: "none",
};

const HOSTILE = [
  "554 [Acknowledge](http://evil.test/a) now",
  "](http://evil.test) [x",
  "![t](http://evil.test/t.png)",
  "<!channel> <@U0123> <http://evil.test|x>",
  "@everyone *b* _i_ ~~s~~ `c` ||spoiler|| :tada:",
  "see http://evil.test/x and www.evil.test",
  "a \\[b](http://evil.test) &lt; \\\\",
];

function sentBy(type: HttpType, words: Partial<Outgoing["words"]>): unknown {
  const config = CASES[type].config("https://there.example/");
  const { body } = channelKinds[type].request(config as never, outgoingOf({ words }));
  return "json" in body ? body.json : "form" in body ? body.form : JSON.parse(body.text);
}

const stringsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

/** Objects that have a field of that name, at any depth. */
const having = (value: unknown, field: string): Record<string, unknown>[] =>
  typeof value === "object" && value !== null
    ? [
        ...(field in value ? [value as Record<string, unknown>] : []),
        ...Object.values(value).flatMap((one) => having(one, field)),
      ]
    : [];

interface Shown {
  label: string;
  url: string;
}

const seen = (text: string) => text.replaceAll("\u200b", "");

/** The links of Markdown, as a reader sees them. */
function markdownLinks(markdown: string): Shown[] {
  const found: Shown[] = [];
  const textOf = (node: { value?: string; children?: unknown[] }): string =>
    node.value ?? (node.children ?? []).map((child) => textOf(child as never)).join("");
  const visit = (node: { type: string; url?: string; children?: unknown[] }) => {
    if (node.type === "link" || node.type === "image")
      found.push({ label: seen(textOf(node)), url: node.url ?? "" });
    for (const child of node.children ?? []) visit(child as typeof node);
  };
  visit(fromMarkdown(markdown));
  return found;
}

const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What a reader of that kind sees as links to pages of this installation, or would be led to elsewhere. */
function shownBy(type: HttpType, body: unknown): Shown[] {
  if (FORMS[type] === "markdown") return stringsIn(body).flatMap(markdownLinks);
  if (type === "slack")
    return having(body, "url").map(({ text, url }) => ({
      ...{ label: unescaped((text as { text: string }).text), url: String(url) },
    }));
  if (type === "teams")
    return having(body, "url").map(({ title, url }) => ({ label: seen(String(title)), url: String(url) }));
  if (type === "pagerduty")
    return having(body, "href").map(({ text, href }) => ({ label: String(text), url: String(href) }));
  return stringsIn(body)
    .flatMap((text) => text.split("\n"))
    .flatMap((line) => {
      const [, label = "", url = ""] = /^(.*): (https:\/\/vedette\.test\/\S+)$/.exec(line) ?? [];
      return url === "" ? [] : [{ label: seen(label), url }];
    });
}

describe.each(Object.keys(FORMS) as HttpType[])("%s", (type) => {
  const text = "2 monitors went down:";
  const link = { label: "Open in Vedette", url: `${PUBLIC_URL}/incidents` };

  test("shows what a digest lists by its own means", () => {
    const links = [
      { label: "Payments", url: `${PUBLIC_URL}/incidents/7` },
      { label: "Router", url: `${PUBLIC_URL}/devices/5` },
    ];
    const shown = shownBy(type, sentBy(type, { text, details: [], links, link }));
    expect(shown.filter(({ url }) => url !== link.url)).toEqual(FORMS[type] === "none" ? [] : links);
    const none = shownBy(type, sentBy(type, { text, details: [], link: null }));
    expect(none).toEqual([]);
  });

  test.each(HOSTILE)("makes nothing but our link of the name %s", (name) => {
    const links = [{ label: name, url: `${PUBLIC_URL}/incidents/7` }];
    const body = sentBy(type, { title: "1 monitor is down", text, details: [], links, link });
    const shown = shownBy(type, body).filter(({ url }) => url !== link.url);
    expect(shown).toEqual(FORMS[type] === "none" ? [] : links);
    if (type === "slack") {
      for (const { text: label } of having(body, "url"))
        expect(label).toMatchObject({ type: "plain_text", emoji: false });
      expect(JSON.stringify(body)).not.toMatch(/<[!@#h]/);
    }
    if (type === "apprise") expect(JSON.stringify(body)).not.toMatch(/evil\.test\/[^"]*\]\(|http:\/\/evil/);
  });
});

test("a mail lists names with their links in both of its forms, and makes no other links of them", () => {
  const links = HOSTILE.map((label, at) => ({ label, url: `${PUBLIC_URL}/incidents/${at}` }));
  const said = { subject: "s", heading: "h", text: "t", links, action: null, ending: null, footer: null };
  const { text, html } = bodiesOf(said, null);
  for (const { label, url } of links) expect(text.split("\n")).toContain(`${label}: ${url}`);
  expect([...html.matchAll(/<a href="([^"]*)"/g)].map(([, url]) => url)).toEqual(links.map(({ url }) => url));
  expect(html).not.toMatch(/<img|<script|<http|<!channel/);
  expect(bodiesOf({ ...said, links: [] }, null).html).not.toContain("<a ");
});

describe("what a digest lists keeps to the limits, and no address is cut", () => {
  const LONG = "Zahlungen 😀 & [Kasse] <ä> ".repeat(200);
  /** What a service takes, and how it counts. */
  const LIMITS: Partial<Record<HttpType, (body: never) => number>> = {
    telegram: ({ text }: { text: string }) => text.length - 4_096,
    matrix: ({ body }: { body: string }) => body.length - 10_000,
    ntfy: ({ message }: { message: string }) => utf8Bytes(message) - 4_096,
    pushover: ({ message }: { message: string }) => message.length - 1_024,
    discord: ({ embeds: [embed] }: { embeds: [{ description: string }] }) => embed.description.length - 4_096,
    mattermost: ({ attachments: [one] }: { attachments: [{ text: string }] }) => one.text.length - 4_000,
    teams: (body: object) => utf8Bytes(JSON.stringify(body)) - 28_000,
    opsgenie: ({ description }: { description: string }) => description.length - 15_000,
    slack: (body: object) =>
      Math.max(...having(body, "elements").map(({ elements }) => (elements as unknown[]).length)) - 25,
  };

  test.each(Object.keys(LIMITS) as HttpType[])("%s", (type) => {
    for (const [host, atLeast] of [
      ["vedette.test", 5],
      [`${"x".repeat(60)}.${"y".repeat(60)}.vedette.test`, 1],
    ] as const) {
      const publicUrl = `https://${host}`;
      const messages = Array.from({ length: 13 }, (_, at) =>
        of("monitor.down", `${LONG}${at}`, {
          id: 100_000 + at,
          incidentId: 100_000 + at,
          reason: { code: "text", params: { text: LONG } },
        }),
      );
      const words = wordsIn(messages, publicUrl);
      const acknowledge = { label: "Acknowledge", url: `${publicUrl}/acknowledge#${"t".repeat(60)}` };
      const body = sentBy(type, { ...words, acknowledge });
      expect(LIMITS[type]?.(body as never)).toBeLessThanOrEqual(0);
      const text = stringsIn(body).join("\n");
      const whole = new Set(words.links.map(({ url }) => url));
      const found = [...text.matchAll(/https:\/\/[\w.]*vedette\.test\/incidents\/\d*/g)].map(([url]) => url);
      expect(found.filter((url) => !whole.has(url) && url !== words.link?.url)).toEqual([]);
      expect(new Set(found).size, `${type} at ${host}`).toBeGreaterThanOrEqual(atLeast);
      expect(text).toContain(acknowledge.url);
      expect(text.isWellFormed()).toBe(true);
      expect(jsonBytes(text)).toBeGreaterThan(500);
    }
  });
});
