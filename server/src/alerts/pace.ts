const MINUTE_MS = 60_000;
/** What comes soon after another message waits so long for more of its kind. */
const GATHER_MS = 5_000;
/** More messages than that within a minute become one. */
const SINGLE_MESSAGES = 10;

/** A message of the last minute, and how many alerts it was about. Milliseconds. */
export interface SentMessage {
  at: number;
  alerts: number;
}

/** What of a person's messages that are due is sent now: the first of them, or all as one; or until when they wait. */
export type Plan = { send: "first" | "digest" } | { waitUntil: number };

/**
 * When a person is sent what is due, so that it is neither late nor a flood: the first message goes at once; what follows waits five
 * seconds for more; more than ten within a minute become a digest at once, one five seconds later, and one a minute after that.
 * `dueSince`: of each alert that is due. Milliseconds.
 */
export function paced(due: readonly { dueSince: number }[], sent: readonly SentMessage[], now: number): Plan {
  // A clock that was put back leaves times ahead.
  const recent = sent.filter(({ at }) => Math.abs(now - at) < MINUTE_MS);
  const isMany = recent.reduce((sum, { alerts }) => sum + alerts, due.length) > SINGLE_MESSAGES;
  if (recent.length === 0) return { send: due.length > SINGLE_MESSAGES ? "digest" : "first" };
  const oldest = Math.min(now, ...due.map(({ dueSince }) => dueSince));
  const last = Math.max(...recent.map(({ at }) => at));
  const next = isMany ? last + (recent.length === 1 ? GATHER_MS : MINUTE_MS) : oldest + GATHER_MS;
  if (next > now) return { waitUntil: next };
  return { send: isMany && due.length > 1 ? "digest" : "first" };
}
