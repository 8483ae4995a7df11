import { expect, test } from "vitest";
import { messageOfSuspect, shortVersion, suspectOf } from "../../../src/integrations/deployments/rules.ts";
import { de } from "../../../src/platform/i18n/de.ts";
import { en } from "../../../src/platform/i18n/en.ts";
import type { MessageDescriptor } from "../../../src/platform/i18n/message.ts";
import { formatsOf, renderMessage } from "../../../src/platform/i18n/render.ts";
import { zh } from "../../../src/platform/i18n/zh.ts";

const MINUTE = 60_000;
const AT = Date.UTC(2026, 10, 24, 12);
const deployed = (startedMinutesAgo: number, finishedMinutesAgo: number | null, more: object = {}) => ({
  ...{ id: 1, name: "shop", version: "1a2b3c", author: "CI" },
  startedAt: AT - startedMinutesAgo * MINUTE,
  finishedAt: finishedMinutesAgo === null ? null : AT - finishedMinutesAgo * MINUTE,
  ...more,
});
type One = ReturnType<typeof deployed>;

test.each<[string, One[], number | null]>([
  ["ended 3 minutes before", [deployed(8, 3)], 0],
  ["ended 15 minutes before", [deployed(20, 15)], 0],
  ["ended longer ago", [deployed(20, 15.1)], null],
  ["was under way", [deployed(40, -5)], 0],
  ["began later", [deployed(-1, -2)], null],
  ["began lately, and its end is unknown", [deployed(14, null)], 0],
  ["began long ago, and its end is unknown", [deployed(16, null)], null],
  ["is the nearest of several", [deployed(9, 8), deployed(3, 2, { id: 2 }), deployed(12, 11, { id: 3 })], 1],
  ["is the last reported of two at one moment", [deployed(3, 2), deployed(3, 2, { id: 2 })], 1],
  ["is not there", [], null],
])("a deployment that %s", (_what, all, index) => {
  expect(suspectOf(all, AT)).toBe(index === null ? null : all[index]);
});

const said = (message: MessageDescriptor) => [
  renderMessage(en, message, formatsOf("en", "UTC")),
  renderMessage(de, message, formatsOf("de", "UTC")),
  renderMessage(zh, message, formatsOf("zh", "UTC")),
];

test("is named in each language", () => {
  expect(said(messageOfSuspect(deployed(8, 3), AT))).toEqual([
    "Started 3 minutes after deployment 1a2b3c of shop by CI.",
    "Begann 3 Minuten nach dem Deployment 1a2b3c von shop durch CI.",
    "开始于 shop 的部署 1a2b3c（CI）之后 3 分钟。",
  ]);
  const bare = deployed(2, -2, { version: null, author: null });
  expect(said(messageOfSuspect(bare, AT))).toEqual([
    "Started while deployment of shop was under way.",
    "Begann während des Deployments von shop.",
    "开始于 shop 的部署进行期间。",
  ]);
});

test("a commit is said by its beginning, a version as it is", () => {
  expect(shortVersion("1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b")).toBe("1a2b3c4");
  expect(shortVersion("v2.14.0-rc.1")).toBe("v2.14.0-rc.1");
});
