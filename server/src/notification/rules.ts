import type { Notice, NoticeEvent } from "../status/state.ts";
import { type Fact, fact } from "../texts/fact.ts";

/** How serious a notification is. */
export const NOTICE_TYPES = ["error", "warning", "success", "info"] as const;
export type NoticeType = (typeof NOTICE_TYPES)[number];

const TYPES: Record<NoticeEvent, NoticeType> = {
  "monitor.down": "error",
  "monitor.up": "success",
  "monitor.degraded": "warning",
  "monitor.flapping": "warning",
  "monitor.stopped": "warning",
};

/** How grave it is, as the wire says it. */
export const noticeType = (event: NoticeEvent): NoticeType => TYPES[event];

/** Which monitor, what, since when, why. `outageMs`: how long the outage was that has just ended. */
export function noticeFact(name: string, { event, at, reason }: Notice, outageMs: number | null): Fact {
  const since = { name, since: new Date(at).toISOString() };
  const because = reason && { because: reason };
  switch (event) {
    case "monitor.down":
      return { ...fact("notice.down", since), ...because };
    case "monitor.up":
      return outageMs === null
        ? fact("notice.up", since)
        : fact("notice.recovered", { ...since, lasted: outageMs });
    case "monitor.degraded":
      return { ...fact("notice.degraded", since), ...because };
    case "monitor.flapping":
      return { ...fact("notice.flapping", { name }), ...because };
    case "monitor.stopped":
      return { ...fact("notice.stopped", since), ...because };
  }
}

const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 3_600_000;

/**
 * How long after the n-th failed attempt the next one begins, milliseconds: twice as long each time, up to an hour, and
 * up to a quarter more or less, so that what failed together is not tried together. `random`: from 0 to 1.
 */
export const retryDelayMs = (attempts: number, random: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 30), LAST_RETRY_MS) * (0.75 + random / 2);
