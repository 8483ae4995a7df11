import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { type GiveWay, inSlices, takeTurns } from "../platform/turns.ts";
import {
  incidentOf,
  isRecoveryOwed,
  type Member,
  mayKnow,
  monitorSubject,
  type Observed,
  type Policy,
} from "./alert.ts";
import { deliveryOf, requestConfirmationOnce, toChannel } from "./channels/delivery.ts";
import type { QueuedMessage } from "./compose.ts";
import { applyPosts } from "./note.ts";
import { isWaiting } from "./people/trusted-address.ts";
import { isPostWanted } from "./policy.ts";
import {
  type AlertEvent,
  deleteAlertSubjects,
  insertAlertSubjects,
  takeAlertEvents,
} from "./queries/alert-events.ts";
import { emptyAlert, linkByUuid, type StoredAlert, saveAlerts } from "./queries/alerts.ts";
import type { Channel } from "./queries/channels.ts";
import { lockClaims } from "./queries/claim-deliveries.ts";
import { hurryWaiting, insertChannelDeliveries } from "./queries/outbox.ts";
import { step } from "./rules.ts";
import { type ChannelView, MAX_DEPTH, observedBy, readScene, type Scene } from "./scene.ts";
import { dropUnneeded } from "./send.ts";

/** So many are taken in one transaction: with fifty channels they are thousands of alerts, which SQLite commits in one turn. */
const EVENTS = 100;

/**
 * Brings the alerts of every channel in line with what is so now, after what happened since: the inbox is emptied in order, and what
 * it names is looked at as it is. Nothing is sent here but into the outbox. Any number of replicas may do so. Throws the store's error.
 */
export async function followAlertEvents(ctx: Context): Promise<void> {
  for (let taken = EVENTS; taken === EVENTS; ) {
    taken = await ctx.store.transaction(async (trx) => {
      await lockClaims(trx);
      const events = await takeAlertEvents(trx, EVENTS);
      if (events.length > 0) await bringUpToDate(ctx, trx, events);
      return events.length;
    });
  }
}

async function bringUpToDate(ctx: Context, trx: Db, events: readonly AlertEvent[]): Promise<void> {
  const now = ctx.clock.now();
  const giveWay = takeTurns();
  const scene = await readScene(ctx, trx, events, now);
  await giveWay();
  const written: StoredAlert[] = [];
  const queued: QueuedMessage[] = [];
  for (const view of scene.channels) {
    if (isWaiting(ctx.config, view.channel)) await requestConfirmationIfWanted(ctx, trx, scene, view.channel);
    const { alerts, messages } = await updateChannel(scene, view, { now, giveWay });
    written.push(...alerts);
    queued.push(...messages);
    await giveWay();
  }
  const changed = written.filter((one) => one.id !== 0 || mustBeStored(one));
  const saved = await saveAlerts(trx, changed, now);
  await enqueue(
    trx,
    queued,
    [...saved, ...scene.channels.flatMap(({ stored }) => [...stored.values()])],
    now,
  );
  await dropUnneeded(trx);
  await giveWay();
  const current = [...scene.subjects].map(([monitorId, subject]) => ({
    monitorId,
    subject,
    organizationId: scene.truth.get(monitorId)?.organizationId ?? 0,
  }));
  await insertAlertSubjects(trx, [...current, ...saved.flatMap((one) => elsewhereOf(one, scene))]);
  await deleteAlertSubjects(trx, await forgottenOf(scene, written, giveWay));
}

/** What an alert has, a pager's for instance, of monitors that belong to another one by now: their recovery is looked for here, too. */
const elsewhereOf = ({ subject, alert, organizationId }: StoredAlert, { subjects }: Scene) =>
  alert.members.flatMap(({ monitorId, condition }) => {
    const isElsewhere = incidentOf(subject) !== null && subjects.get(monitorId) !== subject;
    return isElsewhere && condition !== "ok" ? { monitorId, subject, organizationId } : [];
  });

