import { Type } from "typebox";
import { notFound, PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { IdText, parseId } from "../../platform/operations/field.ts";
import { type Before, verb } from "../../platform/operations/operation.ts";
import { NewestFirstQuery, pageIn, pagingOf } from "../../platform/operations/page.ts";
import { CHANNEL_WORTH_MS } from "../delivery-rules.ts";
import {
  countChannelDeliveries,
  findChannelDelivery,
  listAttempts,
  listChannelDeliveries as queryDeliveries,
  sendAgain,
} from "../queries/channel-deliveries.ts";
import { ChannelDelivery, projectDelivery } from "../schemas/channels.ts";
import { findChannelMeant } from "./channels.ts";

/** Each has its tries, and each try up to 8 kB of what was sent and answered: so no list of everything. */
const MOST_LOGGED = 100;

/** What was sent to a channel in the last 30 days, newest first, with every try; without a page the newest 100. */
export const listChannelDeliveries = verb({
  resource: "notifications",
  action: "read",
  input: Type.Object({
    id: IdText,
    ...NewestFirstQuery,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_LOGGED, description: "Items a page. Default: 20." }),
    ),
  }),
  output: Type.Array(ChannelDelivery),
  paged: true,
  find: findChannelMeant,
  async run({ db }, query, channel) {
    const requested = pagingOf(query);
    const paging = { ...requested, limit: Math.min(requested.limit, MOST_LOGGED) };
    const deliveries = await queryDeliveries(db, channel.id, paging);
    const attempts = await listAttempts(
      db,
      deliveries.map(({ id }) => id),
    );
    const own = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
    const items = deliveries.map((delivery) => projectDelivery(delivery, own.get(delivery.id) ?? []));
    if (!paging.isPaged) return { items };
    return { items, page: pageIn(paging, await countChannelDeliveries(db, channel.id)) };
  },
});

/**
 * Sends a message once more. It keeps its id, so that receivers can recognize it. Throws 404, or 409 while it is still pending,
 * where the channel is off or unconfirmed, and for a confirmation request, which has its own operation.
 */
export const resendDelivery = verb({
  resource: "notifications",
  action: "write",
  audit: "resend notifications",
  hints: { openWorld: true },
  input: Type.Object({ id: IdText, delivery: IdText }),
  output: ChannelDelivery,
  async find(ctx: Before, input) {
    const { found: channel, caller } = await findChannelMeant(ctx, input);
    const delivery = await findChannelDelivery(ctx.store.db, channel.id, parseId(input.delivery));
    if (!delivery) throw notFound();
    return { caller, found: { channel, delivery } };
  },
  async run(ctx, _, { channel, delivery }) {
    const { db, clock } = ctx;
    const now = clock.now();
    if (delivery.event === "confirmation") throw new PublicError("conflict", msg("delivery.question"));
    if (channel.confirmedAt === null) throw new PublicError("conflict", msg("delivery.unconfirmed"));
    if (!channel.enabled && delivery.event !== "test")
      throw new PublicError("conflict", msg("delivery.channel_off"));
    if (!(await sendAgain(db, delivery.id, { now, givesUpAt: now + CHANNEL_WORTH_MS }))) {
      throw new PublicError("conflict", msg("delivery.waits"));
    }
    ctx.record({ id: channel.id, name: channel.name });
    const again = await findChannelDelivery(db, channel.id, { id: delivery.id });
    if (!again) throw notFound();
    return projectDelivery(again, await listAttempts(db, [delivery.id]));
  },
});
