import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ActiveKind, type CheckOutcome, PHASES } from "../../../src/checks/check.ts";
import type { Assignment, ProbeResult } from "../../../src/engine/probe/link.ts";

/** A folder of the test's own, removed when it has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-probe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function anAssignment(more: Partial<Assignment> = {}): Assignment {
  return {
    monitorId: 1,
    revision: 1,
    type: "http",
    config: {},
    intervalMs: 60_000,
    timeoutMs: 1_000,
    ...more,
  };
}

export function anOutcome(more: Partial<CheckOutcome> = {}): CheckOutcome {
  return {
    verdict: "ok",
    reason: null,
    statusCode: 200,
    address: "127.0.0.1",
    protocol: "http/1.1",
    phases: { dnsUs: null, connectUs: 100, tlsUs: null, firstByteUs: 300, transferUs: 50, totalUs: 500 },
    certificate: null,
    ...more,
  };
}

export function aResult(more: Partial<ProbeResult> = {}): ProbeResult {
  const { certificate: _, evidence: __, ...outcome } = anOutcome();
  return { monitorId: 1, location: "local", scheduledAt: 1_795_000_000_000, ...outcome, ...more };
}

/** A kind of check that does what the test says; `signal` as the runner gives it. */
export function aKind(
  run: (config: never, environment: Parameters<ActiveKind["run"]>[1]) => Promise<CheckOutcome>,
): ActiveKind {
  return { type: "test", phases: PHASES, configSchema: {}, target: () => "", run };
}
