import type { ChannelRequest } from "../../../alerts/channels/kind.ts";
import { signature } from "../../../alerts/channels/webhook.ts";
import { wordsFor } from "../../render/view.ts";
import { projectPageEvent } from "../../schemas/public-page.ts";
import { type Sending, wordsOf } from "../subscriber-words.ts";
import { byRequest } from "./by-request.ts";
import type { Destination, SubscriberChannel } from "./channel.ts";

/** Standard Webhooks. */
export const webhookChannel: SubscriberChannel = { ...byRequest(webhookRequest), isSigned: true };

function webhookRequest(sending: Sending, { url, secret }: Destination, now: number): ChannelRequest {
  const { subscriber, delivery, page, notification, confirmUrl, endUrl } = sending;
  const { sentence } = wordsFor(subscriber.language, page.timeZone);
  const document = projectPageEvent(
    {
      ...{
        at: delivery.createdAt,
        page,
        title: wordsOf(sending).title,
        notification,
        unsubscribeUrl: endUrl,
      },
      confirmation: confirmUrl === null ? null : { confirmUrl, secret },
    },
    sentence,
  );
  const text = JSON.stringify(document);
  const signed = { id: delivery.uuid, seconds: Math.floor(now / 1000), text };
  return { url, headers: signature(secret, signed), body: { text, type: "application/json" } };
}
