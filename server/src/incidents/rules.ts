import { inEnglish } from "../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { Impact } from "../platform/monitor-defaults.ts";
import type { Cause, OfflineTimes } from "./group-rules.ts";
import type { NewIncident } from "./queries/incident-changes.ts";
import { type IncidentWords, titleOfHealth, titleOfOutage } from "./title-rules.ts";

/** A confirmed outage of one monitor. Times in milliseconds. */
export interface Outage {
  uuid: string;
  monitorId: number;
  organizationId: number;
  monitorName: string;
  severity: NewIncident["severity"];
  startedAt: number;
  detectedAt: number;
  /** Why the checks failed; null: unknown. */
  reason: MessageDescriptor | null;
  /** What it may come from. */
  causes: readonly Cause[];
  /** It is down because others are (a group of monitors), however long these took. */
  follows?: boolean;
  /** Of such a group: since when it is watched. */
  watchedSince?: number;
  /** A device is not down, but its health is critical. */
  health?: "only";
}

/** With what impact an incident begins: of a device that works and is in a critical state, and of what does not work. */
export const IMPACT_OF_HEALTH: Impact = "minor";
export const IMPACT_OF_OUTAGE: Impact = "major";

/** The incident that an outage opens by itself. */
export function incidentOfOutage(outage: Outage): NewIncident & { monitorId: number } {
  return {
    uuid: outage.uuid,
    organizationId: outage.organizationId,
    monitorId: outage.monitorId,
    ...wordsOf(
      outage.health
        ? titleOfHealth(outage.monitorName, { isCritical: true, wasOffline: false })
        : titleOfOutage(outage.monitorName),
      messageOfOutage(outage),
    ),
    status: "open",
    severity: outage.severity,
    impact: outage.health ? IMPACT_OF_HEALTH : IMPACT_OF_OUTAGE,
    automatic: true,
    affectedServices: [
      {
        ...{ monitorId: outage.monitorId, name: outage.monitorName },
        ...{ outageStartedAt: outage.startedAt, causes: outage.causes },
      },
    ],
    startedAt: outage.startedAt,
    detectedAt: outage.detectedAt,
    resolvedAt: null,
  };
}

/** What an incident says: of its title, and of its description. */
export const wordsOf = (title: MessageDescriptor, description: MessageDescriptor): IncidentWords => ({
  ...{ title: inEnglish(title), titleMessage: title },
  ...{ description: inEnglish(description), descriptionMessage: description },
});

/** What happened, since when, and why, for the incident's description and its first update. */
export function messageOfOutage({
  monitorName: name,
  startedAt,
  reason,
  health,
  flapping = false,
}: Pick<Outage, "monitorName" | "startedAt" | "reason" | "health"> & {
  flapping?: boolean;
}): MessageDescriptor {
  const named = { name, since: new Date(startedAt).toISOString() };
  const ofOutage = msg(flapping ? "incident.keeps_failing" : "incident.outage", named);
  const what = health ? msg("incident.unhealthy", named) : ofOutage;
  return { ...what, ...(reason && { because: reason }) };
}

/**
 * Of a device that reports and is not healthy: in what state it is and why; since when, where it was critical from the
 * outage's start and never offline (`criticalSince`). `offline`: when it was offline in this outage.
 */
export function wordsOfHealth(
  name: string,
  reason: MessageDescriptor | null,
  { offline, criticalSince }: { offline: OfflineTimes; criticalSince?: number },
): IncidentWords {
  const returnedAt = offline?.at(-1)?.[1] ?? null;
  const title = titleOfHealth(name, { isCritical: isCritical(reason), wasOffline: offline !== null });
  if (returnedAt === null && criticalSince !== undefined && isCritical(reason))
    return wordsOf(
      title,
      messageOfOutage({ monitorName: name, startedAt: criticalSince, reason, health: "only" }),
    );
  return wordsOf(title, messageOfHealth(name, reason, returnedAt));
}

/** The same in one sentence. `returnedAt`: when it came back online. */
export function messageOfHealth(
  name: string,
  reason: MessageDescriptor | null,
  returnedAt: number | null,
): MessageDescriptor {
  const critical = isCritical(reason);
  const because = reason && { because: reason };
  if (returnedAt === null)
    return { ...msg(critical ? "incident.now_critical" : "incident.now_warning", { name }), ...because };
  const since = { name, since: new Date(returnedAt).toISOString() };
  return {
    ...msg(critical ? "incident.returned_critical" : "incident.returned_warning", since),
    ...because,
  };
}

const isCritical = (reason: MessageDescriptor | null): boolean => reason?.params?.["level"] === "critical";

/** The text of the resolving update. `ended`: the monitor is no longer checked. */
export function messageOfResolution(outage: {
  monitorName: string;
  startedAt: number;
  at: number;
  cause: "recovered" | "ended";
  health?: "only" | "also";
}): MessageDescriptor {
  const lasted = { name: outage.monitorName, lasted: outage.at - outage.startedAt };
  if (outage.cause === "recovered" && outage.health) return msg("incident.healthy", lasted);
  return msg(outage.cause === "recovered" ? "incident.recovered" : "incident.unwatched", lasted);
}
