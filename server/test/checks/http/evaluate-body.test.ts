import { brotliCompressSync, constants } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import type { Assertion } from "../../../src/checks/http/http-assertion-config.ts";
import { type EvaluationRequest, evaluateLargeBody } from "../../../src/checks/http/http-assertions.ts";
import { checkEncoding } from "../../../src/checks/http/http-body.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { check, startHttpTarget } from "../factories.ts";

const QUEUE: Assertion = { type: "json", path: "$.queue", operator: "lt", value: 5 };
const NESTED = `{"a":${"[".repeat(500_000)}${"]".repeat(500_000)},"queue":3}`;

const started: string[] = [];
const note = (worker: { threadName?: string | null }) => started.push(worker.threadName ?? "");
process.on("worker", note);
afterEach(() => {
  started.length = 0;
});

async function evaluate(body: string, assertion: Assertion) {
  const target = await startHttpTarget({ handler: behaviours.body(body) });
  return check({ url: target.url, assertions: [assertion] }, { timeoutMs: 10_000 });
}

const requestFor = (text: string): EvaluationRequest => ({
  assertions: [QUEUE],
  ...{ statusCode: 200, headers: new Map(), contentType: undefined, bodyCut: false, totalUs: 0 },
  body: Buffer.from(text),
});

test("a small body is evaluated where it was read", async () => {
  expect(await evaluate('{"queue":3}', QUEUE)).toMatchObject({ verdict: "ok" });
  expect(started).toEqual([]);
});

test("a large one is judged in a thread of its own, with everything that assertions need", async () => {
  expect(await evaluate(NESTED, QUEUE)).toMatchObject({ verdict: "ok" });
  expect(started).toEqual(["vedette-assertions"]);
  expect(await evaluate(NESTED, { ...QUEUE, value: 2 })).toMatchObject({
    verdict: "failed",
    reasonCode: "assertion",
  });
  const header: Assertion = { type: "header", name: "X-None", operator: "exists" };
  expect(await evaluate(NESTED, header)).toMatchObject({ verdict: "failed", reasonCode: "assertion" });
  const absent: Assertion = { type: "keyword", operator: "absent", value: "queue" };
  expect(await evaluate(NESTED, absent)).toMatchObject({ verdict: "failed" });
});

test("who was quick last time does not wait for all who were slow", async () => {
  const slow = Array.from({ length: 8 }, () => ({}));
  for (const one of slow) await evaluateLargeBody(one, requestFor(NESTED));
  const order: string[] = [];
  const evaluations = slow.map((one) =>
    evaluateLargeBody(one, requestFor(NESTED)).then(() => order.push("slow")),
  );
  evaluations.push(evaluateLargeBody({}, requestFor('{"queue":3}')).then(() => order.push("quick")));
  await Promise.all(evaluations);
  expect(order.indexOf("quick")).toBeLessThan(3);
});

test("while a few bytes of Brotli grow to 200 MB, everything else goes on", async () => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const bomb = brotliCompressSync(Buffer.alloc(200_000_000), { params });
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  let isDone = false;
  setImmediate(turn);
  await checkEncoding([bomb], "br", 65_536, false);
  isDone = true;
  expect(turns).toBeGreaterThan(1);
});

test("Brotli that ends too early, or is none, is still found out", async () => {
  const whole = brotliCompressSync("hay ".repeat(1_000));
  await expect(checkEncoding([whole], "br", 65_536, false)).resolves.toBeUndefined();
  await expect(checkEncoding([whole.subarray(0, 10)], "br", 65_536, false)).rejects.toThrow("body.truncated");
  await expect(checkEncoding([Buffer.from("none of it")], "br", 65_536, false)).rejects.toThrow(
    "body.corrupt",
  );
});
