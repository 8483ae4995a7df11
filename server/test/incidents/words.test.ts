import { describe, expect, it } from "vitest";
import { notificationMessage } from "../../src/alerts/event-rules.ts";
import { messageOfOutage, messageOfResolution } from "../../src/incidents/rules.ts";
import { durationInWords, inEnglish } from "../../src/platform/i18n/english.ts";
import { aReason } from "../harness/reasons.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const AT = Date.UTC(2026, 10, 21, 9, 30);

describe("a duration in words", () => {
  it.each([
    [0, "1 second"],
    [1_400, "1 second"],
    [59 * SECOND, "59 seconds"],
    [MINUTE, "1 minute"],
    [2 * MINUTE + 5 * SECOND, "2 minutes 5 seconds"],
    [HOUR, "1 hour"],
    [HOUR + 30 * SECOND, "1 hour"],
    [3 * HOUR + 5 * MINUTE + 9 * SECOND, "3 hours 5 minutes"],
    [2 * DAY + HOUR, "2 days 1 hour"],
    [-5, "1 second"],
  ])("of %i ms is %s", (ms, words) => {
    expect(durationInWords(ms)).toBe(words);
  });
});

describe("the words of an incident", () => {
  it("say what, since when and why", () => {
    const outage = { monitorName: "shop", startedAt: AT, reason: aReason("dns", "The name has no address.") };
    expect(inEnglish(messageOfOutage(outage))).toBe(
      "shop has not been working since 2026-11-21 09:30:00 UTC. The name has no address.",
    );
    expect(inEnglish(messageOfOutage({ ...outage, reason: null }))).toBe(
      "shop has not been working since 2026-11-21 09:30:00 UTC.",
    );
  });

  it("say how long it lasted", () => {
    const end = { monitorName: "shop", startedAt: AT, at: AT + 90 * SECOND } as const;
    expect(inEnglish(messageOfResolution({ ...end, cause: "recovered" }))).toBe(
      "shop works again. It was down for 1 minute 30 seconds.",
    );
    expect(inEnglish(messageOfResolution({ ...end, cause: "ended" }))).toBe(
      "shop is no longer monitored, so this incident was closed after 1 minute 30 seconds. Whether it works again is not known.",
    );
  });
});

describe("the words of a notification", () => {
  it.each([
    ["monitor.down", "Refused.", null, "shop has been down since 2026-11-21 09:30:00 UTC. Refused."],
    ["monitor.up", null, HOUR, "shop has been up again since 2026-11-21 09:30:00 UTC, after 1 hour."],
    ["monitor.up", null, null, "shop has been fully up again since 2026-11-21 09:30:00 UTC."],
    ["monitor.degraded", "Slow!", null, "shop has been degraded since 2026-11-21 09:30:00 UTC. Slow!"],
    ["monitor.degraded", null, null, "shop has been degraded since 2026-11-21 09:30:00 UTC."],
  ] as const)("of %s name the monitor and the time", (event, why, outageMs, message) => {
    const reason = why === null ? null : aReason("slow", why);
    const notification = { type: "notification", event, at: AT + 999, reason, outageAt: null } as const;
    expect(inEnglish(notificationMessage({ name: "shop", kind: "domain" }, notification, outageMs))).toBe(
      message,
    );
  });
});
