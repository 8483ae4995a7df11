import { type Static, Type } from "typebox";
import type { MailAddress, SmtpServer } from "../../platform/config-values.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import {
  MessageSchema,
  nullable,
  sentenceOf,
  Timestamp,
  timestamp,
  Uuid,
} from "../../platform/operations/field.ts";
import type { PushSubscription as StoredSubscription } from "../queries/own-channels.ts";

/** The mail settings of this installation, without credentials. */
export const MailSettings = Type.Object(
  {
    server: nullable(
      Type.String({ examples: ["smtp.example.org:587"] }),
      "The mail server of `SMTP_URL`; null: no mail is sent.",
    ),
    sender: nullable(
      Type.String({ examples: ["Vedette <vedette@example.org>"] }),
      "The sender of all mail; null: no mail is sent.",
    ),
    links: Type.Boolean({
      description:
        "Whether mail with links is sent, such as invitations: that takes `VEDETTE_PUBLIC_URL` as well.",
    }),
  },
  { title: "MailSettings" },
);

/** What became of a test mail. */
export const MailTest = Type.Object(
  {
    to: Type.String({ description: "Your own address.", examples: ["ada@example.org"] }),
    accepted: Type.Boolean({ description: "Whether the mail server took it." }),
    answer: Type.String({
      description: "What the mail server said, or why it did not.",
      examples: ["The mail server smtp.example.org:587 accepted it: 250 2.0.0 OK"],
    }),
    answerFact: MessageSchema,
  },
  { title: "MailTest" },
);

/** The server's name and port, never what it is signed in to with. */
export function projectMailSettings(
  smtp: Pick<SmtpServer, "host" | "port"> | null,
  { sender: { name, address }, links }: { sender: MailAddress; links: boolean },
): Static<typeof MailSettings> {
  if (smtp === null) return { server: null, sender: null, links };
  return { server: `${smtp.host}:${smtp.port}`, sender: `${name} <${address}>`, links };
}

export const projectMailTest = (
  to: string,
  { accepted, message }: { accepted: boolean; message: MessageDescriptor },
): Static<typeof MailTest> => ({ to, accepted, answer: sentenceOf(message) ?? "", answerFact: message });

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
