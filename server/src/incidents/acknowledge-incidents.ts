import { findUser } from "../platform/access/queries/users.ts";
import { PublicError } from "../platform/errors.ts";
import { inEnglish } from "../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { partition } from "../platform/lru-cache.ts";
import { IncidentBulk, IncidentBulkResult, projectBulk, readBulkIds } from "../platform/operations/bulk.ts";
import { IdParams } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { inSlices } from "../platform/turns.ts";
import { findIncidentMeant, lockIncident } from "./affected.ts";
import { type Changing, changeIncident, changeIncidents } from "./changed-incident.ts";
import { acknowledgeOutages, type ShownService } from "./queries/affected-services.ts";
import { type IncidentChange, lockIncidentsMeant, noteIncidents } from "./queries/incident-changes.ts";
import { insertIncidentUpdates } from "./queries/incident-updates.ts";
import { type Incident, readIncidents } from "./queries/incidents.ts";
import { Incident as IncidentSchema, projectIncident } from "./schemas/incidents.ts";

/** How many are read or changed in one go: some milliseconds of work on SQLite, whose statements hold the thread. */
export const SLICE = 50;

/** A person, or a channel through a message's link. */
type Acknowledger = { acknowledgedById: number } | { acknowledgedVia: string };

/**
 * Acknowledges incidents of one organization, which are locked and have something that is not acknowledged: those of their outages
 * that `covers` holds for. Their channels are notified. Of an incident that was acknowledged before it stays known who was first;
 * its log has who came later.
 */
export async function acknowledgeEach(
  ctx: Changing,
  organizationId: number,
  incidents: readonly Incident[],
  who: Acknowledger,
  covers: (outage: ShownService) => boolean = () => true,
): Promise<Incident[]> {
  const now = ctx.clock.now();
  const by =
    "acknowledgedVia" in who
      ? who.acknowledgedVia
      : ((await findUser(ctx.db, who.acknowledgedById))?.name ?? null);
  const acknowledged: Incident[] = [];
  await inSlices(incidents, SLICE, async (part) => {
    const covered = part.flatMap(({ affectedServices }) => affectedServices.filter(covers));
    await acknowledgeOutages(
      ctx.db,
      covered.map(({ id }) => id),
    );
    const [first, again] = partition(part, ({ acknowledgedAt }) => acknowledgedAt === null);
    await insertIncidentUpdates(
      ctx.db,
      again.map((incident) => entryOf(incident, who, { covers, now })),
    );
    const change = async (some: typeof part, changes: IncidentChange) =>
      some.length === 0
        ? []
        : changeIncidents(
            ctx,
            organizationId,
            some.map(({ id }) => id),
            changes,
          );
    const changed = [...(await change(first, { acknowledgedAt: now, ...who })), ...(await change(again, {}))];
    // A pager escalates no further what is acknowledged: it is not sent that while something else in the incident is not.
    const [whole, partly] = partition(changed, isAcknowledged);
    await ctx.incidentNotifier.noteAcknowledged(ctx.db, whole, { by, now });
    await noteIncidents(ctx.db, partly, now);
    acknowledged.push(...changed);
  });
  return acknowledged;
}

const MAX_NAMES = 20;

/** What the log says of a later acknowledgement. */
function entryOf(
  { id, organizationId, status, affectedServices }: Incident,
  who: Acknowledger,
  { covers, now }: { covers: (outage: ShownService) => boolean; now: number },
) {
  const names = affectedServices.filter((one) => isWaiting(one) && covers(one)).map(({ name }) => name);
  const more = names.length - MAX_NAMES;
  const listed = names.slice(0, MAX_NAMES).join(", ") + (more > 0 ? ` + ${more}` : "");
  const said =
    "acknowledgedVia" in who
      ? msg("incident.acknowledged_more_via", { names: listed, channel: who.acknowledgedVia })
      : msg("incident.acknowledged_more", { names: listed });
  const userId = "acknowledgedVia" in who ? null : who.acknowledgedById;
  return {
    ...{ organizationId, incidentId: id, userId, status, at: now },
    ...{ message: inEnglish(said), descriptor: said },
  };
}

type Affected = Pick<ShownService, "outageStartedAt" | "outageEndedAt" | "acknowledged">;

/** Whether it goes on, and is not acknowledged. */
export const isWaiting = ({ outageStartedAt, outageEndedAt, acknowledged }: Affected): boolean =>
  outageStartedAt !== null && outageEndedAt === null && !acknowledged;

/** Whether it was acknowledged, with all that is down in it: what joined later was not. */
const isAcknowledged = ({
  acknowledgedAt,
  affectedServices,
}: Pick<Incident, "acknowledgedAt" | "affectedServices">): boolean =>
  acknowledgedAt !== null && !affectedServices.some(isWaiting);

/** Why that person cannot acknowledge it; null where they can, or were the first to. */
function acknowledgeProblem(incident: Incident, userId: number | null): MessageDescriptor | null {
  const { mergedIntoId, acknowledgedAt, acknowledgedById, acknowledgedByName, resolvedAt } = incident;
  if (mergedIntoId !== null) return msg("incident.is_merged", { into: mergedIntoId });
  if (acknowledgedAt !== null && acknowledgedById !== userId && isAcknowledged(incident)) {
    const at = new Date(acknowledgedAt).toISOString();
    return msg("incident.acknowledged", { name: acknowledgedByName ?? "?", at });
  }
  return resolvedAt === null ? null : msg("incident.is_over");
}

/** Many incidents acknowledged at once, each as its own verb would; an audit row each. */
export const acknowledgeIncidents = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: null,
  input: IncidentBulk,
  output: IncidentBulkResult,
  async run(ctx, { action, ids }) {
    const { organizationId, userId } = ctx.caller;
    const meant = readBulkIds(ids);
    const waiting: Incident[] = [];
    const unchanged: Incident[] = [];
    const refused: { id: number; uuid: string; why: MessageDescriptor }[] = [];
    await inSlices(await lockIncidentsMeant(ctx.db, organizationId, meant.refs), SLICE, async (part) => {
      for (const incident of await readIncidents(ctx.db, organizationId, part)) {
        const { id, uuid } = incident;
        const why = acknowledgeProblem(incident, userId);
        if (why) refused.push({ id, uuid, why });
        else if (!isAcknowledged(incident)) waiting.push(incident);
        else unchanged.push(incident);
      }
    });
    const record: Changing["record"] = (subject) =>
      ctx.record({ ...subject, action: "acknowledge incidents" });
    const who = { acknowledgedById: userId };
    const changed = await acknowledgeEach({ ...ctx, record }, organizationId, waiting, who);
    return projectBulk(action, { changed, unchanged, refused }, meant, 409);
  },
});

/**
 * Acknowledges an incident as the caller. The first one counts; repeating it changes nothing, unless something else has gone down in
 * it since. Throws 404, and 409 where another person was first, or it is resolved.
 */
export const acknowledgeIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "acknowledge incidents",
  input: IdParams,
  output: IncidentSchema,
  find: findIncidentMeant,
  async run(ctx, _, found) {
    const incident = await lockIncident(ctx, found);
    const { userId } = ctx.caller;
    const problem = acknowledgeProblem(incident, userId);
    if (problem) throw new PublicError("conflict", problem);
    if (isAcknowledged(incident)) return projectIncident(await changeIncident(ctx, incident));
    const who = { acknowledgedById: userId };
    const [mine = incident] = await acknowledgeEach(ctx, incident.organizationId, [incident], who);
    return projectIncident(mine);
  },
});
