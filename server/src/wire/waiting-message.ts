import { type Static, Type } from "typebox";
import { nullable, Timestamp, timestampOrNull } from "./field.ts";

/** What every log says of a message that waits. */
export const WaitingMessage = {
  again: nullable(Timestamp, "When it is tried next; null: it is not."),
  isBehind: Type.Boolean({
    description: "It waits because an earlier message about the same, which goes first, is still on its way.",
  }),
};

interface Waiting {
  state: "waiting" | "sent" | "failed";
  nextTryAt: number;
  isBehind: boolean | number;
}

const Shape = Type.Object(WaitingMessage);

/** What a log says of it. */
export function projectWaiting({ state, nextTryAt, isBehind }: Waiting): Static<typeof Shape> {
  const waits = state === "waiting";
  return {
    again: timestampOrNull(waits ? nextTryAt : null),
    isBehind: waits && Boolean(isBehind),
  };
}
