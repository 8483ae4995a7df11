/**
 * Ends a running check at once; one check at a time listens. An AbortSignal would cost every monitor a
 * kilobyte and every check a listener.
 */
export interface StopSignal {
  isStopped: boolean;
  listener: (() => void) | null;
}

/** Ends the check that listens, and any that is begun with this signal later. */
export function stopCheck(signal: StopSignal): void {
  if (signal.isStopped) return;
  signal.isStopped = true;
  signal.listener?.();
}

/** How long something may take, and who may end it before. */
export interface TimeLimit {
  /** For everything together. */
  timeoutMs: number;
  signal?: StopSignal | undefined;
  /** Of this thread: time in which the probe was blocked is not the target's. Absent: none. */
  lostMs?: LostMs | undefined;
}

export interface Deadline {
  startedMs: number;
  limit: TimeLimit;
  lostBeforeMs: number;
  isLastLook: boolean;
  isOver: boolean;
  timer: NodeJS.Timeout | undefined;
  onEnd(): void;
  fault: Fault;
}

/** How many milliseconds this thread has been blocked so far; only grows. */
export type LostMs = () => number;

/**
 * Calls `onEnd` after `timeoutMs`, not counting time in which this thread was blocked; what has arrived by
 * then
 * is still read. Calls `onStop` when the signal stops it. `fault` takes what is thrown then.
 */
export function startDeadline(
  limit: TimeLimit,
  onEnd: () => void,
  onStop: () => void,
  fault: Fault,
): Deadline {
  const deadline: Deadline = {
    startedMs: performance.now(),
    limit,
    lostBeforeMs: limit.lostMs?.() ?? 0,
    isLastLook: false,
    isOver: false,
    timer: undefined,
    onEnd,
    fault,
  };
  deadline.timer = setTimeout(expire, limit.timeoutMs, deadline);
  if (limit.signal) limit.signal.listener = guarded(fault, onStop);
  return deadline;
}

export function endDeadline(deadline: Deadline): void {
  deadline.isOver = true;
  if (deadline.limit.signal) deadline.limit.signal.listener = null;
  clearTimeout(deadline.timer);
}

/** Milliseconds since the start in which this thread was blocked. */
export const lostSince = ({ limit, lostBeforeMs }: Deadline): number =>
  (limit.lostMs?.() ?? 0) - lostBeforeMs;

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
  const leftMs = deadline.startedMs + deadline.limit.timeoutMs + lostSince(deadline) - performance.now();
  if (leftMs > 1) {
    deadline.isLastLook = false;
    deadline.timer = setTimeout(expire, leftMs, deadline);
  } else if (deadline.isLastLook) deadline.onEnd();
  else {
    deadline.isLastLook = true;
    setImmediate(expire, deadline);
  }
}

/** Takes what a check's own code threw: a fault of ours, which ends that check and no other. */
export type Fault = (error: unknown) => void;

/** For callbacks of the event loop: an error that leaves one would end the thread and every check in it. */
export const guarded =
  <Arguments extends unknown[]>(fault: Fault, act: (...given: Arguments) => void) =>
  (...given: Arguments): void => {
    try {
      act(...given);
    } catch (error) {
      fault(error);
    }
  };
