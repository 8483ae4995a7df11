import fc from "fast-check";
import { expect, test } from "vitest";
import { type Plan, type SentMessage, throttleMessages } from "../../src/alerts/policy.ts";
import { eachEngine } from "../harness/stores.ts";
import { startAlerts } from "./setup.ts";

const NOON = Date.UTC(2026, 10, 23, 12);
const SECOND_MS = 1_000;

/** So many alerts, due since that many seconds ago. */
const due = (count: number, seconds = 0) =>
  Array.from({ length: count }, () => ({ dueSince: NOON - seconds * SECOND_MS }));
/** Messages of one alert each, so many seconds ago. */
const ago = (...seconds: number[]) => seconds.map((each) => digestOf(1, each));
const digestOf = (alerts: number, seconds: number): SentMessage => ({
  ...{ at: NOON - seconds * SECOND_MS, alerts },
});
const at = (seconds: number) => ({ waitUntil: NOON + seconds * SECOND_MS });
const FIRST = { send: "first" } as const;
const DIGEST = { send: "digest" } as const;

const CASES: [string, { dueSince: number }[], SentMessage[], Plan][] = [
  ["the first message goes at once", due(1), [], FIRST],
  ["up to ten at once go one by one", due(10), [], FIRST],
  ["more than ten at once are one", due(11), [], DIGEST],
  ["what soon follows another waits five seconds for more", due(2), ago(3), at(5)],
  ["and goes then", due(2, 5), ago(8), FIRST],
  ["each of ten counts from the first that is due", [...due(1, 4), ...due(3)], ago(8), at(1)],
  ["after a minute nothing waits", due(1), ago(60), FIRST],
  ["nor for a clock that was an hour ahead", due(1), ago(-3_600), FIRST],
  ["another server's clock that is a second ahead changes little", due(900), ago(-1), at(6)],
  ["a digest comes five seconds after the only message of the last minute", due(20, 1), ago(2), at(3)],
  ["and says all of it", due(20, 4), ago(5), DIGEST],
  ["the next comes a minute after the second message", due(900, 5), ago(15, 10), at(50)],
  ["at once a minute later, where that was the last", due(900, 60), ago(60), DIGEST],
  ["the eleventh of a minute waits a minute", due(1, 5), ago(...numbers(10)), at(59)],
  [
    "a digest counts as the alerts in it: the rest of a burst comes a minute later",
    due(3, 5),
    [...ago(10), digestOf(15, 6)],
    at(54),
  ],
  ["and five seconds later where it was the first", due(1), [digestOf(15, 1)], at(4)],
  ["the tenth does not", due(1, 5), ago(...numbers(9)), FIRST],
];

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

test.each(CASES)("%s", (_, alerts, sent, plan) => {
  expect(throttleMessages(alerts, sent, NOON)).toEqual(plan);
});

const sendTimes = (own: { minLength: number; maxLength: number; max: number }) =>
  fc.array(fc.integer({ min: 0, max: own.max }), own);

test("ten messages at most go in a minute, and one more, however many alerts come and however they come", () => {
  fc.assert(
    fc.property(sendTimes({ minLength: 1, maxLength: 400, max: 180_000 }), (times) => {
      const sent = simulate(times).map((one) => one.at);
      for (const from of sent) {
        const within = sent.filter((one) => one >= from && one < from + 60_000);
        expect(within.length).toBeLessThanOrEqual(11);
      }
    }),
    { numRuns: 30 },
  );
});

test("a burst is two messages in its first minute", () => {
  fc.assert(
    fc.property(sendTimes({ minLength: 300, maxLength: 400, max: 59_999 }), (offsets) => {
      // So many come in each second that it is a burst before a single one is due.
      const times = [...offsets, ...numbers(600).map((n) => n * 100)];
      expect(simulate(times).filter((one) => one.at < 60_000).length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 20 },
  );
});

test("each alert is sent once, within two minutes, and the first of all at once", () => {
  fc.assert(
    fc.property(sendTimes({ minLength: 1, maxLength: 60, max: 300_000 }), (times) => {
      const messages = simulate(times);
      const sorted = times.toSorted((a, b) => a - b);
      expect(messages.flatMap(({ alerts }) => alerts).toSorted((a, b) => a - b)).toEqual(sorted);
      expect(messages[0]?.at).toBeLessThan((sorted[0] ?? 0) + 250);
      for (const { at: sentAt, alerts } of messages)
        for (const dueSince of alerts) expect(sentAt - dueSince).toBeLessThan(120_000);
    }),
    { numRuns: 50 },
  );
});

/** What a channel is sent of alerts that become due at these times, by a sender that looks four times a second. */
function simulate(times: readonly number[]): { at: number; alerts: number[] }[] {
  const messages: { at: number; alerts: number[] }[] = [];
  let left = times.toSorted((a, b) => a - b);
  for (let now = 0; left.length > 0 && now < 2_000_000; now += 250) {
    const own = left.filter((dueSince) => dueSince <= now);
    if (own.length === 0) continue;
    const sent = messages.map((one) => ({ at: one.at, alerts: one.alerts.length }));
    const plan = throttleMessages(
      own.map((dueSince) => ({ dueSince })),
      sent.filter((one) => one.at > now - 60_000),
      now,
    );
    if ("waitUntil" in plan) continue;
    const alerts = plan.send === "digest" ? own : own.slice(0, 1);
    messages.push({ at: now, alerts });
    left = left.filter((one, index) => !(one <= now && index < alerts.length));
  }
  return messages;
}

eachEngine("what has to wait", (engine) => {
  const QUICK = { stepMs: 50 };

  test("comes as one digest with the most severe first, though each became due at a time of its own", async () => {
    const all = await startAlerts(engine);
    await all.addChannel({ reminder: "never" });
    const ids: number[] = [];
    for (const number of numbers(20))
      ids.push(await all.add(`Site${number}`, { severity: number === 20 ? "critical" : "medium" }));
    for (const id of ids) {
      await all.checkAll([id], QUICK, "failed", "failed", "failed");
      await all.deliver();
    }
    await all.wait(SECOND_MS, 10);
    expect(all.titles()).toEqual(["Site1 is down", "19 monitors are down"]);
    expect(all.texts()[1]?.split("\n")[1]).toMatch(/^• Site20 \(critical\)/);
    await all.wait(SECOND_MS, 120);
    expect(all.titles()).toHaveLength(2);
  });
});
