import { describe, expect, it, onTestFinished } from "vitest";
import type { ActiveKind, CheckOutcome } from "../../../src/checks/check.ts";
import type { StopSignal } from "../../../src/checks/deadline.ts";
import { classOf } from "../../../src/checks/reasons.ts";
import { createResolver } from "../../../src/checks/resolve.ts";
import type { EgressGuard } from "../../../src/engine/probe/egress.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { Runner } from "../../../src/engine/probe/runner.ts";
import type { LostTime } from "../../../src/engine/schedule/lost-time.ts";
import { createTimeBase } from "../../../src/engine/schedule/plan.ts";
import { eventually } from "../../harness/eventually.ts";
import { aReason } from "../../harness/reasons.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { aKind, anAssignment, anOutcome } from "./factories.ts";

const NO_GUARD: EgressGuard = { concerns: () => false, isCutOff: async () => false };

const NOTHING_LOST: LostTime = { totalMs: () => 0, brokeOffSince: () => false };

/** A runner on the real clock whose one kind of check is the test's. */
function running(
  kind: ActiveKind,
  more: { guard?: EgressGuard; concurrency?: number; aheadMs?: () => number; lost?: LostTime } = {},
) {
  const results: ProbeResult[] = [];
  const urgent: boolean[] = [];
  const log = recordingLog();
  const runner = new Runner({
    location: "local",
    network: { resolver: createResolver({ servers: [] }), policy: "all" },
    kindOf: (type) => (type === "unheard-of" ? null : kind),
    time: createTimeBase({
      monotonicMs: () => performance.now(),
      wallMs: () => Date.now() + (more.aheadMs?.() ?? 0),
    }),
    lost: more.lost ?? NOTHING_LOST,
    guard: more.guard ?? NO_GUARD,
    concurrency: more.concurrency,
    log,
    onResult(result, isUrgent) {
      results.push(result);
      urgent.push(isUrgent);
    },
  });
  onTestFinished(() => runner.stop(0));
  return { runner, results, urgent, log };
}

/** A kind whose checks end when the test says so. */
function heldKind() {
  const open: { config: unknown; signal: StopSignal | undefined; end(outcome?: CheckOutcome): void }[] = [];
  const kind = aKind(
    (config, { signal }) =>
      new Promise((resolve) =>
        open.push({ config, signal, end: (outcome = anOutcome()) => resolve(outcome) }),
      ),
  );
  return { kind, open };
}

const until = (results: ProbeResult[], count: number) =>
  eventually(
    () => results.length,
    (seen) => seen >= count,
  );

