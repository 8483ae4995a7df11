interface LoggedMessage {
  state: "waiting" | "sent" | "failed";
  sentAt: string | null;
  again: string | null;
  failure: string | null;
  failureFact: { code: string } | null;
  isBehind: boolean;
}

/** That it was over, or that another message says it by now: nothing that could not be delivered. */
const DROPPED = new Set(["delivery.merged", "delivery.over"]);

/** The state of a message: delivered, failed, dropped, retried or waiting; and the time of that. */
export function deliveryMoment({ state, sentAt, again, failure, failureFact, isBehind }: LoggedMessage) {
  if (state === "failed" && DROPPED.has(failureFact?.code ?? "")) return { is: "dropped", at: null } as const;
  if (state === "failed") return { is: "failed", at: null } as const;
  if (state === "sent") return { is: "sent", at: sentAt } as const;
  if (failure !== null && again !== null) return { is: "next", at: again } as const;
  return { is: isBehind ? "behind" : "waiting", at: null } as const;
}