/** Which monitors are no longer in their alerts, with no channel that is owed a recovery. */
async function forgottenOf(scene: Scene, written: readonly StoredAlert[], giveWay: GiveWay) {
  const owed = new Set<string>();
  const changed = new Set(written.map(keyOf));
  const add = ({ subject, alert }: StoredAlert) => {
    for (const one of alert.members)
      if (isRecoveryOwed(one) || one.condition !== "ok") owed.add(`${subject} ${one.monitorId}`);
  };
  for (const { stored } of scene.channels) {
    for (const one of stored.values()) if (!changed.has(keyOf(one))) add(one);
    await giveWay();
  }
  await inSlices(written, ALERTS_AT_ONCE, (some) => some.forEach(add), giveWay);
  return scene.known.filter(
    ({ monitorId, subject }) =>
      scene.subjects.get(monitorId) !== subject && !owed.has(`${subject} ${monitorId}`),
  );
}

/** So many are looked at, or messages written, before others have their turn. */
const ALERTS_AT_ONCE = 25;

const keyOf = ({ channelId, subject }: StoredAlert): string => `${channelId} ${subject}`;

/** Writes events into the outbox, each with the alert that it is of. */
async function enqueue(
  trx: Db,
  queued: readonly QueuedMessage[],
  alerts: readonly StoredAlert[],
  now: number,
): Promise<void> {
  const ids = new Map(alerts.map((one) => [keyOf(one), one.id]));
  // What was tried in vain before goes first, and now: a receiver that was away is not to get it half an hour later.
  await hurryWaiting(trx, [...new Set(queued.map(({ channel }) => channel.id))], now);
  await inSlices(queued, ALERTS_AT_ONCE, async (some) => {
    const deliveries = some.map(({ channel, message }) => deliveryOf(toChannel(channel), message, now));
    await insertChannelDeliveries(trx, deliveries, { now });
    const links = some.map(({ channel, subject }, at) => ({
      uuid: deliveries[at]?.uuid ?? "",
      alertId: ids.get(`${channel.id} ${subject}`) ?? 0,
    }));
    await linkByUuid(
      trx,
      links.filter(({ alertId }) => alertId !== 0),
    );
  });
}

/** Alerts with nothing pending are not stored: they are evaluated again when any part of them changes. */
const mustBeStored = ({ alert: { nextAt, members, posts, isOpen } }: StoredAlert): boolean =>
  nextAt !== null || isOpen || members.some(mayKnow) || posts.length > 0;

/** The alerts of a channel that changed, and what of it a machine is sent at once. */
async function updateChannel(
  scene: Scene,
  view: ChannelView,
  { now, giveWay }: { now: number; giveWay: GiveWay },
): Promise<{ alerts: StoredAlert[]; messages: QueuedMessage[] }> {
  const { channel, policy, stored } = view;
  const hasPosts = scene.events.some(({ post }) => post !== null && post.audience.is !== "machines");
  if (policy.delivery === "off" && stored.size === 0 && !hasPosts) return { alerts: [], messages: [] };
  const isChanged = scene.events.some(({ channelId }) => channelId === channel.id);
  const isBack = isChanged && policy.delivery !== "off" && policy.reader === "people";
  const wasOff = ({ alert }: StoredAlert) => isBack && alert.reason === "inactive";
  const isFailing = ({ alert }: StoredAlert) =>
    policy.reader === "people" && alert.failures > 0 && alert.sending === null;
  const alerts = new Map(
    [...stored].map(([subject, one]) => {
      const known = policy.reader === "pager" ? withoutReleased(one, scene) : one;
      const found = wasOff(one) || isFailing(one) ? withoutEarlier(known, scene) : known;
      return [subject, isChanged ? withRetryReset(found) : found];
    }),
  );
  const members = membersBySubject(scene, view, stickyOf(alerts, policy));
  moveNotifiedConditions(alerts, members, view);
  const observing = new Set([...members.keys(), ...observedSubjects(alerts, scene)]);
  for (const [subject, one] of isChanged ? alerts : []) {
    if (observing.has(subject)) continue;
    const { alert } = step(one.alert, { type: "policy" }, policy, now);
    alerts.set(subject, { ...one, alert });
  }
  const times = scene.events.flatMap((one) => (one.organizationId === channel.organizationId ? one.at : []));
  const at = Math.min(now, ...times);
  for (const subject of observing) {
    await giveWay();
    const found = marked(alerts.get(subject) ?? emptyAlert(channel, subject, now), scene);
    const own = members.get(subject) ?? [];
    const listed = new Set(own.map(({ monitorId }) => monitorId));
    const left = found.alert.members.filter(
      (one) => !listed.has(one.monitorId) && (isRecoveryOwed(one) || isJustOver(one, scene)),
    );
    const observed = {
      type: "observed" as const,
      members: [...own, ...left.map((one) => leftMember(one, scene, view, now))],
      at,
    };
    alerts.set(subject, { ...found, alert: step(found.alert, observed, policy, now).alert });
  }
  const messages = applyPosts(scene, view, alerts, now);
  const changed = [...alerts.values()].filter((one) => hasChanged(stored.get(one.subject), one));
  return { alerts: changed, messages };
}

