import { randomUUIDv7 } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Db } from "../../store/db.ts";
import { noteTold } from "../../store/queries/channel-threads.ts";
import {
  type Channel,
  disableChannel,
  holdChannel,
  noteSent,
  readChannel,
} from "../../store/queries/channels.ts";
import { insertAttempt } from "../../store/queries/delivery-attempts.ts";
import { listMembers } from "../../store/queries/members.ts";
import { insertNotifications } from "../../store/queries/notifications.ts";
import type { Delivery } from "../../store/queries/outbox.ts";
import { threadsOfDigest } from "../../store/queries/untold.ts";
import { findUser } from "../../store/queries/users.ts";
import { inEnglish } from "../../texts/english.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import { readerOf } from "../mail/mail.ts";
import { sendMail } from "../mail/send-mail.ts";
import type { Outcome } from "../transport.ts";

type Needed = Pick<Context, "clock" | "config" | "secrets">;

const NEWS_MS = 7 * 24 * 3_600_000;

/** Keeps what a try to send to a channel led to: the log, who has been told, a pause, an end. */
export async function settleChannel(
  ctx: Needed,
  trx: Db,
  delivery: Delivery,
  outcome: Outcome,
): Promise<void> {
  const { id: deliveryId, organizationId, channelId, threadId } = delivery;
  if (organizationId === null || channelId === null) return;
  const now = ctx.clock.now();
  const { durationMs = 0, request = null, answer = null } = outcome.log ?? {};
  const told = outcome.is === "sent" ? outcome.said : outcome.why;
  const attempt = { deliveryId, at: now, durationMs, outcome: outcome.is, fact: told, request, answer };
  await insertAttempt(trx, organizationId, attempt);
  if (outcome.is === "sent") {
    const isDigest = delivery.event === "digest";
    const threads = isDigest ? await threadsOfDigest(trx, deliveryId) : [threadId ?? []].flat();
    await noteTold(trx, threads, isDigest ? null : (outcome.reference ?? null), now);
    if (delivery.event !== "test") await noteSent(trx, channelId, now);
  }
  if (outcome.is !== "refused" && outcome.afterMs !== undefined) {
    await holdChannel(trx, channelId, now + outcome.afterMs);
  }
  if (outcome.is === "refused" && outcome.ended) await endChannel(ctx, trx, channelId, outcome.why);
}

/** Turns a channel off that wants nothing more, and tells those who run the organization. */
async function endChannel(ctx: Needed, trx: Db, channelId: number, why: Fact): Promise<void> {
  const now = ctx.clock.now();
  if (!(await disableChannel(trx, channelId, why, now))) return;
  const channel = await readChannel(trx, channelId);
  if (!channel) return;
  const told = { ...fact("notice.channel_off", { name: channel.name }), because: why };
  await insertNotifications(trx, [
    {
      uuid: randomUUIDv7(),
      organizationId: channel.organizationId,
      monitorId: null,
      incidentId: null,
      event: "channel.disabled",
      type: "error",
      message: inEnglish(told),
      fact: told,
      idempotencyKey: `channel.disabled:${channel.uuid}:${now}`,
      createdAt: now,
    },
  ]);
  await mailOwners(ctx, trx, channel, why);
}

async function mailOwners(ctx: Needed, trx: Db, channel: Channel, why: Fact): Promise<void> {
  if (ctx.config.smtp === null) return;
  const members = await listMembers(trx, channel.organizationId);
  for (const { id, email } of members.filter(({ role }) => role === "owner")) {
    const person = await findUser(trx, id);
    const link = ctx.config.publicUrl === null ? null : `${ctx.config.publicUrl}/settings/channels`;
    const params = { name: channel.name, why: inEnglish(why) };
    const mail = { kind: "channel_off", reader: readerOf(person), params, link } as const;
    await sendMail(
      { ...ctx, db: trx },
      { to: email, mail, organizationId: channel.organizationId, worthMs: NEWS_MS },
    );
  }
}
