import { acknowledgeEach, isWaiting, SLICE } from "../../incidents/acknowledge-incidents.ts";
import type { Changing } from "../../incidents/changed-incident.ts";
import { membersOf } from "../../incidents/group-rules.ts";
import type { ShownService } from "../../incidents/queries/affected-services.ts";
import { lockIncidents, mergedOf } from "../../incidents/queries/incident-changes.ts";
import { type Incident, readIncidents } from "../../incidents/queries/incidents.ts";
import { SESSION_IDLE_MS } from "../../platform/access/authenticate-session.ts";
import type { AnonymousClient } from "../../platform/access/caller.ts";
import { findMember } from "../../platform/access/queries/members.ts";
import { findSessionHolder } from "../../platform/access/queries/sessions.ts";
import { hashToken } from "../../platform/access/random-tokens.ts";
import { isAtLeast } from "../../platform/access/roles-and-scopes.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { invalidInput } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import type { Reader } from "../../platform/i18n/reader.ts";
import { timestampOrNull } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { inSlices } from "../../platform/turns.ts";
import type { Message } from "../channels/message.ts";
import { wordsOf } from "../channels/message-words.ts";
import { LINK_MS, messageOfToken } from "../outbox.ts";
import { type Channel, readChannel } from "../queries/channels.ts";
import {
  findLinkedMessage,
  findOpenIncidents,
  type LinkedMessage,
  useLink,
} from "../queries/incident-deliveries.ts";
import {
  Acknowledgement,
  type AcknowledgementShown,
  AcknowledgementToken,
} from "../schemas/acknowledgement.ts";
import { confirmationState, confirmByMessage } from "./confirm-channel.ts";

/** Whether the message is a confirmation request. */
const isConsentRequest = ({ message }: LinkedMessage): boolean =>
  (JSON.parse(message) as Message).event === "confirmation";

/**
 * Which outages the link acknowledges: those of the monitors that the message named, that had begun by then. All that had, where it named none,
 * or one that is down behind others and has no outage of its own.
 */
function coveredBy(
  { message, createdAt }: LinkedMessage,
  incidents: readonly Incident[],
): (outage: ShownService) => boolean {
  const { outages = [], monitor, at } = JSON.parse(message) as Message;
  const named = new Set(outages.map(({ monitorId }) => monitorId));
  if (named.size === 0 && monitor) named.add(monitor.id);
  const own = new Set(
    incidents.flatMap(({ affectedServices }) => membersOf(affectedServices).map((one) => one.monitorId)),
  );
  if ([...named].some((id) => !own.has(id))) named.clear();
  const until = Math.max(createdAt, at, ...outages.map(({ startedAt }) => startedAt));
  return ({ monitorId, outageStartedAt }) =>
    outageStartedAt !== null && outageStartedAt <= until && (named.size === 0 || named.has(monitorId ?? 0));
}

/** Whether the link can still acknowledge something of the incident: an outage, or what a person reported. */
const isOpen =
  (covers: (outage: ShownService) => boolean) =>
  ({ automatic, resolvedAt, mergedIntoId, acknowledgedAt, affectedServices }: Incident): boolean => {
    const outages = affectedServices.filter(({ outageStartedAt }) => outageStartedAt !== null);
    const isWaitingItself = acknowledgedAt === null && (!automatic || outages.length === 0);
    const isGoingOn = resolvedAt === null && mergedIntoId === null;
    return isGoingOn && (isWaitingItself || outages.some((one) => isWaiting(one) && covers(one)));
  };

/** Since when all of it is over that the message was about; null: it goes on. */
function endOf(
  { resolvedAt, affectedServices }: Incident,
  covers: (outage: ShownService) => boolean,
): number | null {
  if (resolvedAt !== null) return resolvedAt;
  const ends = affectedServices.filter(covers).map(({ outageEndedAt }) => outageEndedAt);
  return ends.length === 0 || ends.includes(null) ? null : Math.max(...ends.map(Number));
}

/** The incidents of a message as they are now. */
async function incidentsOf(db: Db, { organizationId, incidentIds }: LinkedMessage): Promise<Incident[]> {
  const incidents: Incident[] = [];
  await inSlices(await mergedOf(db, incidentIds), SLICE, async (part) => {
    incidents.push(...(await readIncidents(db, organizationId, part)));
  });
  return incidents;
}

