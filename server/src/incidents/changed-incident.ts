import { appendEvents } from "../platform/database/events.ts";
import type { Db } from "../platform/database/schema.ts";
import { notFound } from "../platform/errors.ts";
import { inEnglish } from "../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { IncidentStatus } from "../platform/monitor-defaults.ts";
import type { Running } from "../platform/operations/operation.ts";
import { membersOf } from "./group-rules.ts";
import { wordsOfMembers } from "./group-words.ts";
import { readAffectedServices } from "./queries/affected-services.ts";
import type { OpenOutage } from "./queries/automatic-incidents.ts";
import { readReasonsOfMonitors } from "./queries/evidence.ts";
import {
  type IncidentChange,
  noteIncidents,
  updateIncident,
  updateIncidents,
} from "./queries/incident-changes.ts";
import { insertIncidentUpdates } from "./queries/incident-updates.ts";
import { type Incident, readIncidents } from "./queries/incidents.ts";
import { projectIncidentChange } from "./schemas/live.ts";
import { type IncidentWords, type Titled, unlessWritten } from "./title-rules.ts";

/** An incident as channels are notified of it. */
interface NotifiedIncident
  extends Titled,
    Pick<Incident, "id" | "organizationId" | "status" | "severity" | "automatic"> {
  affectedServices: readonly { monitorId: number | null }[];
}

/** What a person wrote about an incident, or did to it. */
export interface WrittenUpdate {
  incident: NotifiedIncident;
  said: string | MessageDescriptor;
  /** It is what opens the incident. */
  isOpening: boolean;
  /** Knows already. */
  authorId: number | null;
}

/** What channels receive of incidents, noted in the transaction that changes these (alerts/note.ts). */
export interface IncidentNotifier {
  noteWrittenUpdates(trx: Db, written: readonly WrittenUpdate[], now: number): Promise<void>;
  /** It was deleted, or merged into another. */
  noteGone(trx: Db, incident: NotifiedIncident, why: MessageDescriptor, now: number): Promise<void>;
  /** What was down in them is up again. */
  noteResolved(
    trx: Db,
    incidents: readonly Omit<NotifiedIncident, "affectedServices">[],
    now: number,
  ): Promise<void>;
  /** All that is down in them is acknowledged now. `by`: who did it last; null: they are gone. */
  noteAcknowledged(
    trx: Db,
    incidents: readonly Incident[],
    at: { by: string | null; now: number },
  ): Promise<void>;
  /** Outages went to other incidents, and what was sent of them goes along. `into`: ids of these, by those of the monitors. */
  moveDeliveries(trx: Db, from: number, into: ReadonlyMap<number, number>): Promise<void>;
}

declare module "../platform/context.ts" {
  interface Context {
    incidentNotifier: IncidentNotifier;
  }
}

/** What a change of an incident needs, made by a person or by the server. */
export type Changing = Pick<
  Running,
  "db" | "clock" | "live" | "after" | "record" | "statusPages" | "incidentNotifier"
>;

/** Has open apps and status pages read an incident that was changed by a person. */
export const announceIncident = (ctx: Changing, incident: Incident): Promise<void> =>
  announceIncidents(ctx, [incident]);

/** `before`: as they were, where they may have affected something else. */
async function announceIncidents(
  ctx: Changing,
  incidents: readonly Incident[],
  before: readonly Incident[] = [],
): Promise<void> {
  const events = incidents.map((incident) => ({
    organizationId: incident.organizationId,
    type: "incident" as const,
    payload: projectIncidentChange(incident),
  }));
  appendEvents(ctx.db, events, ctx.clock.now());
  ctx.after(() => ctx.live.wake());
  await ctx.statusPages.renew(ctx, monitorsOf([...before, ...incidents]));
}

/** The monitors that incidents affect. */
export const monitorsOf = (incidents: readonly Incident[]): number[] =>
  incidents.flatMap(({ affectedServices }) => affectedServices.flatMap(({ monitorId }) => monitorId ?? []));

