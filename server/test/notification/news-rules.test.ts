import { expect, test } from "vitest";
import type { MemberPart } from "../../src/incident/live-incident.ts";
import { type ChannelNews, newsInBrowsers, newsOf, type Said } from "../../src/notification/news-rules.ts";
import { type Fact, fact } from "../../src/texts/fact.ts";

const [LEAD, OTHER] = [1, 2];
const AT = Date.UTC(2026, 10, 23, 11, 1);
const since = new Date(AT).toISOString();

const SAID = {
  down: ["monitor.down", fact("notice.down", { name: "Shop", since })],
  up: ["monitor.up", fact("notice.up", { name: "Shop", since })],
  settled: ["monitor.settled", fact("notice.settled_up", { name: "Shop", since, unstable: 5_000 })],
} as const satisfies Record<string, readonly [Said["event"], Fact]>;

const MEMBER: MemberPart = { is: "member" };
const GRAVER: MemberPart = { is: "graver", than: "Router" };
const CAUSE: MemberPart = { is: "lead", after: { id: 9, name: "Router" } };
const ALL_UP: MemberPart = { is: "all-up" };

const inWords = ({ audience, monitorId, fact: { code }, otherwise, standing }: ChannelNews) =>
  [
    `${audience ?? "all"}: ${code.replace("notice.", "")} of ${monitorId}`,
    otherwise && `or ${otherwise.code.replace("notice.", "")}`,
    standing.as === "itself" ? null : `${standing.as} of ${standing.leadId}`,
  ]
    .filter(Boolean)
    .join(", ");

test.each([
  ["one that shares no incident", "down", OTHER, null, ["all: down of 2"], "down"],
  ["the end of its flapping", "settled", OTHER, null, ["all: settled_up of 2, or up"], "settled_up"],
  ["one that joins", "down", OTHER, MEMBER, ["people: down of 2, member of 1"], null],
  ["a graver one that joins", "down", OTHER, GRAVER, ["people: down_among of 2, graver of 1"], "down_among"],
  ["the cause that joins", "down", LEAD, CAUSE, ["people: down_among of 1"], "down_among"],
  ["the end of one, while others are down", "up", OTHER, MEMBER, ["people: up of 2, member of 1"], null],
  ["the end of the one that leads, while others are down", "up", LEAD, MEMBER, [], null],
  [
    ...(["one that has settled, while others are down", "settled", OTHER, MEMBER] as const),
    ...([["people: settled_up of 2, or up"], "settled_up"] as const),
  ],
  [
    ...(["the lead that has settled, while others are down", "settled", LEAD, MEMBER] as const),
    ...([["people: settled_up of 1"], "settled_up"] as const),
  ],
  [
    ...(["the last end, of the one that leads", "up", LEAD, ALL_UP] as const),
    ...([["people: recovered_together of 1"], "recovered_together"] as const),
  ],
  [
    ...(["the last end, of another", "up", OTHER, ALL_UP] as const),
    ...([["people: up of 2, member of 1", "people: recovered_together of 1"], "recovered_together"] as const),
  ],
  [
    ...(["the last end, of one that has settled", "settled", OTHER, ALL_UP] as const),
    ...([["people: settled_up of 2, or up", "people: recovered_together of 1"], "settled_up"] as const),
  ],
] as const)("%s", (_, what, monitorId, part, toPeople, inBrowsers) => {
  const [event, said] = SAID[what];
  const otherwise = what === "settled" ? SAID.up[1] : null;
  const own: Said = { monitorId, event, type: what === "down" ? "error" : "success", fact: said, otherwise };
  const together = part && { leadId: LEAD, leadName: "Shop", others: 3, part };
  const news = newsOf(own, together, AT);
  const [first, ...more] = news.map(inWords);
  if (together) {
    // Whatever the others do.
    expect(first).toBe(inWords({ ...own, audience: "programs", standing: { as: "itself" } }));
    expect(more).toEqual(toPeople);
  } else expect([first, ...more]).toEqual(toPeople);
  expect(newsInBrowsers(news)?.fact.code.replace("notice.", "") ?? null).toBe(inBrowsers);
});

test("who joins as graver, or as the cause, is told of with those that it joins", () => {
  const [event, said] = SAID.down;
  const own: Said = { monitorId: OTHER, event, type: "error", fact: said, otherwise: null };
  for (const part of [GRAVER, CAUSE]) {
    const [, told] = newsOf(own, { leadId: LEAD, leadName: "Shop", others: 3, part }, AT);
    expect(told?.fact.params).toEqual({ name: "Shop", since, count: 4, lead: "Router" });
  }
});
