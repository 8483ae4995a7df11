import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { type GiveWay, takeTurns } from "../platform/turns.ts";
import { incidentOf, incidentSubject, monitorSubject, type Observed, type Policy, rankOf } from "./alert.ts";
import { areSentAt } from "./channels/hours.ts";
import { type DeliveryConfig, inactiveWhy, policyOf, type Wanted, wantedBy } from "./policy.ts";
import { type AlertEvent, listAlertSubjects } from "./queries/alert-events.ts";
import { listOpenMembers, listOpenSubjects, lockAlerts, type StoredAlert } from "./queries/alerts.ts";
import { type Channel, lockChannelsOf } from "./queries/channels.ts";
import { type MonitorTruth, readTruth, subjectOf } from "./truth.ts";

/** A channel, with what of the scene it was notified of. */
export interface ChannelView {
  channel: Channel;
  policy: Policy;
  /** Its alerts of the subjects that are looked at. */
  stored: ReadonlyMap<string, StoredAlert>;
}

/** What channels want to be notified of, and what holds it back, by rules that need more than one channel and monitor. */
interface Interests {
  wantedBy(channel: Channel, truth: MonitorTruth): Wanted;
  heldBy(channel: Channel, truth: MonitorTruth): Pick<Observed, "heldBy" | "parentId">;
  /** What is down behind others, and has no outage of its own, is acknowledged with the nearest of them that has an incident. */
  isAcknowledged(truth: MonitorTruth): boolean | undefined;
  /** Whether a mailbox of the organization's that `isFor` holds for writes to the address of that channel of a person. */
  isSharedMail(channel: Channel, isCritical: boolean, isFor: (shared: Channel) => boolean): boolean;
}

/** What is so of everything that some events name, and who is to know. */
export interface Scene extends Interests {
  events: readonly AlertEvent[];
  channels: readonly ChannelView[];
  truth: ReadonlyMap<number, MonitorTruth>;
  /** The alert of each monitor that has a problem. */
  subjects: ReadonlyMap<number, string>;
  /** The alerts that they belonged to, or that receivers may still show them in. */
  known: readonly { monitorId: number; subject: string }[];
  /** The alerts that are brought up to date. */
  observed: ReadonlySet<string>;
  /** The monitors that are evaluated for them; one of which there is no truth is gone. */
  evaluated: ReadonlySet<number>;
  truthOf(organizationId: number): readonly MonitorTruth[];
}

/** Reads the monitors that these events name and all others in the same alerts; locks the alerts. */
export async function readScene(
  { config }: Pick<Context, "config">,
  trx: Db,
  events: readonly AlertEvent[],
  now: number,
): Promise<Scene> {
  const organizationIds = [...new Set(events.map(({ organizationId }) => organizationId))];
  // Before the alerts: deleting a channel locks it, and then its alerts.
  const channels = await lockChannelsOf(trx, organizationIds);
  const giveWay = takeTurns();
  const { ids, more } = await listConcerned(trx, events);
  await giveWay();
  const { truth, subjects, known, evaluated } = await readSubjects(trx, ids, giveWay);
  const current = [...known.map(({ subject }) => subject), ...subjects.values()];
  const observed = new Set([...current, ...[...evaluated].map(monitorSubject), ...more]);
  const posted = events.flatMap(({ post }) => post?.subject ?? []);
  const alerts = Map.groupBy(
    await lockAlerts(trx, [...new Set([...observed, ...posted])]),
    ({ channelId }) => channelId,
  );
  const views = channels.map((channel) => ({
    channel,
    policy: policyOf(config, channel),
    stored: new Map((alerts.get(channel.id) ?? []).map((one) => [one.subject, one])),
  }));
  const seen = [...truth.values()].filter(({ monitorId }) => evaluated.has(monitorId));
  const byOrganization = Map.groupBy(seen, ({ organizationId }) => organizationId);
  return {
    ...interestsOf(channels, truth, { config, now }),
    events,
    channels: views,
    truth,
    subjects,
    known,
    observed,
    evaluated,
    truthOf: (organizationId) => byOrganization.get(organizationId) ?? [],
  };
}

