import { type Static, Type } from "typebox";
import type { PageNotification } from "../page/subscriber/page-notification.ts";
import { PAGE_NOTIFICATION_EVENTS } from "../page/subscriber/page-notification.ts";
import { nullable, oneOf, Timestamp, timestamp, Uuid } from "./field.ts";
import {
  PublicIncident,
  PublicMaintenance,
  projectIncident,
  projectMaintenance,
  type Say,
} from "./public-page.ts";

const CONFIRMATION_EVENT = "subscription.question";

/** What a webhook that has subscribed to a status page is sent. */
export const StatusPageEvent = Type.Object(
  {
    type: oneOf([...PAGE_NOTIFICATION_EVENTS, CONFIRMATION_EVENT], {
      description:
        "What happened. `withdrawn`: the page does not show any more what it told of, which need not be over. `subscription.question` comes first, and alone until somebody has sent a POST to its `confirmUrl`.",
    }),
    timestamp: Timestamp,
    page: Type.Object({
      uuid: Uuid,
      name: Type.String({ examples: ["Example status"] }),
      url: nullable(Type.String(), "Where it is; null: no address of it is known."),
    }),
    title: Type.String({ description: "In a sentence, in the subscriber's language." }),
    incident: nullable(
      Type.Object(PublicIncident.properties, { title: "StatusPageEventIncident" }),
      "As the page shows it, or showed it before it was withdrawn; null where it is about none.",
    ),
    maintenance: nullable(
      Type.Object(PublicMaintenance.properties, { title: "StatusPageEventMaintenance" }),
      "As the page shows it, or showed it before it was withdrawn; null where it is about none.",
    ),
    confirmUrl: nullable(
      Type.String(),
      "Of a question: POST there within three days to be told from then on. Null in all others.",
    ),
    secret: nullable(
      Type.String(),
      "Of a question: what all messages are signed with (Standard Webhooks). Null in all others.",
    ),
    unsubscribeUrl: Type.String({
      description: "POST there to be told nothing more. It is always the same.",
    }),
  },
  {
    title: "StatusPageEvent",
    description:
      "Signed by the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks).",
  },
);

interface Sent {
  at: number;
  page: { uuid: string; name: string; url: string | null };
  title: string;
  notification: PageNotification | null;
  confirmation: { confirmUrl: string; secret: string } | null;
  unsubscribeUrl: string;
}

/** That, in the API's words. */
export function projectPageEvent(sent: Sent, say: Say): Static<typeof StatusPageEvent> {
  const { notification, confirmation, page } = sent;
  return {
    type: notification?.event ?? CONFIRMATION_EVENT,
    timestamp: timestamp(sent.at),
    page: { uuid: page.uuid, name: page.name, url: page.url },
    title: sent.title,
    incident: notification?.incident ? projectIncident(say)(notification.incident) : null,
    maintenance: notification?.maintenance ? projectMaintenance(say)(notification.maintenance) : null,
    confirmUrl: confirmation?.confirmUrl ?? null,
    secret: confirmation?.secret ?? null,
    unsubscribeUrl: sent.unsubscribeUrl,
  };
}
