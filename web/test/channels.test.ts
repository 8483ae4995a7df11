import { expect, test } from "vitest";
import { alertedBy, type Channel } from "../src/api/channels.ts";

const channel = (settings: Partial<Channel>) =>
  ({ enabled: true, confirmed: true, events: [], severities: [], tags: [], ...settings }) as Channel;

test.each<[string, Partial<Channel>, boolean]>([
  ["of everything", {}, true],
  ["turned off", { enabled: false }, false],
  ["not confirmed", { confirmed: false }, false],
  ["of outages", { events: ["monitor.down"] }, true],
  ["of other events only", { events: ["monitor.degraded"] }, false],
  ["of its severity", { severities: ["high", "critical"] }, true],
  ["of another severity", { severities: ["low"] }, false],
  ["of its tag", { tags: ["shop", "mail"] }, true],
  ["of another tag", { tags: ["mail"] }, false],
])("a channel %s: is notified when the monitor goes down or not", (_, settings, isReported) => {
  const monitor = { severity: "high", tags: ["shop"] } as const;
  expect(alertedBy([channel(settings)], monitor).length).toBe(isReported ? 1 : 0);
});

test("a severity that is not known lets the filter through", () => {
  expect(alertedBy([channel({ severities: ["low"] })], { tags: [] }).length).toBe(1);
});
