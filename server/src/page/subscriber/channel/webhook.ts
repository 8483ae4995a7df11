import type { ChannelRequest } from "../../../notification/channel/kind.ts";
import { signature } from "../../../notification/channel/webhook.ts";
import { projectPageEvent } from "../../../wire/page-event.ts";
import { wordsFor } from "../../render/view.ts";
import { byRequest } from "./email.ts";
import type { Destination, SubscriberChannel } from "./sending.ts";
import { type Sending, wordsOf } from "./sending.ts";

/** A program that takes a POST (Standard Webhooks). */
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
