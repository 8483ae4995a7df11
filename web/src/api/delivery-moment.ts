/** A message as a log has it. */
interface LoggedMessage {
  state: "waiting" | "sent" | "failed";
  sentAt: string | null;
  again: string | null;
  failure: string | null;
  isBehind: boolean;
}

/** The state of a message: delivered, failed, retried or waiting; and the time of that. */
export function deliveryMoment({ state, sentAt, again, failure, isBehind }: LoggedMessage) {
  if (state === "failed") return { is: "failed", at: null } as const;
  if (state === "sent") return { is: "sent", at: sentAt } as const;
  if (failure !== null && again !== null) return { is: "next", at: again } as const;
  return { is: isBehind ? "behind" : "waiting", at: null } as const;
}