/** What the holder of the link sees: the message, in their language or in the channel's, and what became of it. */
async function notifyOfLinked(
  { db, clock }: Pick<Context, "clock"> & { db: Db },
  linked: LinkedMessage,
  { channel, reader }: { channel: Channel; reader: Partial<Reader> },
): Promise<AcknowledgementShown> {
  const message = JSON.parse(linked.message) as Message;
  const inWords = (said: Message) =>
    wordsOf(said, { ...channel, ...reader }, { now: clock.now(), publicUrl: null });
  if (isConsentRequest(linked)) {
    const { title, text } = inWords(message);
    const nothing = { ...leadTo(linked, [], []), ...storyOf([], "resolved"), resolvedAt: null };
    return { asks: "confirm", title, text, state: confirmationState(linked, channel), ...nothing };
  }
  const found = await incidentsOf(db, linked);
  const covers = coveredBy(linked, found);
  const incidents = found.map((one) => ({ ...one, endedAt: endOf(one, covers) }));
  const notified = await listNotified(db, incidents, covers);
  const { title, text } = inWords(message);
  const isOver = incidents.every(({ endedAt }) => endedAt !== null);
  const isPending = incidents.some(isOpen(covers)) && linked.usedAt === null;
  const state = isPending ? "open" : isOver ? "resolved" : "acknowledged";
  const lead = leadTo(linked, incidents, notified);
  return { asks: "acknowledge", title, text, state, ...lead, ...storyOf(incidents, state) };
}

/** So many are listed. */
const MAX_LISTED = 20;

type NotifiedMonitor = AcknowledgementShown["monitors"][number];

/** An incident of a message, and since when all of it is over that the message was about. */
type Linked = Incident & { endedAt: number | null };

/** What became of each monitor that the link is about. */
async function listNotified(
  db: Db,
  incidents: readonly Incident[],
  covers: (outage: ShownService) => boolean,
): Promise<NotifiedMonitor[]> {
  const outages = incidents.flatMap(({ affectedServices, ...incident }) =>
    membersOf(affectedServices.filter(covers)).map((member) => ({ ...member, incident })),
  );
  // Of a monitor that went down several times, the last one.
  const members = [...new Map(outages.map((one) => [one.monitorId, one])).values()];
  const again = await findOpenIncidents(
    db,
    members.map(({ monitorId }) => monitorId),
  );
  return members.map(({ monitorId, name, outageStartedAt, outageEndedAt, acknowledged, incident }) => {
    const { id, acknowledgedAt, resolvedAt } = incident;
    // What began later was acknowledged later, perhaps by another person: the incident's log has it.
    const isByFirst = acknowledgedAt !== null && outageStartedAt <= acknowledgedAt;
    const acknowledgedByName = isByFirst ? incident.acknowledgedByName : null;
    const known = { name, incidentId: id, acknowledgedByName: null };
    const next = again.get(monitorId);
    if (resolvedAt === null && outageEndedAt === null)
      return acknowledged
        ? { ...known, state: "acknowledged", acknowledgedByName }
        : { ...known, state: "open" };
    return next === undefined
      ? { ...known, state: "resolved" }
      : { ...known, state: "again", incidentId: next };
  });
}

/** Which incident to look at now, and why it is another one; where they are several, which each monitor has. */
function leadTo(
  { incidentIds }: LinkedMessage,
  incidents: readonly Linked[],
  mentioned: readonly NotifiedMonitor[],
): Pick<AcknowledgementShown, "incidentId" | "successor" | "monitors" | "moreMonitors"> {
  const list = {
    monitors: mentioned.slice(0, MAX_LISTED),
    moreMonitors: Math.max(0, mentioned.length - MAX_LISTED),
  };
  const isOver = incidents.every(({ endedAt }) => endedAt !== null);
  const again = mentioned.flatMap(({ state, incidentId }) => (state === "again" ? incidentId : []));
  const [next = null, ...others] = new Set(isOver ? again : []);
  if (next !== null) return { incidentId: others.length > 0 ? null : next, successor: "again", ...list };
  const [only, ...more] = incidents;
  if (!only || more.length > 0) return { incidentId: null, successor: null, ...list };
  return { incidentId: only.id, successor: incidentIds.includes(only.id) ? null : "merged", ...list };
}

/** Who has it, if that is one, and since when it is over. */
function storyOf(
  incidents: readonly Linked[],
  state: AcknowledgementShown["state"],
): Pick<AcknowledgementShown, "acknowledgedAt" | "acknowledgedByName" | "resolvedAt"> {
  const ends = incidents.map(({ endedAt }) => endedAt);
  const end = ends.length === 0 || ends.includes(null) ? null : Math.max(...ends.map(Number));
  const known = state === "acknowledged" ? incidents.filter((one) => one.acknowledgedAt !== null) : [];
  const [first, ...more] = known.toSorted((a, b) => Number(a.acknowledgedAt) - Number(b.acknowledgedAt));
  const isOnes = more.every((one) => one.acknowledgedByName === first?.acknowledgedByName);
  const by = isOnes ? first : undefined;
  return {
    acknowledgedAt: timestampOrNull(by?.acknowledgedAt ?? null),
    acknowledgedByName: by?.acknowledgedByName ?? null,
    resolvedAt: timestampOrNull(end),
  };
}

