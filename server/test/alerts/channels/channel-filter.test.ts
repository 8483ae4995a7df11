import { expect, test } from "vitest";
import { type ChannelFilter, type Filtered, type Hours, wants } from "../../../src/alerts/channels/filter.ts";
import { areSentAt } from "../../../src/alerts/channels/hours.ts";

const everything: ChannelFilter = {
  events: [],
  severities: [],
  tags: [],
  hours: null,
};
const down: Filtered = { event: "monitor.down", severity: "high", tags: ["shop", "eu"] };
const update: Filtered = { ...down, event: "incident.updated" };

test.each<[string, Partial<ChannelFilter>, Filtered, boolean]>([
  ["nothing narrows", {}, down, true],
  ["its event", { events: ["monitor.down"] }, down, true],
  ["another event", { events: ["monitor.degraded"] }, down, false],
  ["its severity", { severities: ["critical", "high"] }, down, true],
  ["another severity", { severities: ["critical"] }, down, false],
  ["one of its tags", { tags: ["eu", "us"] }, down, true],
  ["none of its tags", { tags: ["us"] }, down, false],
  ["tags, and it has none", { tags: ["us"] }, { ...down, tags: [] }, false],
  ["severity fits, tag does not", { severities: ["high"], tags: ["us"] }, down, false],
])("an outage, where the filter names %s: %o", (_, filter, filtered, expected) => {
  expect(wants({ ...everything, ...filter }, filtered, false)).toBe(expected);
});

test.each<[string, Partial<ChannelFilter>, boolean, boolean]>([
  [
    "notified, whatever severity, tag and hour",
    { severities: ["low"], tags: ["us"], hours: { days: ["monday"] } },
    true,
    true,
  ],
  ["not notified", { severities: ["low"] }, false, false],
  ["notified, but does not want updates", { events: ["incident.opened"] }, true, false],
  ["not notified, and wants updates", { events: ["incident.updated"] }, false, true],
])("an update, to who was %s", (_, filter, wasNotified, expected) => {
  expect(wants({ ...everything, ...filter }, update, wasNotified)).toBe(expected);
});

test.each<[Hours, string, string, boolean]>([
  [{ days: ["wednesday"] }, "UTC", "2026-11-25T00:00Z", true],
  [{ days: ["wednesday"] }, "UTC", "2026-11-24T23:59Z", false],
  // Another day already, there.
  [{ days: ["wednesday"] }, "Asia/Tokyo", "2026-11-24T15:00Z", true],
  [{ days: ["wednesday"] }, "America/New_York", "2026-11-25T04:59Z", false],
  [{ from: "08:00", to: "18:00" }, "UTC", "2026-11-25T08:00Z", true],
  [{ from: "08:00", to: "18:00" }, "UTC", "2026-11-25T17:59Z", true],
  [{ from: "08:00", to: "18:00" }, "UTC", "2026-11-25T18:00Z", false],
  [{ from: "08:00", to: "18:00" }, "UTC", "2026-11-25T07:59Z", false],
  [{ from: "18:00" }, "UTC", "2026-11-25T23:59Z", true],
  [{ from: "18:00" }, "UTC", "2026-11-25T00:00Z", false],
  [{ to: "06:00" }, "UTC", "2026-11-25T05:59Z", true],
  [{ to: "06:00" }, "UTC", "2026-11-25T06:00Z", false],
  // Over midnight, it belongs to the day on which it begins.
  [{ days: ["wednesday"], from: "22:00", to: "06:00" }, "UTC", "2026-11-25T22:00Z", true],
  [{ days: ["wednesday"], from: "22:00", to: "06:00" }, "UTC", "2026-11-26T05:59Z", true],
  [{ days: ["wednesday"], from: "22:00", to: "06:00" }, "UTC", "2026-11-26T06:00Z", false],
  [{ days: ["wednesday"], from: "22:00", to: "06:00" }, "UTC", "2026-11-25T05:59Z", false],
  [{ days: ["sunday"], from: "22:00", to: "06:00" }, "UTC", "2026-11-30T01:00Z", true],
  // Berlin: the hour from two to three is not there on 28 March 2027, and twice there on 25 October 2026.
  [{ from: "02:00", to: "03:00" }, "Europe/Berlin", "2027-03-28T00:59Z", false],
  [{ from: "02:00", to: "03:00" }, "Europe/Berlin", "2027-03-28T01:00Z", false],
  [{ from: "03:00", to: "04:00" }, "Europe/Berlin", "2027-03-28T01:00Z", true],
  [{ from: "02:00", to: "03:00" }, "Europe/Berlin", "2026-10-25T00:30Z", true],
  [{ from: "02:00", to: "03:00" }, "Europe/Berlin", "2026-10-25T01:30Z", true],
  [{ from: "02:00", to: "03:00" }, "Europe/Berlin", "2026-10-25T02:00Z", false],
  // A quarter of an hour off the full one.
  [{ from: "17:45", to: "18:00" }, "Asia/Kathmandu", "2026-11-25T12:00Z", true],
])("hours %o in %s, at %s: %o", (hours, timeZone, moment, expected) => {
  expect(areSentAt(hours, Date.parse(moment), timeZone)).toBe(expected);
});
