import type { Fault } from "./fault.ts";

/** The end of a check's time. */
export interface Deadline {
  startedMs: number;
  timeoutMs: number;
  lostMs: LostMs | undefined;
  lostBeforeMs: number;
  isLastLook: boolean;
  isOver: boolean;
  timer: NodeJS.Timeout | undefined;
  onEnd(): void;
  fault: Fault;
}

/** How many milliseconds this thread has been kept from its work so far; only grows. */
export type LostMs = () => number;

/**
 * Calls `onEnd` after `timeoutMs` in which this thread could work: time in which it stood still is the probe's,
 * and the target gets it back. Before the end, what has arrived already is looked at once more. `fault` takes what
 * is thrown then.
 */
export function startDeadline(
  timeoutMs: number,
  lostMs: LostMs | undefined,
  onEnd: () => void,
  fault: Fault,
): Deadline {
  const deadline: Deadline = {
    startedMs: performance.now(),
    timeoutMs,
    lostMs,
    lostBeforeMs: lostMs?.() ?? 0,
    isLastLook: false,
    isOver: false,
    timer: undefined,
    onEnd,
    fault,
  };
  deadline.timer = setTimeout(expire, timeoutMs, deadline);
  return deadline;
}

/** `onEnd` is not called any more. */
export function endDeadline(deadline: Deadline): void {
  deadline.isOver = true;
  clearTimeout(deadline.timer);
}

/** Milliseconds since the start in which this thread stood still. */
export const lostSince = ({ lostMs, lostBeforeMs }: Deadline): number => (lostMs?.() ?? 0) - lostBeforeMs;

function expire(deadline: Deadline): void {
  try {
    lookAgain(deadline);
  } catch (error) {
    deadline.fault(error);
  }
}

/** Timers come before sockets in a turn of the event loop: after a stall the answer may be there, unread. */
function lookAgain(deadline: Deadline): void {
  if (deadline.isOver) return;
  const leftMs = deadline.startedMs + deadline.timeoutMs + lostSince(deadline) - performance.now();
  if (leftMs > 1) {
    deadline.isLastLook = false;
    deadline.timer = setTimeout(expire, leftMs, deadline);
  } else if (deadline.isLastLook) deadline.onEnd();
  else {
    deadline.isLastLook = true;
    setImmediate(expire, deadline);
  }
}
