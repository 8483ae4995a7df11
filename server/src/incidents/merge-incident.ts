import { invalidInput, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { partition } from "../platform/lru-cache.ts";
import { readId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { findIncidentMeant, lockForChange, lockIncident } from "./affected.ts";
import { announceIncident, changeIncident, logUpdate, messageOfOther } from "./changed-incident.ts";
import { membersOf } from "./group-rules.ts";
import { wordsOfMembers } from "./group-words.ts";
import {
  acknowledgeOutages,
  deleteAffectedServices,
  moveAffectedServices,
} from "./queries/affected-services.ts";
import { readReasonsOfMonitors } from "./queries/evidence.ts";
import {
  type IncidentChange,
  lockIncidents,
  mergedOf,
  moveIncidentLog,
  noteIncidents,
} from "./queries/incident-changes.ts";
import { findIncident, type Incident as StoredIncident } from "./queries/incidents.ts";
import { IncidentMerge } from "./schemas/incident-changes.ts";
import { Incident, projectIncident } from "./schemas/incidents.ts";
import { unlessWritten } from "./title-rules.ts";

/**
 * Moves everything of an incident to another: log, comments, what it affects with the outages of that, and its acknowledgement
 * where the other has none. The rest is resolved and points there. Returns the other one. Throws 404; 409 where one was merged
 * already, or the other one is resolved and this is not; 422 for an invalid target.
 */
export const mergeIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "merge incidents",
  hints: { destructive: true },
  input: IncidentMerge,
  output: Incident,
  find: findIncidentMeant,
  async run(ctx, { into }, found) {
    const { organizationId } = found;
    const ref = readId(String(into));
    const wanted = ref && (await findIncident(ctx.db, organizationId, ref));
    if (!wanted) throw invalidInput({ into: [msg("incident.no_incident")] });
    if (wanted.id === found.id) throw invalidInput({ into: [msg("incident.itself")] });
    await lockIncidents(ctx.db, [found.id, wanted.id]);
    const source = await lockForChange(ctx, found);
    const target = await lockTarget(ctx, wanted, source);
    if (target.resolvedAt !== null && source.resolvedAt === null) {
      throw new PublicError("conflict", msg("incident.into_resolved"));
    }
    return projectIncident(await moveAll(ctx, source, target));
  },
});

/** Throws 409 where it was merged itself: with the incident that has all of it now. */
async function lockTarget(
  ctx: Running,
  wanted: StoredIncident,
  source: StoredIncident,
): Promise<StoredIncident> {
  const target = await lockIncident(ctx, wanted);
  if (target.mergedIntoId === null) return target;
  const [into = target.mergedIntoId] = await mergedOf(ctx.db, [target.id]);
  const other = target.id;
  throw new PublicError(
    "conflict",
    into === source.id ? msg("incident.into_own", { other }) : msg("incident.into_merged", { other, into }),
  );
}

async function moveAll(
  ctx: Running,
  source: StoredIncident,
  target: StoredIncident,
): Promise<StoredIncident> {
  const { db, clock, incidentNotifier } = ctx;
  await moveIncidentLog(db, source.id, target.id);
  const acknowledgement = await shareAcknowledgement(ctx, source, target);
  await moveAffected(ctx, source, target);
  const resolvedAt = source.resolvedAt ?? Math.max(clock.now(), source.startedAt);
  const left = await changeIncident(ctx, source, { status: "resolved", resolvedAt, mergedIntoId: target.id });
  const startedAt = Math.min(target.startedAt, source.startedAt);
  const words = await wordsOfBoth(ctx, source, target);
  // Outages that were notified together stay so, also in an incident that was reported by a person.
  const lead = target.monitorId === null ? { monitorId: source.monitorId } : {};
  const change = { ...acknowledgement, ...words, ...lead, startedAt };
  const grown = await changeIncident({ ...ctx, record: () => {} }, target, change);
  const merged = msg("incident.merged", { title: source.title });
  await logUpdate(ctx, grown, { ...merged, because: messageOfOther(source) });
  await incidentNotifier.noteGone(db, source, messageOfOther(target), clock.now());
  await noteIncidents(db, [source, target], clock.now());
  await announceIncident(ctx, left);
  return grown;
}

/** What Vedette says of the target, now that it has the outages of both. */
async function wordsOfBoth(
  { db }: Running,
  source: StoredIncident,
  target: StoredIncident,
): Promise<IncidentChange> {
  const came = membersOf(source.affectedServices).map((one) => ({ ...one, merged: true }));
  if (came.length === 0) return {};
  const { id, monitorId: leadId, groupedBy: by, affectedServices } = target;
  const reasons = await readReasonsOfMonitors(db, id);
  const words = wordsOfMembers([...membersOf(affectedServices), ...came], { leadId, by, reasons });
  return words ? unlessWritten(target, words) : {};
}

/**
 * An acknowledgement of one of two ongoing incidents covers both: the channels of the other one are notified while each still
 * has its own outages. One of a past incident covers nothing that goes on. Returns what is new to the target.
 */
async function shareAcknowledgement(
  { db, clock, incidentNotifier }: Running,
  source: StoredIncident,
  target: StoredIncident,
): Promise<IncidentChange> {
  const isOver = target.resolvedAt !== null;
  if ((source.resolvedAt !== null) !== isOver) return {};
  const [from, to] = source.acknowledgedAt === null ? [target, source] : [source, target];
  if (from.acknowledgedAt === null || to.acknowledgedAt !== null) return {};
  const { acknowledgedAt, acknowledgedById, acknowledgedVia, acknowledgedByName } = from;
  // What joined one silently since it was acknowledged does not become known by that.
  await acknowledgeOutages(
    db,
    to.affectedServices.map(({ id }) => id),
  );
  if (!isOver)
    await incidentNotifier.noteAcknowledged(db, [to], { by: acknowledgedByName, now: clock.now() });
  return to === target ? { acknowledgedAt, acknowledgedById, acknowledgedVia } : {};
}

/** What both name without an outage of its own is named once. */
async function moveAffected({ db }: Running, source: StoredIncident, target: StoredIncident): Promise<void> {
  const known = new Set(target.affectedServices.map(({ name }) => name));
  const [doubled, moved] = partition(
    source.affectedServices,
    ({ name, outageStartedAt }) => outageStartedAt === null && known.has(name),
  );
  await deleteAffectedServices(
    db,
    doubled.map(({ id }) => id),
  );
  await moveAffectedServices(
    db,
    moved.map(({ id }) => id),
    { into: target.id, merged: true },
  );
}
