import { expect, test } from "vitest";
import { cut, utf8Bytes } from "../../../src/alerts/channels/message.ts";
import { composed } from "../../../src/alerts/channels/post.ts";
import { channelKinds } from "../../../src/alerts/channels/registry.ts";
import { CASES, type HttpType } from "./channel-cases.ts";
import { outgoingOf } from "./outgoing.ts";

test.each([
  ["short enough", 12, "short enough"],
  ["cut after a word", 12, "cut after a…"],
  ["cut after a word", 11, "cut after…"],
  ["cut after, too", 11, "cut after,…"],
  ["ends with this word", 10, "ends with…"],
  ["x".repeat(60), 10, `${"x".repeat(9)}…`],
  [`a ${"x".repeat(60)}`, 50, `a ${"x".repeat(47)}…`],
  ["全部服务都无法访问", 5, "全部服务…"],
  ["😀😀😀", 4, "😀…"],
  ["😀😀😀", 5, "😀😀…"],
  ["", 0, ""],
])("%o is cut to %d: %o", (text, limit, expected) => {
  expect(cut(text, limit)).toBe(expected);
});

test("what counts otherwise is cut by how it counts", () => {
  expect(cut("grün und blau", 11, utf8Bytes)).toBe("grün…");
  const inEntities = (text: string) => text.replaceAll("&", "&amp;").length;
  expect(cut("&&&&&&", 16, inEntities)).toBe("&&&…");
});

const LONG = "one 😀& two <three> ".repeat(2_000);
const long = {
  title: LONG,
  text: LONG,
  details: Array.from({ length: 30 }, () => ({ label: LONG, value: LONG })),
};

const lengthsAt = (value: unknown): Record<string, number> => {
  const found: Record<string, number> = {};
  const walk = (inner: unknown, name: string) => {
    if (typeof inner === "string") found[name] = Math.max(found[name] ?? 0, inner.length);
    else if (Array.isArray(inner)) {
      found[`${name}[]`] = Math.max(found[`${name}[]`] ?? 0, inner.length);
      for (const one of inner) walk(one, name);
    } else if (typeof inner === "object" && inner !== null) {
      for (const [key, one] of Object.entries(inner)) walk(one, key);
    }
  };
  walk(value, "");
  return found;
};

/** By the names in the body: the most that the provider takes of it. */
const LIMITS: Partial<Record<HttpType, Record<string, number>>> = {
  slack: { text: 4_000, "fields[]": 10, "blocks[]": 50 },
  discord: { title: 256, description: 4_096, "fields[]": 25, name: 256, value: 1_024 },
  telegram: { text: 4_096 },
  pushover: { title: 250, message: 1_024, url: 512, url_title: 100 },
  pagerduty: { summary: 1_024, dedup_key: 255 },
  opsgenie: { message: 130, description: 15_000, entity: 512, "tags[]": 20, note: 25_000 },
  twilio: { Body: 1_600 },
  matrix: { body: 10_000 },
};

test.each(Object.entries(LIMITS) as [HttpType, Record<string, number>][])(
  "%s gets no more than it takes, and no half characters",
  (type, limits) => {
    const outgoing = outgoingOf({ words: long, target: `https://shop.example/${"x".repeat(3_000)}` });
    const request = channelKinds[type].request(
      CASES[type].config("https://there.example/") as never,
      outgoing,
    );
    const body = "json" in request.body ? request.body.json : "form" in request.body ? request.body.form : {};
    const lengths = lengthsAt(body);
    for (const [name, limit] of Object.entries(limits)) {
      expect([name, lengths[name] ?? 0]).toEqual([name, expect.any(Number)]);
      expect(lengths[name] ?? 0, name).toBeLessThanOrEqual(limit);
    }
    expect(composed(request).body.isWellFormed()).toBe(true);
    expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/i);
  },
);

test("Slack's fields and sections keep to their limits once escaped", () => {
  const { body } = channelKinds.slack.request({ url: "https://there.example/" }, outgoingOf({ words: long }));
  const [section, fields] = (body as { json: { attachments: [{ blocks: [Section, Section] }] } }).json
    .attachments[0].blocks;
  expect(section.text?.text.length).toBeLessThanOrEqual(3_000);
  expect(Math.max(...(fields.fields ?? []).map(({ text }) => text.length))).toBeLessThanOrEqual(2_000);
  expect(section.text?.text).not.toMatch(/&(?!amp;|lt;|gt;)/);
});

interface Section {
  text?: { text: string };
  fields?: { text: string }[];
}

test("all of a Discord embed is within 6,000 characters", () => {
  const { body } = channelKinds.discord.request(
    { url: "https://there.example/" },
    outgoingOf({ words: long }),
  );
  const [embed] = (body as { json: { embeds: [Embed] } }).json.embeds;
  const fields = embed.fields.map(({ name, value }) => name.length + value.length);
  const all = embed.title.length + embed.description.length + fields.reduce((sum, one) => sum + one, 0);
  expect(all).toBeLessThanOrEqual(6_000);
  expect(embed.description.length).toBeGreaterThan(100);
});

interface Embed {
  title: string;
  description: string;
  fields: { name: string; value: string }[];
}

test("a message of ntfy is within 4,096 bytes, and one of Teams within 28 kB", () => {
  const config = { topic: "oncall" };
  const ntfy = channelKinds.ntfy.request(config, outgoingOf({ words: long }));
  const { message } = (ntfy.body as { json: { message: string } }).json;
  expect(utf8Bytes(message)).toBeLessThanOrEqual(4_096);
  const teams = channelKinds.teams.request({ url: "https://there.example/" }, outgoingOf({ words: long }));
  expect(utf8Bytes(composed(teams).body)).toBeLessThan(28_000);
});
