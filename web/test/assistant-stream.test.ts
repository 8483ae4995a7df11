import { afterEach, expect, test, vi } from "vitest";
import { requestAnswer } from "../src/api/assistant.ts";
import { ApiError } from "../src/api/client.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an answer that falls silent is given up, and one that says that it goes on is not", async () => {
  vi.useFakeTimers();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const lines = writable.getWriter();
  vi.stubGlobal("fetch", async (_url: string, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", () => void lines.abort(signal.reason).catch(() => {}));
    return new Response(readable, { headers: { "content-type": "application/x-ndjson" } });
  });
  const received: string[] = [];
  const failure = requestAnswer({ answerId: "1" }, ({ type }) => received.push(type)).catch((error) => error);
  for (const type of ["text", "wait", "wait"]) {
    await vi.advanceTimersByTimeAsync(25_000);
    await lines.write(new TextEncoder().encode(`${JSON.stringify({ type })}\n`));
  }
  await vi.advanceTimersByTimeAsync(29_000);
  expect(received).toEqual(["text", "wait", "wait"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await failure).toBeInstanceOf(ApiError);
});
