import { once } from "node:events";
import { setImmediate, setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { checkHttp } from "../../../src/checks/http/http.ts";
import type { HttpConfig } from "../../../src/checks/http/http-config.ts";
import { measureLostTime } from "../../../src/engine/schedule/lost-time.ts";
import { readable } from "../../harness/reasons.ts";
import { closing, makeNetwork } from "../factories.ts";

/** A target on a thread of its own, which goes on while this one is blocked; null: it never answers. */
async function startTarget(answerMs: number | null): Promise<string> {
  const worker = new Worker(
    `const server = require("node:http").createServer((_request, response) => {
      if (${answerMs} !== null) setTimeout(() => response.end("ok"), ${answerMs});
    });
    server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  closing({ close: async () => void (await worker.terminate()) });
  const [port] = await once(worker, "message");
  return `http://127.0.0.1:${port}/`;
}

const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const { totalMs: lostMs } = measureLostTime();

interface Stall {
  timeoutMs: number;
  afterMs: number;
  stallMs: number;
}

/** A check during which this thread is blocked `afterMs` after the beginning. */
async function stalledCheck(
  config: HttpConfig,
  { timeoutMs, afterMs, stallMs, lostMs }: Stall & { lostMs?: () => number },
) {
  const running = checkHttp.run(config, { network: await makeNetwork(), timeoutMs, lostMs });
  if (afterMs > 0) await setTimeout(afterMs);
  // At the end of a turn of the event loop: in the next one timers come first.
  await setImmediate();
  block(stallMs);
  return readable(await running);
}

test("a stall that is longer than the timeout takes nothing from the target's time", async () => {
  const url = await startTarget(300);
  const outcome = await stalledCheck({ url }, { timeoutMs: 500, afterMs: 0, stallMs: 1_500, lostMs });
  expect(outcome).toMatchObject({ verdict: "ok", statusCode: 200 });
});

test("an answer that came during a stall is read before the check is given up", async () => {
  const url = await startTarget(150);
  expect(await stalledCheck({ url }, { timeoutMs: 500, afterMs: 100, stallMs: 450 })).toMatchObject({
    verdict: "ok",
  });
});

test("a target that does not answer times out all the same, as much later as was lost", async () => {
  const url = await startTarget(null);
  const outcome = await stalledCheck({ url }, { timeoutMs: 400, afterMs: 50, stallMs: 600, lostMs });
  expect(outcome).toMatchObject({
    verdict: "failed",
    reasonCode: "timeout",
    reason: expect.stringMatching(/^Timed out after 0\.4 s: .* sent no complete answer\.$/),
  });
  expect(outcome.phases.totalUs).toBeGreaterThan(850_000);
});

test("what was lost before a check began gives it no time", async () => {
  const url = await startTarget(null);
  const network = await makeNetwork();
  const outcome = readable(
    await checkHttp.run({ url }, { network, timeoutMs: 300, lostMs: () => 3_600_000 }),
  );
  expect(outcome).toMatchObject({ reasonCode: "timeout" });
});

test("a stall makes no target slow", async () => {
  const url = await startTarget(0);
  const config: HttpConfig = { url, assertions: [{ type: "response_time", downAboveMs: 400 }] };
  expect(await stalledCheck(config, { timeoutMs: 5_000, afterMs: 0, stallMs: 800, lostMs })).toMatchObject({
    verdict: "ok",
  });
});
