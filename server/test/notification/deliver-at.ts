import type { Context } from "../../src/context.ts";
import { channelTransport } from "../../src/notification/channel/channel-transport.ts";
import { deliverOutbox } from "../../src/notification/deliver.ts";
import type { Transport } from "../../src/notification/outbox.ts";
import { msg } from "../../src/texts/message.ts";
import { TRANSPORTS } from "../../src/transports.ts";

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
