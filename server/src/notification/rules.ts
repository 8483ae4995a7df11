import { clockTime, sentence } from "../incident/rules.ts";
import type { NoticeEvent } from "../status/state.ts";
import { durationInWords } from "../texts/english.ts";

/** Something about one monitor that people are to be told. Times in milliseconds. */
export interface Notice {
  event: NoticeEvent;
  monitorName: string;
  /** Since when it is so. */
  at: number;
  reason: string | null;
  /** Of the outage that just ended, for `monitor.up`. */
  outageMs: number | null;
}

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

/** One message: which monitor, what, since when, why. */
export function noticeMessage({ event, monitorName, at, reason, outageMs }: Notice): string {
  const since = clockTime(at);
  const why = reason ? ` ${sentence(reason)}` : "";
  switch (event) {
    case "monitor.down":
      return `${monitorName} is down since ${since}.${why}`;
    case "monitor.up":
      return outageMs === null
        ? `${monitorName} is fully up again since ${since}.`
        : `${monitorName} is up again since ${since}, after ${durationInWords(outageMs)}.`;
    case "monitor.degraded":
      return `${monitorName} is degraded since ${since}.${why}`;
    case "monitor.flapping":
      return `${monitorName} keeps going down and coming back.${why} You will hear of it again when it has been stable for a while.`;
    case "monitor.stopped":
      return `Monitoring of ${monitorName} stopped at ${since}.${why} Whether it is up is not known.`;
  }
}
