import { expect, test } from "vitest";
import { type Said, sharedMessage } from "../../src/alerts/record-notifications.ts";
import type { MemberPart } from "../../src/incidents/live-incident.ts";
import { type MessageDescriptor, msg } from "../../src/platform/i18n/message.ts";

const [LEAD, OTHER] = [1, 2];
const AT = Date.UTC(2026, 10, 23, 11, 1);
const since = new Date(AT).toISOString();

const SAID = {
  down: ["monitor.down", msg("notification.down", { name: "Shop", since })],
  up: ["monitor.up", msg("notification.up", { name: "Shop", since })],
  stable: ["monitor.settled", msg("notification.stable_up", { name: "Shop", since, unstable: 5_000 })],
} as const satisfies Record<string, readonly [Said["event"], MessageDescriptor]>;

const MEMBER: MemberPart = { is: "member" };
const ESCALATION: MemberPart = { is: "escalation", than: "Router" };
const CAUSE: MemberPart = { is: "lead", after: { id: 9, name: "Router" } };
const ALL_UP: MemberPart = { is: "all-up" };

const codeOf = (said: MessageDescriptor | null) => said?.code.replace("notification.", "") ?? null;

test.each([
  ["one that shares no incident", "down", OTHER, null, "down"],
  ["the end of its flapping", "stable", OTHER, null, "stable_up"],
  ["one that joins", "down", OTHER, MEMBER, null],
  ["a more severe one that joins", "down", OTHER, ESCALATION, "down_among"],
  ["the cause that joins", "down", LEAD, CAUSE, "down_among"],
  ["the end of one, while others are down", "up", OTHER, MEMBER, null],
  ["the end of the one that leads, while others are down", "up", LEAD, MEMBER, null],
  ["one that is stable again, while others are down", "stable", OTHER, MEMBER, "stable_up"],
  ["the lead that is stable again, while others are down", "stable", LEAD, MEMBER, "stable_up"],
  ["the last end, of the one that leads", "up", LEAD, ALL_UP, "recovered_together"],
  ["the last end, of another", "up", OTHER, ALL_UP, "recovered_together"],
  ["the last end, of one that is stable again", "stable", OTHER, ALL_UP, "stable_up"],
  ["the last end, of the lead that is stable again", "stable", LEAD, ALL_UP, "recovered_together"],
] as const)("%s", (_, what, monitorId, part, shown) => {
  const [event, said] = SAID[what];
  const together = part && { leadId: LEAD, leadName: "Shop", others: 3, part };
  expect(codeOf(sharedMessage({ monitorId, event, message: said }, together, AT))).toBe(shown);
});

test("one that joins as more severe, or as the cause, is reported with those that it joins", () => {
  const [event, said] = SAID.down;
  for (const part of [ESCALATION, CAUSE]) {
    const together = { leadId: LEAD, leadName: "Shop", others: 3, part };
    const shown = sharedMessage({ monitorId: OTHER, event, message: said }, together, AT);
    expect(shown?.params).toEqual({ name: "Shop", since, count: 4, lead: "Router" });
  }
});