describe("runner", () => {
  it("checks a new monitor at once, its scheduled time being now, and marks the result as awaited", async () => {
    const { runner, results, urgent } = running(aKind(async () => anOutcome()));
    const before = Date.now();
    runner.assign([anAssignment({ intervalMs: 3_600_000 })]);
    await until(results, 1);
    expect(results[0]).toMatchObject({ monitorId: 1, location: "local", verdict: "ok", statusCode: 200 });
    expect(results[0]!.scheduledAt).toBeGreaterThanOrEqual(before - 1);
    expect(results[0]!.scheduledAt).toBeLessThanOrEqual(Date.now());
    expect(urgent).toEqual([true]);
  });

  it("makes a recheck the monitor's own delay after the check ended, and marks its result as awaited", async () => {
    const ended: number[] = [];
    const started: number[] = [];
    const { runner, results, urgent } = running(
      aKind(async () => {
        started.push(performance.now());
        const outcome = anOutcome({ verdict: "failed", reason: aReason("refused") });
        ended.push(performance.now());
        return outcome;
      }),
    );
    runner.assign([anAssignment({ intervalMs: 3_600_000_000, recheckDelayMs: 300 })]);
    await until(results, 1);
    runner.recheck(1);
    runner.recheck(1);
    expect(results).toHaveLength(1);
    await until(results, 2);
    expect((started[1] ?? 0) - (ended[0] ?? 0)).toBeGreaterThanOrEqual(299);
    expect((started[1] ?? 0) - (ended[0] ?? 0)).toBeLessThan(2_000);
    expect(urgent).toEqual([true, true]);
  });

  it("checks at once on request, names the requests, and leaves the schedule as it is", async () => {
    const { runner, results, urgent } = running(aKind(async () => anOutcome()));
    const intervalMs = 1_500;
    runner.assign([anAssignment({ intervalMs, recheckDelayMs: 60_000 })], "on_grid");
    runner.checkNow(1, "first");
    await until(results, 1);
    expect([results[0]?.requests, urgent[0]]).toEqual([["first"], true]);
    await until(results, 3);
    const [, second, third] = results;
    expect([second?.requests, third?.requests]).toEqual([undefined, undefined]);
    expect(((third?.scheduledAt ?? 0) - (second?.scheduledAt ?? 0)) % intervalMs).toBe(0);
  });

  it("gives callers during a check its result, also when the monitor is changed meanwhile", async () => {
    const begun: string[] = [];
    const { runner, results } = running(
      aKind(async ({ name }: { name: string }, { signal }) => {
        begun.push(name);
        if (name === "old" && signal) await new Promise<void>((resolve) => void (signal.listener = resolve));
        return anOutcome();
      }),
    );
    runner.assign([anAssignment({ config: { name: "old" }, intervalMs: 3_600_000_000 })]);
    await eventually(
      () => begun.length,
      (count) => count === 1,
    );
    runner.checkNow(1, "one");
    runner.checkNow(1, "other");
    runner.checkNow(2, "unknown");
    runner.assign([anAssignment({ revision: 2, config: { name: "new" }, intervalMs: 3_600_000_000 })]);
    await until(results, 1);
    expect(begun).toEqual(["old", "new"]);
    expect(results[0]?.requests).toEqual(["one", "other"]);
  });

  it("leaves the distance to the last check also where another process made it", async () => {
    const { runner, results } = running(aKind(async () => anOutcome()));
    const lastAtMs = Date.now();
    runner.assign([anAssignment({ intervalMs: 3_600_000_000, recheckDelayMs: 400, lastAtMs })]);
    await until(results, 1);
    expect(results[0]!.scheduledAt - lastAtMs).toBeGreaterThanOrEqual(399);
  });

  it("tries a monitor of any interval again within a minute when the probe itself was at fault", async () => {
    const ahead = { ms: 0, line: false };
    const outcome = anOutcome({ verdict: "failed", reason: aReason("timeout"), address: null });
    const guard: EgressGuard = {
      concerns: ({ verdict }) => verdict === "failed",
      isCutOff: async () => !ahead.line,
    };
    const { runner, results } = running(
      aKind(async () => (ahead.line ? anOutcome() : outcome)),
      { guard, aheadMs: () => ahead.ms },
    );
    runner.assign([anAssignment({ intervalMs: 3_600_000_000 })]);
    await until(results, 1);
    ahead.line = true;
    ahead.ms = 60_000;
    await until(results, 2);
    expect(results.map(({ verdict }) => verdict)).toEqual(["probe_fault", "ok"]);
  });

  it("waits for the grid where a monitor only changes hands", async () => {
    const { runner, results } = running(aKind(async () => anOutcome()));
    runner.assign([anAssignment({ monitorId: 1, intervalMs: 3_600_000_000 })], "on_grid");
    runner.assign([anAssignment({ monitorId: 2, intervalMs: 300 })], "on_grid");
    await until(results, 3);
    expect(results.map(({ monitorId }) => monitorId)).toEqual(results.map(() => 2));
    const times = results.map(({ scheduledAt }) => scheduledAt);
    expect(times).toEqual(times.map((_, n) => times[0]! + n * 300));
  });

  it("never checks a monitor twice at the same time, and counts what it left out", async () => {
    const { kind, open } = heldKind();
    const { runner, results } = running(kind);
    runner.assign([anAssignment({ intervalMs: 50 })]);
    await eventually(
      () => runner.skipped,
      (skipped) => skipped >= 3,
    );
    runner.recheck(1);
    expect(open).toHaveLength(1);
    open[0]!.end();
    await until(results, 1);
    await eventually(
      () => open.length,
      (count) => count === 2,
    );
    open[1]!.end();
  });

  it("keeps to its number of checks at once", async () => {
    const { kind, open } = heldKind();
    const { runner, results } = running(kind, { concurrency: 3 });
    runner.assign(Array.from({ length: 10 }, (_, index) => anAssignment({ monitorId: index + 1 })));
    expect(open).toHaveLength(3);
    for (let ended = 0; ended < 10; ended += 1) {
      open[ended]!.end();
      await until(results, ended + 1);
      expect(open.length).toBeLessThanOrEqual(ended + 1 + 3);
    }
    expect(new Set(results.map(({ monitorId }) => monitorId)).size).toBe(10);
  });

  it("ends the running check of a changed monitor, drops its result and checks the new address at once", async () => {
    const { kind, open } = heldKind();
    const { runner, results } = running(kind);
    runner.assign([anAssignment({ config: { url: "old" } })]);
    runner.assign([anAssignment({ revision: 2, config: { url: "new" } })]);
    expect(open.map(({ config }) => config)).toEqual([{ url: "old" }, { url: "new" }]);
    expect(open[0]!.signal?.isStopped).toBe(true);
    open[0]!.end(anOutcome({ statusCode: 500 }));
    open[1]!.end(anOutcome({ statusCode: 201 }));
    await until(results, 1);
    expect(results.map(({ statusCode }) => statusCode)).toEqual([201]);
  });

  it("does not let an older revision replace a newer one, nor check again for a new name", async () => {
    const { kind, open } = heldKind();
    const { runner } = running(kind);
    runner.assign([anAssignment({ revision: 5, config: { url: "new" } })]);
    runner.assign([anAssignment({ revision: 4, config: { url: "old" } })]);
    runner.assign([anAssignment({ revision: 6, config: { url: "new" } })]);
    expect(open.map(({ config }) => config)).toEqual([{ url: "new" }]);
    expect(open[0]!.signal?.isStopped).toBe(false);
    open[0]!.end();
  });

  it("checks at once what was resumed, or changed and changed back, before it learned of it", async () => {
    const { runner, results } = running(aKind(async () => anOutcome()));
    const known = anAssignment({ intervalMs: 3_600_000_000 });
    runner.assign([known]);
    await until(results, 1);
    runner.assign([{ ...known, revision: 3, countsFrom: 3 }]);
    await until(results, 2);
    runner.assign([{ ...known, revision: 4, countsFrom: 3 }]);
    runner.assign([{ ...known, monitorId: 2 }]);
    await until(results, 3);
    expect(results.map(({ monitorId, revision }) => [monitorId, revision])).toEqual([
      [1, 1],
      [1, 3],
      [2, 1],
    ]);
  });

  it("checks a paused monitor no more and reports nothing of the check it ended", async () => {
    const { kind, open } = heldKind();
    const { runner, results } = running(kind);
    runner.assign([anAssignment({ intervalMs: 50 }), anAssignment({ monitorId: 2, intervalMs: 50 })]);
    runner.unassign([1]);
    expect(open[0]!.signal?.isStopped).toBe(true);
    open[0]!.end();
    open[1]!.end();
    await eventually(
      () => open.length,
      (count) => count >= 3,
    );
    open[2]!.end();
    await until(results, 2);
    expect(results.map(({ monitorId }) => monitorId)).toEqual([2, 2]);
    expect(runner.monitors).toBe(1);
  });

  it("sends a certificate the first time and when it has changed, not at every check", async () => {
    const certificate = (fingerprint: string) => ({
      valid: true,
      invalidCode: null,
      invalidReason: null,
      expiresAt: 1_900_000_000_000,
      issuer: "Test CA",
      fingerprint,
      chain: [],
    });
    const seen = ["a", "a", "b", "b", "a"];
    let run = 0;
    const { runner, results } = running(
      aKind(async () => anOutcome({ certificate: certificate(seen[Math.min(run++, 4)]!) })),
    );
    runner.assign([anAssignment()]);
    for (let count = 1; count < 5; count += 1) {
      await until(results, count);
      runner.recheck(1);
    }
    await until(results, 5);
    expect(results.map((result) => result.certificate?.fingerprint)).toEqual([
      "a",
      undefined,
      "b",
      undefined,
      "a",
    ]);
  });

  it("marks a result as awaited when the verdict has changed, not while it stays the same", async () => {
    const verdicts = ["ok", "failed", "failed", "ok", "ok"] as const;
    let run = 0;
    const { runner, urgent, results } = running(
      aKind(async () => anOutcome({ verdict: verdicts[Math.min(run++, 4)]! })),
    );
    runner.assign([anAssignment({ intervalMs: 40 })], "on_grid");
    await until(results, 5);
    expect(urgent.slice(0, 5)).toEqual([false, true, false, true, false]);
  });

  it("reports the probe's own fault instead of a failure while its line is down", async () => {
    const guard = {
      concerns: ({ reason }: CheckOutcome) => reason?.code === "timeout.text",
      isCutOff: async () => true,
    };
    const { runner, results } = running(
      aKind(async () => anOutcome({ verdict: "failed", reason: aReason("timeout") })),
      { guard },
    );
    runner.assign([anAssignment()]);
    await until(results, 1);
    expect(results[0]).toMatchObject({ verdict: "probe_fault", reason: aReason("timeout") });
  });

  it.each([
    ["timeout", "probe_fault"],
    ["protocol", "probe_fault"],
    ["tls", "probe_fault"],
    ["status", "failed"],
    ["refused", "failed"],
  ] as const)("while it stood still, takes a failure of the kind %s for %s", async (reasonCode, verdict) => {
    const since: number[] = [];
    const lost: LostTime = { totalMs: () => 0, brokeOffSince: (sinceMs) => since.push(sinceMs) > 0 };
    const before = performance.now();
    const kind = aKind(async () => anOutcome({ verdict: "failed", reason: aReason(reasonCode) }));
    const { runner, results } = running(kind, { lost });
    runner.assign([anAssignment()]);
    await until(results, 1);
    expect(results[0]).toMatchObject({ verdict, reason: aReason(reasonCode) });
    expect(since.every((sinceMs) => sinceMs >= before)).toBe(true);
  });

  it("lets a check that follows a failure, or is a recheck, resolve names anew", async () => {
    const since: (number | undefined)[] = [];
    const verdicts = ["ok", "failed", "ok", "ok"] as const;
    const { runner, results } = running(
      aKind(async (_config, { resolveSinceMs }) => {
        since.push(resolveSinceMs);
        return anOutcome({ verdict: verdicts[Math.min(since.length - 1, 3)]! });
      }),
    );
    runner.assign([anAssignment({ intervalMs: 200 })], "on_grid");
    await until(results, 4);
    expect(since.slice(0, 4).map((ms) => ms !== undefined)).toEqual([false, false, true, false]);
    const before = performance.now();
    runner.recheck(1);
    await until(results, 5);
    expect(since[4]).toBeGreaterThanOrEqual(before);
  });

  it("takes a check that throws, and a type it does not know, for a failed one and goes on", async () => {
    const { runner, results, log } = running(
      aKind(() => {
        throw new Error("broken");
      }),
    );
    runner.assign([anAssignment({ intervalMs: 50 }), anAssignment({ monitorId: 2, type: "unheard-of" })]);
    await until(results, 3);
    expect(
      results.every(
        ({ verdict, reason }) => verdict === "failed" && reason && classOf(reason) === "internal",
      ),
    ).toBe(true);
    expect(results.map(({ monitorId }) => monitorId)).toContain(2);
    expect(log.lines.some((line) => line.includes("threw"))).toBe(true);
  });

  it("lets running checks end when it stops, then gives them up without a result", async () => {
    const { kind, open } = heldKind();
    const { runner, results } = running(kind);
    runner.assign([anAssignment(), anAssignment({ monitorId: 2 })]);
    const stopped = runner.stop(200);
    open[0]!.end();
    await stopped;
    expect(results.map(({ monitorId }) => monitorId)).toEqual([1]);
    expect(open[1]!.signal?.isStopped).toBe(true);
    open[1]!.end(anOutcome({ verdict: "failed", reason: aReason("internal") }));
    await Promise.resolve();
    expect(results).toHaveLength(1);
  });

  it("gives up a check that ignores its time-out, so that the monitor is checked again", async () => {
    const { kind, open } = heldKind();
    // Lost before the check began: none of its time.
    const lost: LostTime = { ...NOTHING_LOST, totalMs: () => 3_600_000 };
    const { runner, results } = running(kind, { concurrency: 1, lost });
    runner.assign([anAssignment({ intervalMs: 500, timeoutMs: 1 })]);
    await eventually(
      () => results.length,
      (count) => count === 1,
      12_000,
    );
    expect(results[0]).toMatchObject({ verdict: "failed", reason: { code: "internal.given_up" } });
    await eventually(
      () => open.length,
      (count) => count >= 2,
    );
  }, 20_000);

  it("checks by the latest settings, also when a check from before ends neither when stopped nor in time", async () => {
    const { kind, open } = heldKind();
    const { runner, results, log } = running(kind);
    runner.assign([
      anAssignment({ monitorId: 1, timeoutMs: 1 }),
      anAssignment({ monitorId: 2, timeoutMs: 1 }),
    ]);
    await eventually(
      () => open.length,
      (count) => count === 2,
    );
    runner.assign([
      anAssignment({ monitorId: 1, revision: 2, config: { changed: true }, timeoutMs: 60_000 }),
    ]);
    runner.unassign([2]);
    await eventually(
      () => log.lines.filter((line) => line.includes("given up")).length,
      (count) => count === 2,
      12_000,
    );
    expect(results).toEqual([]);
    expect(runner.monitors).toBe(1);
    open.at(-1)!.end();
    await until(results, 1);
    runner.recheck(1);
    await eventually(
      () => open.length,
      (count) => count === 4,
    );
    expect(open.at(-1)?.config).toEqual({ changed: true });
  }, 20_000);
});
