import { describe, expect, test } from "vitest";
import { titleFact } from "../../src/incident/title-rules.ts";
import { de } from "../../src/texts/de.ts";
import { inEnglish } from "../../src/texts/english.ts";
import { type Fact, fact } from "../../src/texts/fact.ts";
import { formatsOf } from "../../src/texts/formats.ts";
import { renderFact } from "../../src/texts/render.ts";
import { zh } from "../../src/texts/zh.ts";

const since = "2026-11-21T09:30:00.000Z";
const alone = fact("incident.outage", { name: "Shop", since });
const several = (others: number) => fact("incident.outages", { name: "Shop", others, since });

const inAll = (said: Fact | null) =>
  said && [
    inEnglish(said),
    renderFact(de, said, formatsOf("de", "UTC")),
    renderFact(zh, said, formatsOf("zh", "UTC")),
  ];

const incident = (own: { fact: Fact | null; title?: string; automatic?: boolean }) => ({
  ...{ title: "Shop is down", automatic: true, affectedServices: [{ name: "Mail" }, { name: "Shop" }] },
  ...own,
});

describe("the title of an outage's incident", () => {
  test.each([
    [alone, false, ["Shop is down", "Shop ist ausgefallen", "Shop 发生故障"]],
    [alone, true, ["Shop was down", "Shop war ausgefallen", "Shop 曾发生故障"]],
    [
      several(1),
      false,
      [
        "Shop and 1 other monitor are down",
        "Shop und 1 weiterer Monitor sind ausgefallen",
        "Shop 及另外 1 个监控项发生故障",
      ],
    ],
    [
      several(17),
      true,
      [
        "Shop and 17 others were down",
        "Shop und 17 weitere Monitore waren ausgefallen",
        "Shop 及另外 17 个监控项曾发生故障",
      ],
    ],
  ] as const)("says how it stands in three languages: %o, over: %s", (told, isOver, titles) => {
    expect(inAll(titleFact(incident({ fact: told }), { isOver }))).toEqual(titles);
  });

  test.each([
    ["Shop is down", "Shop was down"],
    ["Shop and 1 other monitor are down", "Shop and 1 other monitor were down"],
    ["Shop and 20 others are down", "Shop and 20 others were down"],
    ["Shop and 2 more are down", "Shop and 2 others were down"],
  ])(
    "is ours though a person has changed the description, or an older version wrote it: %s",
    (title, past) => {
      const said = titleFact(incident({ title, fact: null }), { isOver: true });
      expect(said && inEnglish(said)).toBe(past);
    },
  );

  test.each([
    ["A person called it", incident({ title: "The shop is on fire", fact: null })],
    ["A person opened it", incident({ fact: null, automatic: false })],
    ["It is about something else", incident({ title: "Bank is down", fact: null })],
  ])("stays as it is written: %s", (_why, own) => {
    expect(titleFact(own, { isOver: true })).toBeNull();
  });
});
