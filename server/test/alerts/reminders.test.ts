import { expect, test } from "vitest";
import {
  type Alert,
  type Condition,
  newAlert,
  type Observed,
  type Policy,
  type Reader,
} from "../../src/alerts/alert.ts";
import { REMINDERS, type Reminder } from "../../src/alerts/channels/filter.ts";
import { policyOf } from "../../src/alerts/policy.ts";
import type { Channel } from "../../src/alerts/queries/channels.ts";
import { step } from "../../src/alerts/rules.ts";
import type { Severity } from "../../src/platform/monitor-defaults.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const AT = 12 * HOUR_MS;
const TYPES = { people: "mattermost", pager: "pagerduty", machine: "webhook" } as const;

const policyWith = (reminder: Reminder, reader: Reader, hours: Channel["hours"] = null): Policy => {
  const channel = { enabled: true, disabledReason: null, userId: null, confirmedAt: 0, timeZone: "UTC" };
  const known = { ...channel, hours, reminder, type: TYPES[reader] } as unknown as Channel;
  return policyOf({ signup: "closed", smtp: null }, known);
};

interface Of {
  severity: Severity;
  condition?: Condition;
  heldBy?: Observed["heldBy"];
}

const observedOf = (members: readonly Of[], at: number, acknowledgedAt: number | null = null) => ({
  ...{ type: "observed" as const, at },
  members: members.map(
    ({ severity, condition = "down", heldBy = null }, monitorId): Observed => ({
      ...{
        monitorId,
        severity,
        condition,
        heldBy,
        parentId: null,
        since: AT,
        isWanted: true,
        isFollowed: true,
      },
      ...{ isEndWanted: true, isUnwatched: false, isAcknowledged: acknowledgedAt !== null },
    }),
  ),
});

/** Lets time pass until there is nothing to send by then: the monitors that each reminder names, with its time. */
function remindersOf(alert: Alert, policy: Policy, until: number): { at: number; of: number[] }[] {
  const found: { at: number; of: number[] }[] = [];
  let now = AT;
  let next = alert;
  while (next.nextAt !== null && next.nextAt <= until) {
    now = Math.max(now, next.nextAt);
    const deliveryId = `${now}`;
    const { alert: sent, notifications } = step(next, { type: "time", deliveryId }, policy, now);
    next = sent;
    for (const { isReminder, current } of notifications) {
      if (isReminder) found.push({ at: now - AT, of: current.map(({ monitorId }) => monitorId) });
      const says = current.map(({ monitorId, condition }) => ({ monitorId, condition }));
      next = step(next, { type: "delivered", deliveryId, says }, policy, now).alert;
    }
  }
  return found;
}

const SEVERITIES_OF: readonly Of[] = [
  { severity: "low" },
  { severity: "critical" },
  { severity: "high" },
  { severity: "critical" },
];

test.each<[Reminder, number, number[]]>([
  ["never", 0, []],
  ["critical", 4 * HOUR_MS, [1, 3]],
  ["15m", 15 * MINUTE_MS, [0, 1, 2, 3]],
  ["1h", HOUR_MS, [0, 1, 2, 3]],
  ["4h", 4 * HOUR_MS, [0, 1, 2, 3]],
])("%s: people, pagers and machines are reminded after %d ms of %o", (reminder, afterMs, ids) => {
  for (const reader of ["people", "pager", "machine"] as const) {
    const policy = policyWith(reminder, reader);
    const { alert } = step(newAlert(), observedOf(SEVERITIES_OF, AT), policy, AT);
    const found = remindersOf(alert, policy, AT + afterMs + MINUTE_MS);
    expect(found.flatMap(({ of }) => of).toSorted()).toEqual(ids);
    // A machine gets an event for each, from its first one on, which waits a little.
    const first = reader === "machine" ? 5_000 : 0;
    for (const { at } of found) expect(at).toBe(afterMs + first);
    expect(found).toHaveLength(reader === "machine" ? ids.length : Math.min(ids.length, 1));
  }
  expect(REMINDERS).toContain(reminder);
});

