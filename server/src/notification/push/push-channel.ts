import { Type } from "typebox";
import type { OwnChannelKind } from "../channel/kind.ts";
import { type PushAddress, sendPush } from "./send-push.ts";

/** A browser of a person (account/push-browsers.ts): its subscription is its configuration, all of it secret. */
export const pushChannel: OwnChannelKind<PushAddress> = {
  type: "push",
  configSchema: Type.Object({}),
  target: ({ endpoint }) => new URL(endpoint).host,
  send: (ctx, { config: address, reader, outgoing: { message } }, signal) =>
    sendPush(ctx, { address, reader, message }, signal),
};
