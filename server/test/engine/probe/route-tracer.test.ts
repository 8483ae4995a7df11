import { expect, onTestFinished, test } from "vitest";
import type { CheckOutcome } from "../../../src/checks/check.ts";
import { noRoute, type Route, type traceRoute } from "../../../src/checks/route.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { createRouteTracer, Runner } from "../../../src/engine/probe/runner.ts";
import { createTimeBase } from "../../../src/engine/schedule/plan.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { eventually } from "../../harness/eventually.ts";
import { fakePing } from "../../harness/fake-ping.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { aKind, anAssignment, anOutcome, aResult } from "./factories.ts";

const ROUTE: Route = { hops: [{ hop: 1, address: "127.0.0.1", ms: 1 }], isReached: true, problem: null };

const lost = (more: Partial<ProbeResult> = {}) =>
  aResult({ verdict: "failed", statusCode: null, reason: msg("refused", { where: "x" }), ...more });

/** A tracer whose traces end when the test says so. */
function held() {
  const open: PromiseWithResolvers<Route | null>[] = [];
  const trace = (() => {
    const one = Promise.withResolvers<Route | null>();
    open.push(one);
    return one.promise;
  }) as typeof traceRoute;
  const tracer = createRouteTracer("all", trace);
  onTestFinished(() => {
    tracer.stop();
    for (const { resolve } of open) resolve(null);
  });
  return { tracer, open };
}

test("routes are traced one after the other, of all threads, and only so many wait", async () => {
  const [one, other] = [held(), held()];
  const first = Array.from({ length: 9 }, () => one.tracer.trace(lost()));
  const second = other.tracer.trace(lost());
  expect(await first[8]).toEqual(noRoute("busy"));
  await eventually(
    () => one.open.length,
    (count) => count === 1,
  );
  expect(other.open).toHaveLength(0);
  for (let ended = 0; ended < 8; ended += 1) {
    await eventually(
      () => one.open.length,
      (count) => count === ended + 1,
    );
    expect(other.open).toHaveLength(0);
    one.open[ended]?.resolve(ROUTE);
  }
  expect(await Promise.all(first.slice(0, 8))).toEqual(Array(8).fill(ROUTE));
  await eventually(
    () => other.open.length,
    (count) => count === 1,
  );
  other.open[0]?.resolve(ROUTE);
  expect(await second).toEqual(ROUTE);
});

test("those that wait end when the probe stops, and let others go on", async () => {
  const [one, other] = [held(), held()];
  const waiting = [one.tracer.trace(lost()), one.tracer.trace(lost())];
  await eventually(
    () => one.open.length,
    (count) => count === 1,
  );
  one.tracer.stop();
  one.open[0]?.resolve(null);
  expect(await Promise.all(waiting)).toEqual([null, null]);
  void other.tracer.trace(lost());
  await eventually(
    () => other.open.length,
    (count) => count === 1,
  );
});

test("only what the network may be to blame for is traced", async () => {
  const { tracer } = held();
  const where = "x";
  const untraced: Partial<ProbeResult>[] = [
    { statusCode: 503, reason: msg("status.unexpected" as never) },
    { statusCode: 200, reason: msg("timeout.body", { where, seconds: 5 }) },
    { address: null, reason: msg("timeout.dns", { where, seconds: 5 }) },
    { reason: msg("protocol.not_http", { where, start: "x" }) },
    { reason: null },
  ];
  for (const one of untraced) expect(await tracer.trace(lost(one))).toBeNull();
});

/** Runs a monitor whose checks fail like that until it is down, and a while longer. */
async function failing(outcome: Partial<CheckOutcome>, confirmations = 2) {
  const results: ProbeResult[] = [];
  const failure = anOutcome({
    ...{ verdict: "failed", statusCode: null, reason: msg("refused", { where: "x" }) },
    ...{ evidence: () => ({ method: "GET" }) as never },
    ...outcome,
  });
  const runner = new Runner({
    location: "local",
    network: { resolver: { resolve: async () => ({ addresses: [], late: null }) }, policy: "all" },
    kindOf: () => aKind(async () => failure),
    time: createTimeBase({ monotonicMs: () => performance.now(), wallMs: () => Date.now() }),
    lost: { totalMs: () => 0, brokeOffSince: () => false },
    guard: { concerns: () => false, isCutOff: async () => false },
    log: recordingLog(),
    onResult: (result) => results.push(result),
  });
  onTestFinished(() => runner.stop(0));
  runner.assign([anAssignment({ intervalMs: 3_600_000, confirmations })]);
  for (let made = 1; made < confirmations; made += 1) {
    await eventually(
      () => results.length,
      (count) => count === made,
    );
    runner.recheck(1);
  }
  return { results, runner };
}

const answering = 'echo "64 bytes from 127.0.0.1: icmp_seq=1 ttl=60 time=1.5 ms"';

test("the failure that confirms is sent at once, and the way to it as the same result once more", async () => {
  fakePing(answering);
  const { results } = await failing({});
  await eventually(
    () => results.length,
    (count) => count === 3,
  );
  expect(results.map(({ evidence, route }) => [evidence !== undefined, route?.hops.length])).toEqual([
    [true, undefined],
    [true, undefined],
    [false, 1],
  ]);
  expect(results[2]?.scheduledAt).toBe(results[1]?.scheduledAt);
});

test("an answer that was wrong is traced nowhere", async () => {
  const notes = fakePing(answering);
  const { results } = await failing({ statusCode: 503 });
  await eventually(
    () => results.length,
    (count) => count === 2,
  );
  expect(notes()).toBe("");
});

test("a probe that stops waits for no trace, and sends none", async () => {
  const notes = fakePing("exec sleep 60");
  const { results, runner } = await failing({}, 1);
  await eventually(notes, (said) => said !== "");
  await runner.stop(0);
  expect(results).toHaveLength(1);
});
