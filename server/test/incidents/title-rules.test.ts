import { describe, expect, test } from "vitest";
import { titleMessage, titleOfOutage, unlessWritten } from "../../src/incidents/title-rules.ts";
import { de } from "../../src/platform/i18n/de.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../src/platform/i18n/message.ts";
import { formatsOf, renderMessage } from "../../src/platform/i18n/render.ts";
import { zh } from "../../src/platform/i18n/zh.ts";

const inAll = (said: MessageDescriptor | null) =>
  said && [
    inEnglish(said),
    renderMessage(de, said, formatsOf("de", "UTC")),
    renderMessage(zh, said, formatsOf("zh", "UTC")),
  ];

describe("the title of an outage's incident", () => {
  test.each([
    [0, false, ["Shop is down", "Shop ist ausgefallen", "Shop 发生故障"]],
    [0, true, ["Shop was down", "Shop war ausgefallen", "Shop 曾发生故障"]],
    [
      1,
      false,
      [
        "Shop and 1 other monitor are down",
        "Shop und 1 weiterer Monitor sind ausgefallen",
        "Shop 及另外 1 个监控项发生故障",
      ],
    ],
    [
      17,
      true,
      [
        "Shop and 17 others were down",
        "Shop und 17 weitere Monitore waren ausgefallen",
        "Shop 及另外 17 个监控项曾发生故障",
      ],
    ],
  ] as const)("says its state in three languages: %i others, over: %s", (others, isOver, titles) => {
    expect(inAll(titleMessage({ titleMessage: titleOfOutage("Shop", others) }, { isOver }))).toEqual(titles);
  });

  test("stays as a person wrote it", () => {
    expect(titleMessage({ titleMessage: null }, { isOver: true })).toBeNull();
  });
});

describe("new words of an incident", () => {
  const ofTitle = { title: "Shop and 1 other monitor are down", titleMessage: titleOfOutage("Shop", 1) };
  const ofDescription = { description: "Both.", descriptionMessage: msg("check.passed") };

  test.each([
    [
      "nothing was written",
      { titleMessage: titleOfOutage("Shop"), descriptionMessage: msg("check.passed") },
      true,
      true,
    ],
    ["the title was", { titleMessage: null, descriptionMessage: msg("check.passed") }, false, true],
    ["the description was", { titleMessage: titleOfOutage("Shop"), descriptionMessage: null }, true, false],
    ["both were", { titleMessage: null, descriptionMessage: null }, false, false],
  ] as const)("replace what no person wrote: %s", (_, known, title, description) => {
    expect(unlessWritten(known, { ...ofTitle, ...ofDescription })).toEqual({
      ...(title && ofTitle),
      ...(description && ofDescription),
    });
  });
});
