import { stateOfQuestion } from "../channel/confirm-channel.ts";
import type { Context } from "../context.ts";
import type { Message } from "../notification/channel/message.ts";
import { wordsOf } from "../notification/channel/words.ts";
import type { Db } from "../store/db.ts";
import type { Channel } from "../store/queries/channels.ts";
import { type Incident, readIncidents } from "../store/queries/incidents.ts";
import { findOpenIncidents, type LinkedMessage } from "../store/queries/linked-messages.ts";
import { mergedOf } from "../store/queries/merged-incidents.ts";
import type { Reader } from "../texts/reader.ts";
import { inSlices } from "../turns.ts";
import type { AcknowledgementShown } from "../wire/acknowledgement.ts";
import { timestampOrNull } from "../wire/field.ts";
import { SLICE } from "./acknowledge-incidents.ts";
import { membersOf } from "./group-rules.ts";

/** Whether the message asks an address if it may be written to. */
export const asksForConsent = ({ message }: LinkedMessage): boolean =>
  (JSON.parse(message) as Message).event === "confirmation";

/** Whether somebody may still say that they know of it. */
export const isOpen = ({ acknowledgedAt, resolvedAt, mergedIntoId }: Incident): boolean =>
  acknowledgedAt === null && resolvedAt === null && mergedIntoId === null;

/** What a message tells of, as it is by now. */
export async function incidentsOf(
  db: Db,
  { organizationId, incidentIds }: LinkedMessage,
): Promise<Incident[]> {
  const incidents: Incident[] = [];
  await inSlices(await mergedOf(db, incidentIds), SLICE, async (part) => {
    incidents.push(...(await readIncidents(db, organizationId, part)));
  });
  return incidents;
}

/** What whoever has the message is told: what it said, in their language or in the channel's, and what became of that. */
export async function tellOfLinked(
  { db, clock }: Pick<Context, "clock"> & { db: Db },
  linked: LinkedMessage,
  { channel, reader }: { channel: Channel; reader: Partial<Reader> },
): Promise<AcknowledgementShown> {
  const message = JSON.parse(linked.message) as Message;
  const inWords = (said: Message) =>
    wordsOf(said, { ...channel, ...reader }, { now: clock.now(), publicUrl: null });
  if (asksForConsent(linked)) {
    const { title, text } = inWords(message);
    const nothing = { ...leadTo(linked, [], []), ...storyOf([], "resolved"), resolvedAt: null };
    return { asks: "confirm", title, text, state: stateOfQuestion(linked, channel), ...nothing };
  }
  const incidents = await incidentsOf(db, linked);
  const notified = await listTold(db, incidents);
  const { title, text } = inWords(message);
  const isOver = incidents.every(({ resolvedAt }) => resolvedAt !== null);
  const isAsked = incidents.some(isOpen) && linked.usedAt === null;
  const state = isAsked ? "open" : isOver ? "resolved" : "acknowledged";
  const lead = leadTo(linked, incidents, notified);
  return { asks: "acknowledge", title, text, state, ...lead, ...storyOf(incidents, state) };
}

/** So many are listed. */
const MAX_LISTED = 20;

type ToldMonitor = AcknowledgementShown["monitors"][number];

/** What became of each monitor that the message told of. */
async function listTold(db: Db, incidents: readonly Incident[]): Promise<ToldMonitor[]> {
  const members = incidents.flatMap(({ affectedServices, ...incident }) =>
    membersOf(affectedServices).map((member) => ({ ...member, incident })),
  );
  const again = await findOpenIncidents(
    db,
    members.map(({ monitorId }) => monitorId),
  );
  return members.map(({ monitorId, name, outageEndedAt, incident }) => {
    const { id, acknowledgedAt, acknowledgedByName, resolvedAt } = incident;
    const known = { name, incidentId: id, acknowledgedByName: null };
    const next = again.get(monitorId);
    if (resolvedAt === null && outageEndedAt === null)
      return { ...known, state: acknowledgedAt === null ? "open" : "acknowledged", acknowledgedByName };
    return next === undefined
      ? { ...known, state: "resolved" }
      : { ...known, state: "again", incidentId: next };
  });
}

/** Which incident to look at now, and why it is another one; where they are several, which each monitor has. */
function leadTo(
  { incidentIds }: LinkedMessage,
  incidents: readonly Incident[],
  told: readonly ToldMonitor[],
): Pick<AcknowledgementShown, "incidentId" | "successor" | "monitors" | "moreMonitors"> {
  const own = new Set(told.map(({ incidentId }) => incidentId));
  const listed = own.size > 1 ? told : [];
  const list = {
    monitors: listed.slice(0, MAX_LISTED),
    moreMonitors: Math.max(0, listed.length - MAX_LISTED),
  };
  const isOver = incidents.every(({ resolvedAt }) => resolvedAt !== null);
  const again = told.flatMap(({ state, incidentId }) => (state === "again" ? incidentId : []));
  const [next = null, ...others] = new Set(isOver ? again : []);
  if (next !== null) return { incidentId: others.length > 0 ? null : next, successor: "again", ...list };
  const [only, ...more] = incidents;
  if (!only || more.length > 0) return { incidentId: null, successor: null, ...list };
  return { incidentId: only.id, successor: incidentIds.includes(only.id) ? null : "merged", ...list };
}

/** Who has it, if that is one, and since when it is over. */
function storyOf(
  incidents: readonly Incident[],
  state: AcknowledgementShown["state"],
): Pick<AcknowledgementShown, "acknowledgedAt" | "acknowledgedByName" | "resolvedAt"> {
  const ends = incidents.map(({ resolvedAt }) => resolvedAt);
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