const hasChanged = (before: StoredAlert | undefined, after: StoredAlert): boolean =>
  before !== after && JSON.stringify(before) !== JSON.stringify(after);

/** The subjects of a channel's alerts that are to be looked at: those of incidents and monitors. */
const observedSubjects = (alerts: ReadonlyMap<string, StoredAlert>, scene: Scene): string[] =>
  [...alerts.keys()].filter(
    (subject) => /^(?:incident|monitor) /.test(subject) && scene.observed.has(subject),
  );

/** It recovered without a notification, which quiet hours have to mention; or it was not evaluated. */
const isJustOver = ({ monitorId, condition }: Member, scene: Scene): boolean =>
  !scene.evaluated.has(monitorId) || (condition !== "ok" && scene.truth.get(monitorId)?.condition === "ok");

/**
 * Where a channel was off meanwhile, or its messages failed, what it was notified of an earlier outage says nothing of the one
 * that goes on.
 */
function withoutEarlier(stored: StoredAlert, { truth }: Scene): StoredAlert {
  const members = stored.alert.members.map((member): Member => {
    const { condition, since = 0 } = truth.get(member.monitorId) ?? {};
    const isAnother =
      condition === "down" && member.notified === "down" && since > (member.notifiedSince ?? 0);
    // Its end is sent all the same.
    return isAnother ? { ...member, notified: null, queued: member.notified } : member;
  });
  return { ...stored, alert: { ...stored.alert, members } };
}

/**
 * What a pager lists as down behind another monitor, and is down by itself now, has an alert of its own: no one is called by one
 * that was acknowledged.
 */
function withoutReleased(stored: StoredAlert, { truth, subjects }: Scene): StoredAlert {
  const { alert, subject } = stored;
  const isReleased = ({ monitorId, isListed }: Member) => {
    const { condition = "ok", incidentId = null, parentId = null } = truth.get(monitorId) ?? {};
    const isByItself = condition !== "ok" && incidentId !== null && parentId === null;
    return isListed === true && isByItself && subjects.get(monitorId) !== subject;
  };
  if (alert.sending !== null || !alert.members.some(isReleased)) return stored;
  return { ...stored, alert: { ...alert, members: alert.members.filter((one) => !isReleased(one)) } };
}

/** Whatever became of the last attempt, a channel that people changed is tried at once. */
const withRetryReset = (stored: StoredAlert): StoredAlert => ({
  ...stored,
  alert: { ...stored.alert, retryAt: null, failures: 0 },
});

/** A pager's alert keeps the monitors that it was opened for, any other those that a message on its way names. By their numbers. */
function stickyOf(alerts: ReadonlyMap<string, StoredAlert>, { reader }: Policy): ReadonlyMap<number, string> {
  const isPager = reader === "pager";
  return new Map(
    [...alerts].flatMap(([subject, { alert }]) => {
      const isSending = new Set(alert.sending?.says.map(({ monitorId }) => monitorId));
      const stickyMembers = alert.members.filter(
        (one) => isRecoveryOwed(one) && (isPager || isSending.has(one.monitorId)),
      );
      return stickyMembers.map(({ monitorId }) => [monitorId, subject] as const);
    }),
  );
}

/** What a message on its way names and belongs to another alert by now is moved when it has arrived. */
function marked(stored: StoredAlert, scene: Scene): StoredAlert {
  const { alert, subject } = stored;
  const { sending } = alert;
  const isMoved = sending?.says.some(({ monitorId }) => {
    const current = scene.subjects.get(monitorId);
    return current !== undefined && current !== subject;
  });
  return sending && isMoved ? { ...stored, alert: { ...alert, sending: { ...sending, isMoved } } } : stored;
}

