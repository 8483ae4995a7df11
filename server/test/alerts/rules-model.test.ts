import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Alert,
  type Condition,
  type Notification,
  newAlert,
  type Observed,
  type Policy,
} from "../../src/alerts/alert.ts";
import { step } from "../../src/alerts/rules.ts";
import { SEVERITIES, type Severity } from "../../src/platform/monitor-defaults.ts";

const MONITORS = 5;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What is true of a monitor, whether or not it was sent. */
interface Truth {
  condition: Condition;
  since: number;
  severity: Severity;
  isInWindow: boolean;
  isTagged: boolean;
}

interface Channel {
  name: string;
  policy: Policy;
  wants(truth: Truth): boolean;
  alert: Alert;
  /** What its receiver was notified of, by monitor: the oracle's own book. */
  book: Map<number, Condition>;
  isBroken: boolean;
  retryAt: number;
}

const which = fc.nat({ max: MONITORS - 1 });
const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant("turn" as const),
      which,
      condition: fc.constantFrom<Condition>(
        "ok",
        "ok",
        "ok",
        "down",
        "down",
        "degraded",
        "flapping",
        "stopped",
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant("pass" as const),
      ms: fc.constantFrom(1_000, 20_000, 61_000, 6 * HOUR_MS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant("severity" as const),
      which,
      severity: fc.constantFrom(...SEVERITIES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom("window" as const, "tag" as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constantFrom("break" as const, "switch" as const),
      channel: fc.nat({ max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("acknowledge" as const) }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const always: Policy = {
  reader: "people",
  delivery: "on",
  quietUntil: () => null,
  groupWaitMs: 0,
  groupIntervalMs: 60_000,
  repeatMs: () => 0,
};

/** Quiet from 20:00 to 08:00. */
const quietAtNight = (at: number): number | null => {
  const hour = (at % DAY_MS) / HOUR_MS;
  if (hour >= 8 && hour < 20) return null;
  const day = at - (at % DAY_MS);
  return (hour < 8 ? day : day + DAY_MS) + 8 * HOUR_MS;
};

function channelsOf(): Channel[] {
  const make = (name: string, policy: Partial<Policy>, wants: Channel["wants"] = () => true): Channel => ({
    ...{ name, wants, alert: newAlert(), book: new Map(), isBroken: false, retryAt: 0 },
    policy: { ...always, ...policy },
  });
  return [
    make("everything", { repeatMs: (severity) => (severity === "critical" ? 4 * HOUR_MS : 0) }),
    make("critical only", {}, ({ severity }) => severity === "critical"),
    make("by day", { quietUntil: quietAtNight }),
    make("tagged", { groupWaitMs: 30_000 }, ({ isTagged }) => isTagged),
  ];
}

class Story {
  now = 12 * HOUR_MS;
  #sent = 0;
  #acknowledgedAt: number | null = null;
  readonly channels = channelsOf();
  readonly truths: Truth[] = Array.from({ length: MONITORS }, (_, at) => ({
    ...{ condition: "ok", since: this.now, isInWindow: false },
    ...{ severity: SEVERITIES[at % SEVERITIES.length] ?? "low", isTagged: at % 2 === 0 },
  }));

  take(one: Happening): void {
    const truth = "which" in one ? (this.truths[one.which] as Truth) : undefined;
    const channel = "channel" in one ? (this.channels[one.channel] as Channel) : undefined;
    if (one.is === "turn" && truth && truth.condition !== one.condition) {
      truth.condition = one.condition;
      truth.since = this.now;
    }
    if (one.is === "severity" && truth) truth.severity = one.severity;
    if (one.is === "window" && truth) truth.isInWindow = !truth.isInWindow;
    if (one.is === "tag" && truth) truth.isTagged = !truth.isTagged;
    if (one.is === "break" && channel) channel.isBroken = !channel.isBroken;
    if (one.is === "switch" && channel)
      channel.policy.delivery = channel.policy.delivery === "on" ? "off" : "on";
    if (one.is === "acknowledge") this.#acknowledgedAt = this.now;
    if (one.is === "pass") this.pass(one.ms);
    this.observe();
    this.pass(0);
  }

  observe(): void {
    for (const channel of this.channels) {
      const members = this.truths.map(
        (truth, monitorId): Observed => ({
          ...{ monitorId, condition: truth.condition, since: truth.since, severity: truth.severity },
          ...{ isWanted: channel.wants(truth), isFollowed: true, isUnwatched: false },
          isEndWanted: true,
          heldBy: truth.isInWindow ? "maintenance" : null,
          parentId: null,
          isAcknowledged: this.#acknowledgedAt !== null,
        }),
      );
      const event = { type: "observed", members } as const;
      channel.alert = step(channel.alert, event, channel.policy, this.now).alert;
    }
  }

  /** Lets time go by and sends what is due meanwhile. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const next = this.channels.filter(({ alert }) => alert.nextAt !== null && alert.nextAt <= until);
      const [first] = next.toSorted((a, b) => Number(a.alert.nextAt) - Number(b.alert.nextAt));
      if (!first) break;
      this.now = Math.max(this.now, first.alert.nextAt ?? 0);
      this.send(first);
    }
    this.now = until;
  }

  send(channel: Channel): void {
    this.#sent += 1;
    const deliveryId = `${this.#sent}`;
    const { book, policy, name } = channel;
    const sent = step(channel.alert, { type: "time", deliveryId }, policy, this.now);
    channel.alert = sent.alert;
    const [notification] = sent.notifications;
    if (!notification) return expect(sent.alert.nextAt, name).not.toBe(this.now);
    const at = (id: number) => this.truths[id] as Truth;
    const notifiedOf = (id: number) => book.get(id) ?? "ok";
    for (const { monitorId, condition } of notification.current) {
      expect(at(monitorId).condition, `${name} says ${condition}`).toBe(condition);
      expect(condition).not.toBe("ok");
      expect(at(monitorId).isInWindow && notifiedOf(monitorId) === "ok", `${name}: maintenance`).toBe(false);
    }
    for (const { monitorId } of notification.recovered) {
      expect(notifiedOf(monitorId), `${name}: a recovery follows a notification`).not.toBe("ok");
      expect(at(monitorId).condition, `${name} says recovered`).toBe("ok");
    }
    const isNew = [...notification.current, ...notification.recovered].some(
      ({ monitorId }) => notifiedOf(monitorId) !== at(monitorId).condition,
    );
    if (notification.isReminder) this.expectReminder(name, notification, notifiedOf);
    const isStated = notification.isReminder || notification.missed.length > 0;
    expect(isNew || isStated, `${name}: nothing twice`).toBe(true);
    const isQuiet = policy.quietUntil(this.now) !== null;
    const isGrave = notification.current.some(({ severity }) => severity === "critical");
    expect(!isQuiet || isGrave || notification.recovered.length > 0, `${name}: quiet hours`).toBe(true);
    const outcome = channel.isBroken ? "failed" : "delivered";
    const event = { type: outcome, deliveryId, retryAt: this.now + 300_000 } as const;
    channel.alert = step(channel.alert, event, policy, this.now).alert;
    channel.retryAt = channel.isBroken ? event.retryAt : 0;
    if (channel.isBroken) return;
    for (const { monitorId, condition } of notification.current) book.set(monitorId, condition);
    for (const { monitorId } of notification.recovered) book.set(monitorId, "ok");
  }

  /** Only of critical outages that are not acknowledged, and that the channel was notified of. */
  expectReminder(name: string, { current }: Notification, notifiedOf: (id: number) => Condition): void {
    expect(name).toBe("everything");
    expect(this.#acknowledgedAt).toBeNull();
    for (const { monitorId } of current) {
      expect(this.truths[monitorId], `${name}: a reminder`).toMatchObject({
        ...{ severity: "critical", condition: "down", isInWindow: false },
      });
      expect(notifiedOf(monitorId), `${name}: a reminder`).toBe("down");
    }
  }

  /** Everything works again, and it is day: each channel knows what is so. */
  finish(): void {
    for (const channel of this.channels) {
      channel.isBroken = false;
      channel.policy.delivery = "on";
      channel.alert = step(channel.alert, { type: "policy" }, channel.policy, this.now).alert;
    }
    this.pass(2 * DAY_MS);
    for (const { name, book, wants, alert } of this.channels) {
      this.truths.forEach((truth, id) => {
        const notifiedOf = book.get(id) ?? "ok";
        if (truth.isInWindow && notifiedOf === "ok") return;
        const isReported = wants(truth) || notifiedOf !== "ok";
        const isRight =
          truth.isInWindow && truth.condition !== "ok" ? notifiedOf !== "ok" : notifiedOf === truth.condition;
        expect(
          isReported ? isRight : truth.condition === "ok" || notifiedOf === "ok",
          `${name}, monitor ${id}`,
        ).toBe(true);
      });
      const isWrong = [...book.values()].some((condition) => condition !== "ok");
      expect(alert.state === "firing", name).toBe(isWrong);
    }
  }
}

test("every channel knows what it wants to know, whatever happens", () => {
  fc.assert(
    fc.property(fc.array(happening, { minLength: 1, maxLength: 40 }), (happenings) => {
      const story = new Story();
      for (const one of happenings) story.take(one);
      story.finish();
    }),
    { numRuns: 3_000 },
  );
});

test("an outage that quiet hours held is mentioned after them, though an earlier one was notified", () => {
  const policy = { ...always, quietUntil: quietAtNight };
  const [noon, night, morning] = [12 * HOUR_MS, 22 * HOUR_MS, DAY_MS + 9 * HOUR_MS];
  let alert = newAlert();
  const observe = (now: number, ...conditions: Condition[]) => {
    const members = conditions.map(
      (condition, monitorId): Observed => ({
        ...{ monitorId, condition, since: now, severity: "high", heldBy: null, parentId: null },
        ...{ isWanted: true, isFollowed: true, isEndWanted: true, isUnwatched: false },
      }),
    );
    alert = step(alert, { type: "observed", members }, policy, now).alert;
  };
  const send = (now: number) => {
    const sent = step(alert, { type: "time", deliveryId: `${now}` }, policy, now);
    alert = step(sent.alert, { type: "delivered", deliveryId: `${now}` }, policy, now).alert;
    return sent.notifications[0];
  };
  observe(noon, "down", "down");
  expect(send(noon)?.current).toHaveLength(2);
  observe(noon + HOUR_MS, "down", "ok");
  expect(send(noon + HOUR_MS)?.recovered).toHaveLength(1);
  observe(night, "down", "down");
  observe(night + HOUR_MS, "down", "ok");
  expect(send(night + HOUR_MS)).toBeUndefined();
  observe(morning, "ok", "ok");
  expect(send(morning)?.missed).toMatchObject([{ monitorId: 1, missed: { since: night } }]);
});
