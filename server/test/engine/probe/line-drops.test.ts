import { expect, it, onTestFinished } from "vitest";
import { createResolver } from "../../../src/checks/resolve.ts";
import { createEgressGuard } from "../../../src/engine/probe/egress.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { Runner } from "../../../src/engine/probe/runner.ts";
import { createTimeBase } from "../../../src/engine/schedule/plan.ts";
import { startDnsTarget } from "../../harness/dns-target.ts";
import { eventually } from "../../harness/eventually.ts";
import { aReason } from "../../harness/reasons.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { aKind, anAssignment, anOutcome } from "./factories.ts";

const MONITORS = 100;

it("opens nothing in the second a line drops: checks and rechecks that fail at once are the probe's fault", async () => {
  const reference = await startDnsTarget({ ".": {} });
  onTestFinished(() => reference.close());
  const guard = createEgressGuard({ referenceTargets: [], resolvers: [reference.server], timeoutMs: 300 });
  let isCut = false;
  const down = anOutcome({ verdict: "failed", reason: aReason("unreachable"), address: "192.0.43.8" });
  const results: ProbeResult[] = [];
  const runner = new Runner({
    location: "local",
    network: { resolver: createResolver({ servers: [] }), policy: "all" },
    kindOf: () => aKind(async () => (isCut ? down : anOutcome())),
    time: createTimeBase({ monotonicMs: () => performance.now(), wallMs: () => Date.now() }),
    lost: { totalMs: () => 0, brokeOffSince: () => false },
    guard,
    log: recordingLog(),
    onResult: (result) => {
      results.push(result);
      // As the server does after a first failure.
      if (result.verdict === "failed") runner.recheck(result.monitorId);
    },
  });
  onTestFinished(() => runner.stop(0));
  const ids = Array.from({ length: MONITORS }, (_, index) => index + 1);
  runner.assign(ids.map((monitorId) => anAssignment({ monitorId, intervalMs: 500, timeoutMs: 400 })));
  await eventually(
    () => results.length,
    (count) => count >= MONITORS,
  );
  const span = { startedMs: performance.now(), endedMs: performance.now() };
  expect(await guard.isCutOff(span)).toBe(false);
  isCut = true;
  reference.set(".", { behaviour: "silent" });
  const before = results.length;
  await eventually(
    () => results.length,
    (count) => count >= before + 3 * MONITORS,
  );
  const verdicts = new Set(results.slice(before).map(({ verdict }) => verdict));
  expect(verdicts).not.toContain("failed");
  expect(reference.queries.length).toBeLessThan(40);
});
