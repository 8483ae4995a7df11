/** A message as its log tells of it. */
interface Told {
  state: "waiting" | "sent" | "failed";
  sentAt: string | null;
  heldUntil: string | null;
  again: string | null;
  failure: string | null;
  isBehind: boolean;
}

/** How it stands with a message: delivered, given up, tried again, held for its channel's hours, or waiting; and the time of that. */
export function deliveryMoment(told: Told) {
  const { state, sentAt, heldUntil, again, failure, isBehind } = told;
  if (state === "failed") return { is: "failed", at: null } as const;
  if (state === "sent") return { is: "sent", at: sentAt } as const;
  if (failure !== null && again !== null) return { is: "next", at: again } as const;
  if (heldUntil !== null) return { is: "held", at: heldUntil } as const;
  return { is: isBehind ? "behind" : "waiting", at: null } as const;
}
