import { type Static, Type } from "typebox";
import type { PushSubscription as StoredSubscription } from "../store/queries/push-subscriptions.ts";
import { nullable, Timestamp, timestamp, Uuid } from "./field.ts";

const text = (maxLength: number, description: string) =>
  Type.String({ pattern: "^[A-Za-z0-9_-]+=*$", maxLength, description });

/** What a browser says of its subscription: `PushSubscription.toJSON()` of the Push API. */
export const PushSubscription = Type.Object(
  {
    endpoint: Type.String({
      format: "web-url",
      maxLength: 2048,
      description: "Where its push service takes messages for it. Stored encrypted and never returned.",
      examples: ["https://push.example.com/send/abc"],
    }),
    keys: Type.Object({
      p256dh: text(120, "The browser's public key, base64url."),
      auth: text(40, "Its authentication secret, base64url."),
    }),
    expirationTime: Type.Optional(
      nullable(Type.Number(), "When it ends, milliseconds since 1970; nothing follows from it."),
    ),
  },
  { title: "PushSubscription" },
);

export const PushBrowser = Type.Object(
  {
    id: Type.Integer(),
    uuid: Uuid,
    current: Type.Boolean({ description: "It is the one that makes this request." }),
    userAgent: Type.String({ description: "As the browser called itself when it signed in." }),
    createdAt: Timestamp,
  },
  { title: "PushBrowser" },
);

export const PushBrowsers = Type.Object(
  {
    publicKey: Type.String({
      description: "`applicationServerKey` for a browser's `PushManager.subscribe`; the installation's own.",
    }),
    browsers: Type.Array(PushBrowser, { description: "Your own, oldest first." }),
  },
  { title: "PushBrowsers" },
);

/** A browser as its person sees it. `sessionId`: the session of the request. */
export const projectPushBrowser = (
  { id, uuid, sessionId: theirs, userAgent, createdAt }: StoredSubscription,
  sessionId: number | null,
): Static<typeof PushBrowser> => ({
  id,
  uuid,
  current: theirs !== null && theirs === sessionId,
  userAgent,
  createdAt: timestamp(createdAt),
});
