import { describe, expect, it } from "vitest";
import { Delivery } from "../../../src/engine/probe/delivery.ts";
import type { ProbeResult, ResultBatch } from "../../../src/engine/probe/link.ts";
import { eventually } from "../../harness/eventually.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { aResult } from "./factories.ts";

/** A store that can be closed, and that refuses the results of `poison` always. */
function steeredSink() {
  const state = { isOpen: true, poison: null as number | null, attempts: 0, batches: [] as ResultBatch[] };
  const gates: (() => void)[] = [];
  return {
    state,
    stored: () => state.batches.flatMap((batch) => batch.results),
    release: () => gates.splice(0).forEach((open) => open()),
    gates,
    holdNext: false,
    async accept(batch: ResultBatch) {
      state.attempts += 1;
      if (this.holdNext) {
        this.holdNext = false;
        await new Promise<void>((resolve) => gates.push(resolve));
      }
      if (!state.isOpen) throw new Error("no connection");
      if (batch.results.some(({ monitorId }) => monitorId === state.poison)) throw new Error("constraint");
      state.batches.push(batch);
    },
  };
}

const payload = (...results: ProbeResult[]) => JSON.stringify(results);
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => aResult({ monitorId: from + index }));

function delivering() {
  const sink = steeredSink();
  const log = recordingLog();
  const acknowledged: number[] = [];
  const source = { acknowledge: (sequence: number) => void acknowledged.push(sequence) };
  return { sink, log, acknowledged, source, delivery: new Delivery(sink, log) };
}

describe("delivery to the store", () => {
  it("merges what has gathered meanwhile into one transaction and acknowledges the newest", async () => {
    const { sink, acknowledged, source, delivery } = delivering();
    sink.holdNext = true;
    for (let sequence = 1; sequence <= 40; sequence += 1) {
      const results = numbered(sequence * 10, 2);
      delivery.add(source, [{ sequence, count: 2, payload: payload(...results) }]);
    }
    await eventually(
      () => sink.gates.length,
      (held) => held === 1,
    );
    sink.release();
    await eventually(
      () => acknowledged.at(-1),
      (sequence) => sequence === 40,
    );
    expect(sink.state.batches.length).toBeLessThanOrEqual(2);
    expect(sink.stored().map(({ monitorId }) => monitorId)).toEqual(
      Array.from({ length: 40 }, (_, index) => [(index + 1) * 10, (index + 1) * 10 + 1]).flat(),
    );
  });

  it("does not put more than about a thousand results into one transaction", async () => {
    const { sink, acknowledged, source, delivery } = delivering();
    sink.holdNext = true;
    for (let sequence = 1; sequence <= 8; sequence += 1) {
      delivery.add(source, [{ sequence, count: 400, payload: payload(...numbered(1, 400)) }]);
    }
    await eventually(
      () => sink.gates.length,
      (held) => held === 1,
    );
    sink.release();
    await eventually(
      () => acknowledged.at(-1),
      (sequence) => sequence === 8,
    );
    expect(Math.max(...sink.state.batches.map((batch) => batch.results.length))).toBeLessThanOrEqual(1_000);
  });

  it("tries again until the store is back, keeps the order and complains once", async () => {
    const { sink, log, acknowledged, source, delivery } = delivering();
    sink.state.isOpen = false;
    for (const sequence of [1, 2, 3]) {
      delivery.add(source, [{ sequence, count: 1, payload: payload(aResult({ monitorId: sequence })) }]);
    }
    await eventually(
      () => sink.state.attempts,
      (attempts) => attempts >= 3,
    );
    expect(acknowledged).toEqual([]);
    sink.state.isOpen = true;
    await eventually(
      () => acknowledged.at(-1),
      (sequence) => sequence === 3,
    );
    expect(sink.stored().map(({ monitorId }) => monitorId)).toEqual([1, 2, 3]);
    expect(log.lines).toHaveLength(2);
  });

  it("gives up the one result that the store will never take, not the thousand others", async () => {
    const { sink, log, acknowledged, source, delivery } = delivering();
    sink.state.poison = 77;
    delivery.add(source, [{ sequence: 1, count: 100, payload: payload(...numbered(1, 100)) }]);
    await eventually(
      () => acknowledged,
      (list) => list.length === 1,
      20_000,
    );
    expect(new Set(sink.stored().map(({ monitorId }) => monitorId)).size).toBe(99);
    expect(delivery.refused).toBe(1);
    expect(log.lines.at(-1)).toMatch(/refuses these results/);
  }, 25_000);

  it("forgets what a dead worker had sent: it comes again from disk", async () => {
    const { sink, acknowledged, source, delivery } = delivering();
    const other = { acknowledge: () => {} };
    sink.holdNext = true;
    delivery.add(other, [{ sequence: 1, count: 1, payload: payload(aResult({ monitorId: 5 })) }]);
    await eventually(
      () => sink.gates.length,
      (held) => held === 1,
    );
    delivery.add(other, [{ sequence: 2, count: 1, payload: payload(aResult({ monitorId: 6 })) }]);
    delivery.add(source, [{ sequence: 1, count: 1, payload: payload(aResult({ monitorId: 7 })) }]);
    delivery.discard(other);
    sink.release();
    await eventually(
      () => acknowledged,
      (list) => list.length === 1,
    );
    expect(sink.stored().map(({ monitorId }) => monitorId)).toEqual([5, 7]);
  });

  it("ends at the first refusal when it is finishing", async () => {
    const { sink, acknowledged, source, delivery } = delivering();
    sink.state.isOpen = false;
    delivery.add(source, [{ sequence: 1, count: 1, payload: payload(aResult()) }]);
    await eventually(
      () => sink.state.attempts,
      (attempts) => attempts >= 1,
    );
    await delivery.finish();
    expect(acknowledged).toEqual([]);
    expect(sink.state.attempts).toBeLessThanOrEqual(3);
  });
});
