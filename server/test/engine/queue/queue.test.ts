import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../harness/any-text.ts";
import { temporaryFolder } from "../probe/factories.ts";
import { drain, numbered, openQueue } from "./queue-setup.ts";

const segments = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));

describe("disk queue", () => {
  it("hands batches out in order with sequences that grow by one", () => {
    const { queue } = openQueue(temporaryFolder());
    const sequences = numbered(5).map((payload) => queue.append(payload, 2));
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
    expect(queue.pending).toBe(10);
    expect(queue.next()).toEqual({ sequence: 1, count: 2, payload: "batch 0 – ü" });
    expect(drain(queue)).toEqual(numbered(4, 1));
    expect(queue.next()).toBeNull();
    queue.acknowledge(5);
    expect(queue.pending).toBe(0);
  });

  it("hands out again after a restart what was not acknowledged, and nothing once all of it was", () => {
    const folder = temporaryFolder();
    const first = openQueue(folder).queue;
    for (const payload of numbered(4)) first.append(payload, 1);
    drain(first);
    const second = openQueue(folder).queue;
    expect(second.pending).toBe(4);
    expect(drain(second)).toEqual(numbered(4));
    second.append("one more", 1);
    expect(drain(second)).toEqual(["one more"]);
    second.acknowledge(5);
    second.close();
    const third = openQueue(folder).queue;
    expect(third.pending).toBe(0);
    expect(third.next()).toBeNull();
    expect(third.append("later", 1)).toBe(6);
  });

  it("keeps disk use to a mark while everything is acknowledged", () => {
    const folder = temporaryFolder();
    const { queue } = openQueue(folder, { segmentBytes: 500 });
    for (let turn = 0; turn < 200; turn += 1) {
      queue.append("x".repeat(100), 1);
      const batch = queue.next();
      queue.acknowledge(batch?.sequence ?? 0);
    }
    expect(queue.sizeBytes).toBe(24);
    expect(segments(folder)).toHaveLength(1);
    expect(readFileSync(segments(folder)[0]!)).toHaveLength(24);
  });

  it("loses only what was cut off, whatever byte a crash cuts the newest file at", () => {
    const payloads = fc.array(anyText(60), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(payloads, fc.double({ min: 0, max: 1, noNaN: true }), (contents, cutAt) => {
        const folder = mkdtempSync(join(tmpdir(), "vedette-queue-"));
        try {
          const before = openQueue(folder).queue;
          const ends = contents.map((payload) => {
            before.append(payload, 1);
            return before.sizeBytes;
          });
          before.close();
          const cut = Math.floor(cutAt * (ends.at(-1) as number));
          truncateSync(segments(folder)[0]!, cut);
          const { queue, log } = openQueue(folder);
          const whole = contents.filter((_, index) => (ends[index] as number) <= cut);
          expect(drain(queue)).toEqual(whole);
          expect(queue.damaged).toBe(0);
          expect(log.lines).toEqual([]);
          queue.append("after the crash", 1);
          queue.close();
          const later = openQueue(folder);
          expect(drain(later.queue)).toEqual([...whole, "after the crash"]);
          expect(later.log.lines).toEqual([]);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 150 },
    );
  });

  it("behaves as a list through any mix of appending, taking, acknowledging and being killed", () => {
    const step = fc.constantFrom("append", "append", "next", "acknowledge", "restart");
    const sizes = fc.record({ segmentBytes: fc.integer({ min: 60, max: 600 }), memoryResults: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), sizes, (steps, options) => {
        const folder = mkdtempSync(join(tmpdir(), "vedette-queue-"));
        try {
          let { queue } = openQueue(folder, options);
          const unacknowledged: string[] = [];
          let out: { sequence: number; payload: string }[] = [];
          let position = 0;
          steps.forEach((kind, index) => {
            if (kind === "append") {
              queue.append(`payload ${index}`, 1);
              unacknowledged.push(`payload ${index}`);
            } else if (kind === "next") {
              const batch = queue.next();
              if (batch === null) expect(position).toBeGreaterThanOrEqual(unacknowledged.length);
              else {
                // After a restart acknowledged batches of a segment may come again, before the others.
                const at = unacknowledged.indexOf(batch.payload);
                if (at >= 0) {
                  expect(at).toBe(position);
                  position += 1;
                }
                out.push(batch);
              }
            } else if (kind === "acknowledge" && out.length > 0) {
              for (const { payload } of out) {
                if (unacknowledged[0] === payload) {
                  unacknowledged.shift();
                  position -= 1;
                }
              }
              queue.acknowledge(out.at(-1)!.sequence);
              out = [];
            } else if (kind === "restart") {
              queue = openQueue(folder, options).queue;
              out = [];
              position = 0;
            }
          });
          const rest = drain(queue).filter((payload) => unacknowledged.includes(payload));
          expect(rest).toEqual(unacknowledged.slice(position));
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 200 },
    );
  });

  it("passes over a damaged record, says so and counts it", () => {
    const folder = temporaryFolder();
    const before = openQueue(folder).queue;
    for (const payload of numbered(3)) before.append(payload, 1);
    before.close();
    const [file] = segments(folder) as [string];
    const bytes = readFileSync(file);
    bytes[bytes.indexOf("batch 1")]! ^= 0xff;
    writeFileSync(file, bytes);
    const { queue, log } = openQueue(folder);
    expect(drain(queue)).toEqual(["batch 0 – ü", "batch 2 – ü"]);
    expect(queue.damaged).toBe(1);
    expect(log.lines).toEqual([expect.stringMatching(/^error: .*damaged on disk/)]);
  });

  it("survives any single flipped byte with every other batch intact", () => {
    const folder = temporaryFolder();
    const before = openQueue(folder).queue;
    for (const payload of numbered(3)) before.append(payload, 1);
    before.close();
    const [file] = segments(folder) as [string];
    const bytes = readFileSync(file);
    for (let at = 0; at < bytes.length; at += 1) {
      const copy = temporaryFolder();
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0x41;
      copyFileSync(file, join(copy, "0000000000000001.segment"));
      writeFileSync(join(copy, "0000000000000001.segment"), damaged);
      const read = drain(openQueue(copy).queue);
      expect(read.length).toBeGreaterThanOrEqual(2);
      for (const payload of read) expect(numbered(3)).toContain(payload);
    }
  });

  it("drops and counts the oldest results when the folder has reached its limit", () => {
    const folder = temporaryFolder();
    const { queue, log } = openQueue(folder, { maxBytes: 4_000, segmentBytes: 1_000, memoryResults: 10 });
    for (let index = 0; index < 100; index += 1) queue.append(`${index}`.padStart(100, "0"), 1);
    expect(queue.sizeBytes).toBeLessThanOrEqual(4_000);
    const left = drain(queue).map(Number);
    expect(left).toEqual(Array.from({ length: left.length }, (_, index) => 100 - left.length + index));
    expect(left.length).toBeGreaterThan(20);
    expect(queue.dropped).toBe(100 - left.length);
    expect(queue.pending).toBe(left.length);
    expect(log.lines).toHaveLength(1);
  });

  it("hands out from disk what no longer fits in memory, in order", () => {
    const { queue } = openQueue(temporaryFolder(), { memoryResults: 3, segmentBytes: 400 });
    const payloads = numbered(40);
    for (const payload of payloads.slice(0, 20)) queue.append(payload, 1);
    const out = [queue.next(), queue.next(), queue.next(), queue.next(), queue.next()].map(
      (batch) => batch?.payload,
    );
    for (const payload of payloads.slice(20)) queue.append(payload, 1);
    expect([...out, ...drain(queue)]).toEqual(payloads);
  });
});
