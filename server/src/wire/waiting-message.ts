import { type Static, Type } from "typebox";
import { nullable, Timestamp, timestampOrNull } from "./field.ts";

/** What every log says of a message that waits. */
export const WaitingMessage = {
  again: nullable(Timestamp, "When it is tried next; null: it is not."),
  heldUntil: nullable(
    Timestamp,
    "It waits until then, for the hours in which this channel is told things; null: it does not, or has been tried.",
  ),
  isBehind: Type.Boolean({
    description: "It waits because an earlier message about the same, which goes first, is still on its way.",
  }),
};

interface Waiting {
  state: "waiting" | "sent" | "failed";
  attempts: number;
  nextTryAt: number;
  heldUntil: number | null;
  isBehind: boolean | number;
}

const Shape = Type.Object(WaitingMessage);

/** What a log says of it at that time, milliseconds. */
export function projectWaiting(
  { state, attempts, nextTryAt, heldUntil, isBehind }: Waiting,
  now: number,
): Static<typeof Shape> {
  const waits = state === "waiting";
  const isHeld = waits && attempts === 0 && heldUntil !== null && heldUntil > now;
  return {
    again: timestampOrNull(waits ? nextTryAt : null),
    heldUntil: timestampOrNull(isHeld ? heldUntil : null),
    isBehind: waits && Boolean(isBehind),
  };
}
