import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { temporaryFolder } from "../probe/factories.ts";
import { drain, numbered, openQueue } from "./queue-setup.ts";

describe("the disk queue on a disk that is full", () => {
  const brokenFolder = () => {
    const folder = temporaryFolder();
    // The first file of the queue is a device on which every write fails with ENOSPC.
    symlinkSync("/dev/full", join(folder, "0000000000000001.segment"));
    return folder;
  };

  it("keeps results in memory, hands them out all the same and complains once", () => {
    const { queue, log } = openQueue(brokenFolder());
    for (const payload of numbered(3)) queue.append(payload, 1);
    expect(drain(queue)).toEqual(numbered(3));
    queue.acknowledge(2);
    expect(queue.pending).toBe(1);
    expect(log.lines).toEqual([expect.stringMatching(/^error: .*cannot be written to disk/)]);
  });

  it("writes them once there is room again", async () => {
    const folder = brokenFolder();
    const { queue, log } = openQueue(folder);
    for (const payload of numbered(3)) queue.append(payload, 1);
    rmSync(join(folder, "0000000000000001.segment"));
    await eventually(
      () => {
        queue.flush();
        return log.lines;
      },
      (lines) => lines.some((line) => line.includes("written to disk again")),
    );
    expect(drain(openQueue(folder).queue)).toEqual(numbered(3));
    expect(drain(queue)).toEqual(numbered(3));
  });

  it("is logged once a minute where it takes one batch and refuses the next, and when it lasts", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = temporaryFolder();
    const { queue, log } = openQueue(folder, { segmentBytes: 40 });
    const refuse = (sequence: number) => {
      const file = join(folder, `${String(sequence).padStart(16, "0")}.segment`);
      symlinkSync("/dev/full", file);
      expect(queue.append("a batch for a file of its own", 1)).toBe(sequence);
      return file;
    };
    for (let sequence = 1; sequence <= 9; sequence += 1) {
      const file = refuse(sequence);
      vi.advanceTimersByTime(1_000);
      rmSync(file);
      queue.flush();
    }
    const [refused, written] = [/^error: .*cannot be written to disk/, /^info: .*written to disk again/];
    expect(log.lines).toEqual([expect.stringMatching(refused), expect.stringMatching(written)]);
    refuse(10);
    for (let second = 0; second < 120; second += 1) {
      vi.advanceTimersByTime(1_000);
      queue.flush();
    }
    expect(log.lines.slice(2)).toEqual([expect.stringMatching(refused)]);
  });

  it("drops and counts the oldest beyond the bound on memory", () => {
    const { queue } = openQueue(brokenFolder(), { memoryResults: 10 });
    for (const payload of numbered(25)) queue.append(payload, 1);
    expect(queue.dropped).toBe(15);
    expect(queue.pending).toBe(10);
    expect(drain(queue)).toEqual(numbered(10, 15));
  });
});