/** What an alert has of a monitor that belongs to it no more: that is over, as far as it goes, where it was evaluated. */
function leftMember(member: Member, scene: Scene, { channel }: ChannelView, now: number): Observed {
  if (!scene.evaluated.has(member.monitorId)) return member;
  const truth = scene.truth.get(member.monitorId);
  const known: Partial<Observed> = { condition: "ok", isUnknown: false };
  const over = { ...known, isWanted: false, isFollowed: false, heldBy: null };
  if (!truth) return { ...member, ...over, since: now, isUnwatched: true };
  const isOfEarlierCheck = (member.notifiedSince ?? 0) < truth.watchedSince;
  if (truth.isUnknown && mayKnow(member))
    return isOfEarlierCheck ? { ...member, ...over, since: now, isUnwatched: true } : unchanged(member);
  const { isEndWanted } = scene.wantedBy(channel, { ...truth, condition: "ok" });
  const { since, isUnwatched } = truth;
  return { ...member, ...over, since, isEndWanted, isUnwatched };
}

/** As the channel knows it. */
const unchanged = (member: Member): Observed => ({
  ...member,
  condition: member.queued ?? member.notified ?? "ok",
  since: member.notifiedSince ?? member.since,
  isUnknown: true,
});

/** What is wrong now, as one channel looks at it, by subject. A machine has an alert for each monitor. */
function membersBySubject(
  scene: Scene,
  { channel, policy }: ChannelView,
  sticky: ReadonlyMap<number, string>,
): Map<string, Observed[]> {
  const isMachine = policy.reader === "machine";
  const all = new Map(
    scene
      .truthOf(channel.organizationId)
      .filter(({ condition, isUnknown }) => condition !== "ok" || (isMachine && !isUnknown))
      .map((truth) => [truth.monitorId, observedBy(scene, channel, truth)]),
  );
  /** What is held back is listed in the alert that has what it is behind. */
  const stickySubject = (id: number, depth = 0): string | undefined => {
    const parentId = all.get(id)?.parentId ?? null;
    const isEnd = parentId === null || depth === MAX_DEPTH;
    return sticky.get(id) ?? (isEnd ? undefined : stickySubject(parentId, depth + 1));
  };
  const members = new Map<string, Observed[]>();
  for (const [id, observed] of all) {
    const subject = isMachine ? monitorSubject(id) : (stickySubject(id) ?? scene.subjects.get(id));
    if (!subject) continue;
    const others = members.get(subject);
    if (others) others.push(observed);
    else members.set(subject, [observed]);
  }
  return members;
}

/**
 * A monitor's problem belongs to one alert at a time. When incidents are regrouped, what the channel was notified of moves with
 * the problem, so that nothing is sent twice. A pager's alert keeps its members (stickyOf).
 */
function moveNotifiedConditions(
  alerts: Map<string, StoredAlert>,
  members: ReadonlyMap<string, readonly Observed[]>,
  { channel, policy, stored }: ChannelView,
): void {
  if (policy.reader === "pager") return;
  const places = new Map(
    [...members].flatMap(([subject, own]) => own.map((one) => [one.monitorId, subject])),
  );
  for (const from of stored.keys()) {
    const before = alerts.get(from) as StoredAlert;
    const { alert } = before;
    const moving = alert.members.filter((one) => {
      const to = places.get(one.monitorId);
      return to !== undefined && to !== from && isRecoveryOwed(one);
    });
    if (moving.length === 0) continue;
    const left = alert.members.filter((one) => !moving.includes(one));
    alerts.set(from, { ...before, alert: { ...alert, members: left } });
    for (const member of moving) {
      const to = places.get(member.monitorId) as string;
      const target = alerts.get(to) ?? emptyAlert(channel, to, alert.lastSentAt ?? 0);
      const others = target.alert.members.filter(({ monitorId }) => monitorId !== member.monitorId);
      const lastSentAt = Math.max(alert.lastSentAt ?? 0, target.alert.lastSentAt ?? 0) || null;
      alerts.set(to, { ...target, alert: { ...target.alert, members: [...others, member], lastSentAt } });
    }
  }
}

/** When a notification is due for a person whose address has not been confirmed yet, they are sent the confirmation request. */
async function requestConfirmationIfWanted(
  ctx: Context,
  trx: Db,
  scene: Scene,
  channel: Channel,
): Promise<void> {
  if (channel.userId === null || !channel.enabled) return;
  const isWanted = scene
    .truthOf(channel.organizationId)
    .some((truth) => truth.condition !== "ok" && scene.wantedBy(channel, truth).isWanted);
  if (isWanted || scene.events.some((event) => isPostWanted(event, channel)))
    await requestConfirmationOnce(ctx, trx, channel, ctx.clock.now());
}
