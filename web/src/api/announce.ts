import { i18n } from "../i18n/i18n.ts";
import { kindOf } from "../kinds.ts";
import { showToast } from "../toasts.ts";
import type { NotificationEvent } from "./event-payloads.ts";
import { noticeWords } from "./notice-words.ts";

/** The list keeps showing what this is about, so it may go by itself. */
const announcedMs = 8_000;
/** As many are told one by one; where more of a kind come together, how many is what counts. */
const toldSingly = 3;
/** What comes later than this after the last of its kind is news of its own. */
const burstMs = 10_000;
/** Counts are shown as often as they can be read. */
const gatherMs = 500;

interface Burst {
  /** Monitors: one that goes down twice is one. */
  ids: Set<number>;
  end: number;
  /** While a count is about to be shown. */
  timer?: number;
}

const bursts = new Map<string, Burst>();

/** Shows what people are told, in the reader's language: an outage of the network is one sentence, not five hundred. */
export function announce({ togetherFact, isQuiet, ...own }: NotificationEvent): void {
  if (isQuiet) return;
  const notice = { ...own, fact: togetherFact ?? own.fact };
  const { event, type, monitorId } = notice;
  const kind = kindOf(notice.kind ?? "");
  if (kind === undefined || monitorId === null || event === "channel.disabled") {
    showToast(type, noticeWords(notice), { lastsMs: announcedMs });
    return;
  }
  const isWell = event === "device.health" && type === "success";
  const group = `${kind.id} ${event} ${isWell}`;
  const burst = joinBurst(group, monitorId);
  if (burst.ids.size <= toldSingly) {
    showToast(type, noticeWords(notice), { lastsMs: announcedMs, monitor: { kind, id: monitorId }, group });
    return;
  }
  burst.timer ??= window.setTimeout(() => {
    burst.timer = undefined;
    const count = burst.ids.size;
    const words = isWell
      ? i18n.t("notice.many.device.healthy", { count })
      : event in certificateKeys
        ? i18n.t(`notice.certificates.${certificateKeys[event as CertificateEvent]}`, { count })
        : event in objectiveKeys
          ? i18n.t(`notice.objectives.${objectiveKeys[event as ObjectiveEvent]}`, { count })
          : i18n.t(`notice.many.${kind.id}.${manyKeys[event as MonitorEvent]}`, { count });
    showToast(type, words, { lastsMs: announcedMs, group, insteadOfGroup: true });
  }, gatherMs);
}

/** `group`: a kind of monitor and what happened to it. */
function joinBurst(group: string, id: number): Burst {
  const before = bursts.get(group);
  const burst = before ?? { ids: new Set(), end: 0 };
  clearTimeout(burst.end);
  burst.ids.add(id);
  burst.end = window.setTimeout(() => bursts.delete(group), burstMs);
  bursts.set(group, burst);
  return burst;
}

type Event = Exclude<NotificationEvent["event"], "channel.disabled">;
type CertificateEvent = Extract<Event, `certificate.${string}`>;
type ObjectiveEvent = Extract<Event, `objective.${string}`>;
type MonitorEvent = Exclude<Event, CertificateEvent | ObjectiveEvent>;

const certificateKeys = {
  "certificate.expiring": "expiring",
  "certificate.invalid": "invalid",
  "certificate.renewed": "renewed",
} as const satisfies Record<CertificateEvent, string>;

const objectiveKeys = {
  "objective.burning": "burning",
  "objective.steady": "steady",
} as const satisfies Record<ObjectiveEvent, string>;

const manyKeys = {
  "monitor.down": "down",
  "monitor.up": "up",
  "monitor.degraded": "degraded",
  "monitor.flapping": "flapping",
  "monitor.settled": "settled",
  "monitor.stopped": "stopped",
  "device.offline": "down",
  "device.online": "up",
  "device.health": "degraded",
} as const satisfies Record<MonitorEvent, string>;
