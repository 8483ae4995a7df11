import { randomUUID } from "node:crypto";
import { MAX_CALLS_A_REPLY } from "../limits.ts";
import { type ModelCall, ModelError } from "./model.ts";

/** Throws ModelError `long` where a reply that has these calls can have no more of them. */
export function assertRoomForCall(count: number): void {
  if (count >= MAX_CALLS_A_REPLY) throw new ModelError("long");
}

/**
 * The calls of a reply as both sides can tell them apart: providers refuse a conversation in which two have one id, so a
 * call without an id, or with that of one before it, gets one of its own.
 */
export function distinctCalls(calls: Iterable<ModelCall>): ModelCall[] {
  const used = new Set([""]);
  return Array.from(calls, ({ id: given, name, arguments: written }) => {
    const id = used.has(given) ? `call_${randomUUID()}` : given;
    used.add(id);
    return { id, name, arguments: written };
  });
}
