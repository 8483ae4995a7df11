import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import type { Outgoing } from "../../../src/alerts/channels/kind.ts";
import { unlinkedName } from "../../../src/alerts/channels/message.ts";
import { channelKinds } from "../../../src/alerts/channels/registry.ts";
import { bodiesOf } from "../../../src/alerts/mail/mail-body.ts";
import { CASES, type HttpType } from "./channel-cases.ts";
import { outgoingOf } from "./outgoing.ts";

/** What a banner, an address that a redirect leads to or the author of a deployment may say. */
const HOSTILE = [
  "554 [Acknowledge](http://evil.test/a) now",
  "![t](http://evil.test/t.png)",
  "[Acknowledge][1] and [1]: http://evil.test",
  "<http://evil.test> <b>bold</b> <script>x</script>",
  "<!channel> <@U0123> <@&42> <#7> <t:1:R>",
  "@everyone @here @all",
  "see http://evil.test/x and www.evil.test",
  "*b* _i_ ~s~ ~~s~~ **b** __u__ `c` ||spoiler|| :tada:",
  "# heading",
  "> quoted",
  "- item",
  "1. item",
  "a \\[b](http://evil.test) &lt; \\\\",
];

/** How a kind's readers see its texts, and where they are in its request. */
type Format = "markdown" | "mrkdwn" | "runs" | "plain" | "handed on";
const FORMATS: Record<HttpType, Format> = {
  discord: "markdown",
  mattermost: "markdown",
  slack: "mrkdwn",
  teams: "runs",
  telegram: "plain",
  ntfy: "plain",
  gotify: "plain",
  pushover: "plain",
  pagerduty: "plain",
  matrix: "plain",
  opsgenie: "plain",
  twilio: "plain",
  apprise: "handed on",
  webhook: "plain",
};

/** Fields of which another value would have the other side read marks in a text. */
const READS_MARKS =
  /"(?:parse_mode|formatted_body|html)"|"markdown":true|"format":"(?!text")|"contentType":"text\/markdown"|[?&]html=1|"type":"(?:TextBlock|FactSet)"/;

const bodyOf = (type: HttpType, hostile: string, more: Partial<Outgoing["words"]> = {}): string => {
  const words = { title: hostile, text: hostile, details: [{ label: "Banner", value: hostile }], ...more };
  const { body } = channelKinds[type].request(
    CASES[type].config("https://there.example/") as never,
    outgoingOf({ words }),
  );
  return "json" in body ? JSON.stringify(body.json) : JSON.stringify(body);
};

/**
 * All texts in a body, at any depth, but those that the other side shows as plain text: what replaces an attachment,
 * and in Mattermost captions, and titles that are links.
 */
function textsIn(value: unknown, isPlain: (name: string, of: object) => boolean): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    isPlain(name, value) ? [] : textsIn(inner, isPlain),
  );
}

const plainIn = (type: HttpType) => (name: string, of: object) =>
  name === "fallback" || (type === "mattermost" && name === "title" && ("title_link" in of || "short" in of));

const seen = (text: string) => text.replaceAll("\u200b", "");

/** What a reader sees of Markdown, and which of its marks are more than text. */
function rendered(markdown: string): { text: string; marks: string[] } {
  let text = "";
  const marks: string[] = [];
  const visit = (node: { type: string; value?: string; children?: unknown[] }) => {
    if (node.type === "text") text += node.value ?? "";
    else if (!["root", "paragraph"].includes(node.type)) marks.push(node.type);
    for (const child of node.children ?? []) visit(child as typeof node);
  };
  visit(fromMarkdown(markdown));
  return { text: seen(text), marks };
}

/** A link, an emoji, a mention or a channel's name that a program finds in a text by itself. */
const LIVE = /\w:\/\/|\bwww\.\w|@\w|<[\w@!#/]|\]\(|:tada:/;

describe.each(Object.keys(FORMATS) as HttpType[])("%s", (type) => {
  test.each(HOSTILE)("says what others wrote as it is: %s", (hostile) => {
    const body = bodyOf(type, hostile);
    expect(body).not.toMatch(READS_MARKS);
    const texts = textsIn(JSON.parse(body), plainIn(type));
    const known = new Set(["https://vedette.test/domains/1", "https://shop.example/"]);
    const own = texts
      .filter((text) => !known.has(text) && !text.startsWith("http://adaptivecards.io/"))
      .map((text) => text.replace(/\n\nhttps:\/\/vedette\.test\/domains\/1$/, ""));
    if (FORMATS[type] === "plain") {
      const forms = [hostile, encodeURIComponent(hostile), JSON.stringify(hostile).slice(1, -1)];
      expect(own.some((text) => forms.some((form) => text.includes(form)))).toBe(true);
      return;
    }
    for (const text of own) expect([type, text, LIVE.test(text)]).toEqual([type, text, false]);
    if (FORMATS[type] === "markdown") {
      const shown = own.map(rendered);
      // The bar of a heading, a list or a quotation would be lost with the mark.
      expect(shown.filter(({ text }) => text === hostile).length).toBeGreaterThanOrEqual(
        type === "mattermost" ? 2 : 3,
      );
      expect(shown.flatMap(({ marks }) => marks)).toEqual([]);
    }
    if (FORMATS[type] === "mrkdwn") {
      expect(
        own.filter((text) => /<|(?<![\w;\u200b])[*_~`](?=\S)/.test(text.replace(/^\*[^\n]*\*\n/, ""))),
      ).toEqual([]);
      expect(body).toContain('"verbatim":true');
    }
    if (FORMATS[type] === "handed on") {
      expect(own.filter((text) => seen(text).includes(hostile)).length).toBe(2);
    }
    if (FORMATS[type] === "runs") expect(own.map(seen).filter((text) => text === hostile)).toHaveLength(3);
  });
});

test("Mattermost shows titles with a link and captions as they are, and a title without one, too", () => {
  const name = "shop_front [eu] *1* #2";
  const details = [{ label: name, value: name }];
  const attachment = (more: object) => {
    const { attachments } = JSON.parse(bodyOf("mattermost", name, { details, ...more }));
    return attachments[0] as { title: string; text: string; fields: { title: string; value: string }[] };
  };
  const linked = attachment({});
  expect([linked.title, linked.fields[0]?.title]).toEqual([name, name]);
  const alone = attachment({ link: null });
  for (const text of [linked.text, linked.fields[0]?.value, alone.title, alone.text]) {
    expect(text).not.toBe(name);
    expect(rendered(text ?? "")).toEqual({ text: name, marks: [] });
  }
  expect(alone.fields[0]?.title).toBe(name);
});

test("a mail makes no link of what others wrote, and none of a name in its footer", () => {
  for (const hostile of HOSTILE) {
    const said = { subject: hostile, heading: hostile, text: hostile, action: null, ending: hostile };
    const { html } = bodiesOf({ ...said, footer: `Sent to ${unlinkedName(hostile)}` }, null);
    expect(html).not.toMatch(/<a |<img|<script|<b>/);
  }
});