/** Changes a locked incident, audits it and notifies open apps. Returns it as it is now. */
export async function changeIncident(
  ctx: Changing,
  incident: Incident,
  change: IncidentChange = {},
): Promise<Incident> {
  const [changed] = await changeIncidents(ctx, incident.organizationId, [incident.id], change, [incident]);
  if (!changed) throw notFound();
  return changed;
}

/** The same of several, each in the same way, in a few statements however many they are. */
export async function changeIncidents(
  ctx: Changing,
  organizationId: number,
  ids: readonly number[],
  change: IncidentChange,
  before: readonly Incident[] = [],
): Promise<Incident[]> {
  await updateIncidents(ctx.db, ids, change, ctx.clock.now());
  const changed = await readIncidents(ctx.db, organizationId, ids);
  await announceIncidents(ctx, changed, before);
  await noteIncidents(ctx.db, changed, ctx.clock.now());
  for (const { id, title } of changed) ctx.record({ id, name: title });
  return changed;
}

/** What of an incident a new state changes. */
export const changeOfStatus = (
  incident: Incident,
  status: IncidentStatus | undefined,
  now: number,
): IncidentChange => {
  if (status === undefined || status === incident.status) return {};
  return { status, resolvedAt: status === "resolved" ? Math.max(now, incident.startedAt) : null };
};

/** An entry of an incident's log: what a person says, or a message about what they did. */
interface Entry {
  incident: WrittenUpdate["incident"];
  said: string | MessageDescriptor;
}

/**
 * Writes an update into an incident's log and notes it for channels. `pages`: the status pages that show it, by their numbers;
 * null: all of what the incident affects.
 */
export const logUpdate = (
  ctx: Running,
  incident: WrittenUpdate["incident"],
  said: string | MessageDescriptor,
  shown: { isOpening?: boolean; pages?: readonly number[] | null } = {},
): Promise<void> => logUpdates(ctx, [{ incident, said }], shown);

/** The same of several incidents, in a few statements however many there are. */
export async function logUpdates(
  { db, caller, clock, incidentNotifier }: Running,
  entries: readonly Entry[],
  { isOpening = false, pages = null }: { isOpening?: boolean; pages?: readonly number[] | null } = {},
): Promise<void> {
  const now = clock.now();
  const updates = entries.map(({ incident: { id: incidentId, organizationId, status }, said }) => {
    const descriptor = typeof said === "string" ? null : said;
    const words = { message: typeof said === "string" ? said : inEnglish(said), descriptor };
    return { organizationId, incidentId, userId: caller.userId, status, ...words, at: now, isOpening, pages };
  });
  await insertIncidentUpdates(db, updates);
  const written = entries.map((entry) => ({ ...entry, isOpening, authorId: caller.userId }));
  await incidentNotifier.noteWrittenUpdates(db, written, now);
}

/** What the log says of a new state that comes without a text. */
export const messageOfStatus = (stage: IncidentStatus): MessageDescriptor =>
  msg("incident.status_set", { stage });

/** Names another incident, with its number, in an entry of the log. */
export const messageOfOther = ({ id }: Pick<Incident, "id">): MessageDescriptor =>
  msg("incident.see", { incident: id });

/**
 * Writes title and description of the incidents that have these outages, by what is down in them now; what a person wrote
 * stays. The incidents are locked. Returns the words that changed, by the incident's id.
 */
export async function rewriteIncidents(
  trx: Db,
  outages: readonly OpenOutage[],
  now: number,
): Promise<Map<number, Partial<IncidentWords>>> {
  const byIncident = new Map(outages.map((outage) => [outage.id, outage]));
  const changed = new Map<number, Partial<IncidentWords>>();
  if (byIncident.size === 0) return changed;
  const affected = await readAffectedServices(trx, [...byIncident.keys()]);
  for (const [id, outage] of byIncident) {
    const { leadId, groupedBy: by } = outage;
    const reasons = await readReasonsOfMonitors(trx, id);
    const words = wordsOfMembers(membersOf(affected.get(id) ?? []), { leadId, by, reasons });
    const ours = words ? unlessWritten(outage, words) : {};
    await updateIncident(trx, id, ours, now);
    changed.set(id, ours);
  }
  return changed;
}