/** The monitors that events name, and the subjects of a changed channel's alerts. */
async function listConcerned(
  trx: Db,
  events: readonly AlertEvent[],
): Promise<{ ids: number[]; more: string[] }> {
  const incidentIds = events.flatMap(({ incidentId }) => incidentId ?? []);
  const channelIds = events.flatMap(({ channelId }) => channelId ?? []);
  const changed = events.flatMap(({ channelId, organizationId }) =>
    channelId === null ? [] : organizationId,
  );
  const named = events.flatMap(({ monitorId }) => monitorId ?? []);
  const ofIncidents = await listOpenMembers(trx, incidentIds);
  const alertSubjects = await listAlertSubjects(trx, { subjects: incidentIds.map(incidentSubject) });
  const others = changed.length > 0 ? await listAlertSubjects(trx, { organizationIds: changed }) : [];
  const ids = [...named, ...ofIncidents, ...[...alertSubjects, ...others].map(({ monitorId }) => monitorId)];
  return { ids: [...new Set(ids)], more: await listOpenSubjects(trx, channelIds) };
}

/** These monitors and all that share an alert with them, now or before, with the alert of each. */
async function readSubjects(trx: Db, ids: readonly number[], giveWay: GiveWay) {
  const truth = await withParents(trx, await readTruth(trx, ids));
  await giveWay();
  const known = await listAlertSubjects(trx, { monitorIds: ids });
  const subjectsIn = (some: Iterable<number>) =>
    new Map(
      [...some].flatMap((id) => {
        const subject = subjectWhileConfirmed(truth, id, known) ?? subjectIn(truth, id);
        return subject === null ? [] : [[id, subject] as const];
      }),
    );
  const first = new Set([...known.map(({ subject }) => subject), ...subjectsIn(ids).values()]);
  known.push(...(await listAlertSubjects(trx, { subjects: [...first] })));
  const evaluated = new Set([...ids, ...known.map(({ monitorId }) => monitorId)]);
  const others = [...evaluated].filter((id) => !truth.has(id));
  for (const [id, one] of await readTruth(trx, others)) truth.set(id, one);
  await withParents(trx, truth);
  await giveWay();
  // A pager's alert keeps the subject that it was opened for, even where the problem belongs to another alert by now.
  const named = new Set(ids);
  const joined = [...evaluated].filter((id) => !named.has(id));
  known.push(...(await listAlertSubjects(trx, { monitorIds: joined })));
  // Parents were read only for what they hold back: their own alerts were not evaluated.
  return { truth, subjects: subjectsIn(evaluated), known, evaluated };
}

/**
 * What was down behind something that recovered stays in the alert that listed it until it is known whether it is down by itself: the end of
 * the one is then sent with what is still down. Null: it was in none, or is known.
 */
function subjectWhileConfirmed(
  truth: ReadonlyMap<number, MonitorTruth>,
  id: number,
  known: readonly { monitorId: number; subject: string }[],
): string | null {
  const one = truth.get(id);
  if (!one?.isBeingConfirmed || one.incidentId !== null) return null;
  const incidents = known.flatMap(({ monitorId, subject }) =>
    monitorId === id ? (incidentOf(subject) ?? []) : [],
  );
  return incidents.length > 0 ? incidentSubject(Math.max(...incidents)) : null;
}

/** With those behind which these are down, and those behind which these are. */
export async function withParents(
  trx: Db,
  truth: Map<number, MonitorTruth>,
): Promise<Map<number, MonitorTruth>> {
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const parents = [...truth.values()].flatMap(({ parentId }) =>
      parentId === null || truth.has(parentId) ? [] : parentId,
    );
    if (parents.length === 0) break;
    for (const [id, one] of await readTruth(trx, parents)) truth.set(id, one);
  }
  return truth;
}

/** No chain of monitors that depend on each other is followed further. */
export const MAX_DEPTH = 10;

