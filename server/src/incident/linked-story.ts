import { stateOfQuestion } from "../channel/confirm-channel.ts";
import type { Context } from "../context.ts";
import { withMembers } from "../notification/channel/members.ts";
import type { Message } from "../notification/channel/message.ts";
import { wordsOf } from "../notification/channel/words.ts";
import type { Db } from "../store/db.ts";
import type { Channel } from "../store/queries/channels.ts";
import { type Incident, readIncidents } from "../store/queries/incidents.ts";
import { findOpenOutageOf, type LinkedMessage } from "../store/queries/linked-messages.ts";
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
  const message = await withMembers(db, JSON.parse(linked.message) as Message);
  const { title, text } = wordsOf(message, { ...channel, ...reader }, { now: clock.now(), publicUrl: null });
  if (asksForConsent(linked)) {
    const nothing = { incidentId: null, successor: null, ...storyOf([], "resolved"), resolvedAt: null };
    return { asks: "confirm", title, text, state: stateOfQuestion(linked, channel), ...nothing };
  }
  const incidents = await incidentsOf(db, linked);
  const isOver = incidents.every(({ resolvedAt }) => resolvedAt !== null);
  const isAsked = incidents.some(isOpen) && linked.usedAt === null;
  const state = isAsked ? "open" : isOver ? "resolved" : "acknowledged";
  const lead = await leadTo(db, linked, incidents);
  return { asks: "acknowledge", title, text, state, ...lead, ...storyOf(incidents, state) };
}

/** Which incident to look at now, and why it is another one. */
async function leadTo(
  db: Db,
  { incidentIds }: LinkedMessage,
  incidents: readonly Incident[],
): Promise<Pick<AcknowledgementShown, "incidentId" | "successor">> {
  const isOver = incidents.every(({ resolvedAt }) => resolvedAt !== null);
  const members = incidents.flatMap(({ affectedServices }) => membersOf(affectedServices));
  const monitorIds = members.map(({ monitorId }) => monitorId);
  const again = isOver && monitorIds.length > 0 ? await findOpenOutageOf(db, monitorIds) : null;
  if (again !== null) return { incidentId: again, successor: "again" };
  const [only, ...others] = incidents;
  if (!only || others.length > 0) return { incidentId: null, successor: null };
  return { incidentId: only.id, successor: incidentIds.includes(only.id) ? null : "merged" };
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
