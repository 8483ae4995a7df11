import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { repeat } from "../../../src/engine/schedule/lost-time.ts";
import { eventually } from "../../harness/eventually.ts";

function recordingLog() {
  const lines: string[] = [];
  const line = (_fields: object, message = "") => lines.push(message);
  return { lines, debug: line, info: line, warn: line, error: line };
}

describe("repeated work", () => {
  it("belongs to no request, even if one wakes it", async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const work = async () => void seen.push(request.getStore());
    const repeated = repeat({ name: "The work", everyMs: 1, firstMs: 60_000, log: recordingLog(), work });
    request.run("a request", repeated.soon);
    await eventually(
      () => seen.length,
      (count) => count >= 3,
    );
    await repeated.stop();
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  it("never runs two turns at once, and stop waits for the running one", async () => {
    let running = 0;
    let most = 0;
    let turns = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 15));
      running -= 1;
      turns += 1;
    };
    const repeated = repeat({ name: "The work", everyMs: 1, firstMs: 0, log: recordingLog(), work });
    await eventually(
      () => turns,
      (count) => count >= 3,
    );
    await repeated.stop();
    expect(running).toBe(0);
    expect(most).toBe(1);
  });

  it("reports once that it fails and once that it works again", async () => {
    const log = recordingLog();
    let turns = 0;
    const work = async () => {
      turns += 1;
      if (turns <= 5) throw new Error("no store");
    };
    const repeated = repeat({ name: "The work", everyMs: 1, firstMs: 0, log, work });
    await eventually(
      () => turns,
      (count) => count >= 8,
    );
    await repeated.stop();
    expect(log.lines).toHaveLength(2);
    expect(log.lines[1]).toBe("The work works again");
  });
});