type Reading = Pick<Context, "clock" | "secrets"> & { db: Db };

/**
 * What a message's link is about, for anyone who holds it: what the message said, and whether it is still open. Changes
 * nothing. Throws 422 for a token that this installation did not sign, or that has expired.
 */
export const readAcknowledgement = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: AcknowledgementToken,
  output: Acknowledgement,
  async run(ctx, { token, ...reader }) {
    const { linked, channel } = await readLink(ctx, token);
    return notifyOfLinked(ctx, linked, { channel, reader });
  },
});

/**
 * Acknowledges what a message named, or confirms its address; works once per message. Done as the signed-in person if
 * they may, else in the name of the channel, or of the person whose own it is. Throws 422 for a link that is invalid or has
 * expired.
 */
export const acknowledgeByLink = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: null,
  input: AcknowledgementToken,
  output: Acknowledgement,
  async run(ctx, { token, ...reader }) {
    const { db, clock } = ctx;
    const { linked: found, channel } = await readLink(ctx, token);
    const now = clock.now();
    const { organizationId } = found;
    const linked = await lockAll(db, found);
    if (!(await useLink(db, linked.id, now))) throw noLink();
    if (isConsentRequest(linked)) {
      const confirmed = await confirmByMessage(ctx, linked, channel);
      return notifyOfLinked(ctx, { ...linked, usedAt: now }, { channel: confirmed, reader });
    }
    const userId = (await signedIn(ctx, ctx.visitor, organizationId)) ?? channel.userId;
    const incidents = await incidentsOf(db, linked);
    const covers = coveredBy(linked, incidents);
    const open = incidents.filter(isOpen(covers));
    const who = userId === null ? { acknowledgedVia: channel.name } : { acknowledgedById: userId };
    const inWhoseName = { organizationId, ...(userId !== null && { userId }) };
    const record: Changing["record"] = (subject) =>
      ctx.record({ ...subject, action: "acknowledge incidents", ...inWhoseName });
    await acknowledgeEach({ ...ctx, record }, organizationId, open, who, covers);
    return notifyOfLinked(ctx, linked, { channel, reader });
  },
});

/**
 * Locks the incidents of a message: while this waits for a lock, they may be merged or separated. Returns the message as it is
 * then.
 */
async function lockAll(db: Db, found: LinkedMessage): Promise<LinkedMessage> {
  for (const locked = new Set<number>(); ; ) {
    const linked = (await findLinkedMessage(db, found.uuid)) ?? found;
    const more = (await mergedOf(db, linked.incidentIds)).filter((id) => !locked.has(id));
    if (more.length === 0) return linked;
    await lockIncidents(db, more);
    for (const id of more) locked.add(id);
  }
}

async function readLink(
  { db, secrets, clock }: Reading,
  token: string,
): Promise<{ linked: LinkedMessage; channel: Channel }> {
  const uuid = messageOfToken(secrets, token);
  const linked = uuid === null ? undefined : await findLinkedMessage(db, uuid);
  if (!linked || linked.createdAt <= clock.now() - LINK_MS) throw noLink();
  const channel = await readChannel(db, linked.channelId);
  if (!channel) throw noLink();
  // Who may only look on may say that an address is theirs.
  const { userId } = isConsentRequest(linked) ? { userId: null } : channel;
  if (userId !== null && !(await mayAcknowledge(db, linked.organizationId, userId))) throw noLink();
  return { linked, channel };
}

async function mayAcknowledge(db: Db, organizationId: number, userId: number): Promise<boolean> {
  const member = await findMember(db, organizationId, { id: userId });
  return member !== undefined && isAtLeast(member.role, "member");
}

const noLink = () => invalidInput({ token: [msg("account.link")] });

/** The person whose session the visitor comes with, where they may acknowledge in that organization; else null. */
async function signedIn(
  { db, clock }: Reading,
  { token }: AnonymousClient,
  organizationId: number,
): Promise<number | null> {
  const holder = token ? await findSessionHolder(db, hashToken(token)) : undefined;
  if (!holder || clock.now() - holder.seenAt > SESSION_IDLE_MS) return null;
  return (await mayAcknowledge(db, organizationId, holder.userId)) ? holder.userId : null;
}
