import { channelTransport } from "../../src/alerts/channels/channel-transport.ts";
import { deliverOutbox } from "../../src/alerts/deliver.ts";
import type { Transport } from "../../src/alerts/outbox.ts";
import { TRANSPORTS } from "../../src/app/jobs.ts";
import type { Context } from "../../src/platform/context.ts";
import { msg } from "../../src/platform/i18n/message.ts";

/** Sends what is due at that time, milliseconds, to channels that take everything. */
export function deliverAt(ctx: Context, now: number): Promise<void> {
  const channel: Transport = {
    ...channelTransport,
    send: async () => ({
      is: "sent",
      said: msg("delivery.accepted", { where: "chat.example", status: 200 }),
    }),
  };
  const then = { ...ctx, clock: { ...ctx.clock, now: () => now } };
  return deliverOutbox(then, { ...TRANSPORTS, channel }, new AbortController().signal);
}
