import { expect, test } from "vitest";
import type { AssistantCall } from "../src/api/assistant.ts";
import { canGoOn } from "../src/frame/assistant/use-assistant.ts";

const at = "2026-11-28T12:00:00.000Z";
const message = { id: 2, role: "assistant", content: "", createdAt: at } as const;
const goesOn = (...calls: Partial<AssistantCall>[]) =>
  canGoOn({
    messages: [message],
    calls: calls.map((call) => ({ messageId: 2, expiresAt: at, decidedAt: null, ...call }) as AssistantCall),
  });

test("an answer goes on once everything that it waited for is decided or has expired", () => {
  expect(goesOn({ state: "done", decidedAt: at }, { state: "declined", decidedAt: at })).toBe(true);
  expect(goesOn({ state: "expired" })).toBe(true);
  expect(goesOn({ state: "done", decidedAt: at }, { state: "waiting" })).toBe(false);
  expect(goesOn({ state: "running", decidedAt: at })).toBe(false);
});

test("nothing goes on from an answer that only read, that was stopped, or after which something was said", () => {
  expect(goesOn({ state: "done", expiresAt: null })).toBe(false);
  expect(goesOn({ state: "declined" })).toBe(false);
  expect(goesOn({ state: "done", decidedAt: at, messageId: 1 })).toBe(false);
});