/** Those behind which a monitor is down, the nearest first. */
function parentsOf(truth: ReadonlyMap<number, MonitorTruth>, one: MonitorTruth): MonitorTruth[] {
  const parents: MonitorTruth[] = [];
  for (let at = one; at.parentId !== null && parents.length < MAX_DEPTH; ) {
    const parent = truth.get(at.parentId);
    if (!parent || parents.includes(parent)) break;
    parents.push(parent);
    at = parent;
  }
  return parents;
}

/** The alert of a monitor with a problem, as monitors are in `truth`; null: it has none. */
export function subjectIn(truth: ReadonlyMap<number, MonitorTruth>, id: number): string | null {
  const one = truth.get(id);
  return one ? subjectOf(one, parentsOf(truth, one)) : null;
}

/** The interests of these channels, as monitors are in `truth`. */
export function interestsOf(
  channels: readonly Channel[],
  truth: ReadonlyMap<number, MonitorTruth>,
  { config, now }: { config: DeliveryConfig; now: number },
): Interests {
  const mailboxes = channels.filter(
    (one) => one.type === "email" && one.userId === null && inactiveWhy(config, one) === null,
  );
  const isSharedMail: Interests["isSharedMail"] = (channel, isCritical, isFor) =>
    channel.userId !== null &&
    channel.type === "email" &&
    mailboxes.some(
      (shared) =>
        shared.organizationId === channel.organizationId &&
        shared.target.toLowerCase() === channel.target.toLowerCase() &&
        (isCritical || isSentSoon(shared, now)) &&
        isFor(shared),
    );
  const own = (channel: Channel, one: MonitorTruth): Wanted => {
    const wanted = wantedBy(channel, one);
    const isShared =
      wanted.isWanted &&
      isSharedMail(channel, one.severity === "critical", (shared) =>
        isReplaced(config, channel, shared, one),
      );
    return isShared ? { ...wanted, isWanted: false } : wanted;
  };
  return {
    isSharedMail,
    wantedBy: own,
    isAcknowledged(one) {
      const parent = parentsOf(truth, one).find(({ incidentId }) => incidentId !== null);
      return one.incidentId === null && parent ? parent.isAcknowledged : one.isAcknowledged;
    },
    heldBy(channel, one) {
      if (one.isInMaintenance) return { heldBy: "maintenance", parentId: null };
      if (one.isBeingConfirmed) return { heldBy: "parent", parentId: null };
      for (const parent of parentsOf(truth, one)) {
        if (parent.condition === "ok" || parent.isInMaintenance || parent.isUnwatched) break;
        // What is more severe than its parent is not left to be guessed from that.
        if (own(channel, parent).isWanted && rankOf(parent) >= rankOf(one))
          return { heldBy: "parent", parentId: parent.monitorId };
      }
      return { heldBy: null, parentId: null };
    },
  };
}

/** Whether another channel sends all that this one would of a monitor: its problem, reminders of it, and its end. */
function isReplaced(config: DeliveryConfig, channel: Channel, other: Channel, truth: MonitorTruth): boolean {
  const { isWanted, isEndWanted } = wantedBy(other, truth);
  const isReminded = (one: Channel) => policyOf(config, one).repeatMs(truth.severity) > 0;
  return (
    isWanted &&
    (isEndWanted || !wantedBy(channel, truth).isEndWanted) &&
    (isReminded(other) || !isReminded(channel))
  );
}

/** A message to a mailbox waits a little where others were just sent; its hours must not end meanwhile. */
const SOON_MS = 10 * 60_000;

const isSentSoon = ({ hours, timeZone }: Channel, now: number): boolean =>
  hours === null || (areSentAt(hours, now, timeZone) && areSentAt(hours, now + SOON_MS, timeZone));

/** A monitor as it is, as far as it concerns a channel with these interests. */
export const observedBy = (
  { wantedBy, heldBy, isAcknowledged }: Pick<Interests, "wantedBy" | "heldBy" | "isAcknowledged">,
  channel: Channel,
  truth: MonitorTruth,
): Observed => {
  const { monitorId, condition, since, severity, isUnwatched } = truth;
  const own = { monitorId, condition, since, severity, isUnwatched, isAcknowledged: isAcknowledged(truth) };
  return { ...own, ...wantedBy(channel, truth), ...heldBy(channel, truth) };
};