test.each<[string, Of[], number[] | null]>([
  ["a low monitor alone", [{ severity: "low" }], null],
  [
    "a critical one of which a window holds messages",
    [{ severity: "critical", heldBy: "maintenance" }],
    null,
  ],
  [
    "a critical one behind its parent",
    [{ severity: "low" }, { severity: "critical", heldBy: "parent" }],
    null,
  ],
  ["a critical one that is degraded", [{ severity: "critical", condition: "degraded" }], null],
  ["a critical one that flaps", [{ severity: "critical", condition: "flapping" }], null],
  ["a critical one that stopped reporting", [{ severity: "critical", condition: "stopped" }], null],
  ["a critical device in a critical state", [{ severity: "critical", condition: "critical" }], [0]],
  [
    "what is down beside what is degraded",
    [{ severity: "critical", condition: "degraded" }, { severity: "critical" }],
    [1],
  ],
])("reminders as new channels have them, of %s", (_, members, ids) => {
  for (const reader of ["people", "pager", "machine"] as const) {
    const policy = policyWith("critical", reader);
    const { alert } = step(newAlert(), observedOf(members, AT), policy, AT);
    const [first] = remindersOf(alert, policy, AT + 5 * HOUR_MS);
    expect(first?.of ?? null, reader).toEqual(ids);
  }
});

test("a machine is not reminded of what is up again while that event waits to be delivered", () => {
  const policy = policyWith("15m", "machine");
  const happened = { type: "happened" as const, monitorId: 0, isWanted: true };
  const down = observedOf([{ severity: "low" }], AT);
  const up = observedOf([{ severity: "low", condition: "ok" }], AT + MINUTE_MS);
  let { alert } = step(newAlert(), down, policy, AT);
  alert = step(alert, { ...happened, condition: "down" }, policy, AT).alert;
  const says = [{ monitorId: 0, condition: "down" as const }];
  alert = step(alert, { type: "delivered", deliveryId: "1", says }, policy, AT).alert;
  expect(alert.nextAt).toBe(AT + 15 * MINUTE_MS);
  alert = step(alert, { ...happened, condition: "ok" }, policy, AT + MINUTE_MS).alert;
  alert = step(alert, up, policy, AT + MINUTE_MS).alert;
  expect(alert.nextAt).toBeNull();
});

test("who wants to know of nothing but outages is not reminded of what is degraded by now", () => {
  for (const reader of ["people", "machine"] as const) {
    const policy = policyWith("15m", reader);
    const start = step(newAlert(), observedOf([{ severity: "low" }], AT), policy, AT).alert;
    expect(remindersOf(start, policy, AT + HOUR_MS).length, reader).toBeGreaterThan(1);
    const known = { ...start, ...{ dueSince: null, lastSentAt: AT } };
    const members = known.members.map((one) => ({
      ...one,
      notified: "down" as const,
      queued: "down" as const,
    }));
    const event = observedOf([{ severity: "low", condition: "degraded" }], AT + MINUTE_MS);
    const unwanted = event.members.map((one) => ({ ...one, isWanted: false, isFollowed: false }));
    const now = AT + MINUTE_MS;
    const { alert } = step({ ...known, members }, { ...event, members: unwanted }, policy, now);
    expect(remindersOf(alert, policy, AT + HOUR_MS), reader).toEqual([]);
  }
});

test("a severity that is raised or lowered decides from then on, and an acknowledgement ends them", () => {
  const policy = policyWith("critical", "people");
  const start = step(newAlert(), observedOf([{ severity: "high" }], AT), policy, AT).alert;
  const sent = step(start, { type: "time", deliveryId: "1" }, policy, AT).alert;
  const known = step(sent, { type: "delivered", deliveryId: "1" }, policy, AT).alert;
  expect(known.nextAt).toBeNull();
  const raised = step(known, observedOf([{ severity: "critical" }], AT), policy, AT + HOUR_MS).alert;
  expect(raised.nextAt).toBe(AT + 4 * HOUR_MS);
  const lowered = step(raised, observedOf([{ severity: "high" }], AT), policy, AT + 2 * HOUR_MS).alert;
  expect(lowered.nextAt).toBeNull();
  const acknowledged = observedOf([{ severity: "critical" }], AT, AT + 3 * HOUR_MS);
  expect(step(raised, acknowledged, policy, AT + 3 * HOUR_MS).alert.nextAt).toBeNull();
});

test("reminders of what is critical pass quiet hours; others wait for their end", () => {
  const hours = { from: "08:00", to: "13:00" };
  const nextOf = (reminder: Reminder, severity: Severity) => {
    const policy = policyWith(reminder, "people", hours);
    const { alert } = step(newAlert(), observedOf([{ severity }], AT), policy, AT);
    const sent = step(alert, { type: "time", deliveryId: "1" }, policy, AT).alert;
    return step(sent, { type: "delivered", deliveryId: "1" }, policy, AT).alert.nextAt;
  };
  expect(nextOf("critical", "critical")).toBe(AT + 4 * HOUR_MS);
  expect(nextOf("4h", "critical")).toBe(AT + 4 * HOUR_MS);
  expect(nextOf("4h", "high")).toBe(DAY_MS + 8 * HOUR_MS);
});
