import { timestampOrNull } from "./field.ts";

/** Until when a message waits for the hours of its channel; null: it does not, or has been tried. */
export const heldUntilOf = (
  {
    state,
    attempts,
    heldUntil,
  }: { state: "waiting" | "sent" | "failed"; attempts: number; heldUntil: number | null },
  now: number,
): string | null =>
  timestampOrNull(
    state === "waiting" && attempts === 0 && heldUntil !== null && heldUntil > now ? heldUntil : null,
  );
