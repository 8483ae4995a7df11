import { expect, test } from "vitest";
import { keepEarlier, withEarlier } from "../src/api/assistant.ts";

const conversation = (ids: number[], hasMore = false) => ({
  ...{ id: 1, uuid: "", title: "", createdAt: "", updatedAt: "", hasMore },
  messages: ids.map((id) => ({ id, role: "assistant" as const, content: `${id}`, createdAt: "" })),
  calls: ids.map((messageId) => ({ messageId }) as never),
});

test("earlier messages come first, each once, with their calls, however often they are read", () => {
  const once = withEarlier(conversation([5, 9], true), conversation([2, 3, 5], true));
  expect(once).toEqual(conversation([2, 3, 5, 9], true));
  expect(withEarlier(once, conversation([2, 3]))).toEqual(once);
});

test("what was read before stays where the newest are read again", () => {
  expect(keepEarlier(conversation([5, 9], true), conversation([2, 3, 5]))).toEqual(
    conversation([2, 3, 5, 9]),
  );
  expect(keepEarlier(conversation([5, 9], true), conversation([5], true))).toEqual(
    conversation([5, 9], true),
  );
});

test("nothing stays where messages between are not known, or nothing was read", () => {
  const newest = conversation([7, 9], true);
  expect(keepEarlier(newest, conversation([2, 3]))).toBe(newest);
  expect(keepEarlier(newest, undefined)).toBe(newest);
  expect(keepEarlier(conversation([]), conversation([2]))).toEqual(conversation([]));
});
