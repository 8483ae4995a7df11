import { SESSION_IDLE_MS } from "../account/authenticate-session.ts";
import type { AnonymousClient } from "../account/caller.ts";
import { isAtLeast } from "../account/scopes.ts";
import { hashToken } from "../account/token.ts";
import { confirmByMessage } from "../channel/confirm-channel.ts";
import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { LINK_MS, messageOfToken } from "../notification/acknowledge-link.ts";
import type { Db } from "../store/db.ts";
import { type Channel, readChannel } from "../store/queries/channels.ts";
import { lockIncidents } from "../store/queries/incident-changes.ts";
import { findLinkedMessage, type LinkedMessage, useLink } from "../store/queries/linked-messages.ts";
import { findMember } from "../store/queries/members.ts";
import { mergedOf } from "../store/queries/merged-incidents.ts";
import { findSessionHolder } from "../store/queries/sessions.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { Acknowledgement, AcknowledgementToken } from "../wire/acknowledgement.ts";
import { acknowledgeEach } from "./acknowledge-incidents.ts";
import type { Changing } from "./changed-incident.ts";
import { asksForConsent, incidentsOf, isOpen, tellOfLinked } from "./linked-story.ts";

type Reading = Pick<Context, "clock" | "secrets"> & { db: Db };

/**
 * What a message's link is about, for whoever has it: what the message said, and whether it is still open. Changes nothing.
 * Throws 422 for a token that nobody here signed, or that has expired.
 */
export const readAcknowledgement = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: AcknowledgementToken,
  output: Acknowledgement,
  async run(ctx, { token, ...reader }) {
    const { linked, channel } = await readLink(ctx, token);
    return tellOfLinked(ctx, linked, { channel, reader });
  },
});

/**
 * Acknowledges what a message tells of, or confirms what it asks, once a message: as the person who is signed in, if they
 * may, else in the name of the channel, or of the person whose own it is. Throws 422 for a link that is worth nothing, or not
 * any more.
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
    if (asksForConsent(linked)) {
      const confirmed = await confirmByMessage(ctx, linked, channel);
      return tellOfLinked(ctx, { ...linked, usedAt: now }, { channel: confirmed, reader });
    }
    const userId = (await signedIn(ctx, ctx.visitor, organizationId)) ?? channel.userId;
    const open = (await incidentsOf(db, linked)).filter(isOpen);
    const who = userId === null ? { acknowledgedVia: channel.name } : { acknowledgedById: userId };
    const inWhoseName = { organizationId, ...(userId !== null && { userId }) };
    const record: Changing["record"] = (subject) =>
      ctx.record({ ...subject, action: "acknowledge incidents", ...inWhoseName });
    await acknowledgeEach(
      { ...ctx, record },
      organizationId,
      open.map(({ id }) => id),
      who,
    );
    return tellOfLinked(ctx, linked, { channel, reader });
  },
});

/** Locks what a message tells of by now: while it waits for one, people may merge or separate it. Returns the message as it is then. */
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
  const { userId } = asksForConsent(linked) ? { userId: null } : channel;
  if (userId !== null && !(await mayAcknowledge(db, linked.organizationId, userId))) throw noLink();
  return { linked, channel };
}

async function mayAcknowledge(db: Db, organizationId: number, userId: number): Promise<boolean> {
  const member = await findMember(db, organizationId, { id: userId });
  return member !== undefined && isAtLeast(member.role, "member");
}

const noLink = () => invalidInput({ token: [fact("account.link")] });

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
