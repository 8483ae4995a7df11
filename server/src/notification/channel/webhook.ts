import { createHmac, randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import type { FieldErrors } from "../../errors.ts";
import type { SecretHint } from "../../secret/config-secrets.ts";
import { hostOf } from "./fields.ts";
import type { HttpChannelKind, Outgoing } from "./kind.ts";
import { testMessage } from "./message.ts";
import { webhookDocument } from "./webhook-document.ts";
import { filledIn, isJsonTemplate, templateProblem } from "./webhook-template.ts";

const changers: SecretHint = { "x-secret": "changers" };
const SECRET_BYTES = 32;
const PREFIX = "whsec_";

const webhookConfigSchema = Type.Object(
  {
    url: Type.String({
      format: "web-url",
      maxLength: 2048,
      description: "Where the message is posted to. Redirects are not followed.",
      examples: ["https://hooks.example.com/vedette"],
      ...changers,
    }),
    secret: Type.Optional(
      Type.String({
        pattern: "^whsec_[A-Za-z0-9+/]{32,88}={0,2}$",
        description:
          "What messages are signed with (Standard Webhooks): whsec_ and 24 to 64 bytes in Base64. Made where it is left out.",
        ...changers,
      }),
    ),
    template: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description:
          "What is sent instead of the usual JSON. {{title}}, {{text}}, {{monitor.name}} and every other field of that JSON are filled in.",
        examples: ['{"summary": "{{title}}: {{text}}"}'],
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Webhook",
    description: "Posts each event as JSON, signed as Standard Webhooks says.",
  },
);

type WebhookConfig = Static<typeof webhookConfigSchema>;

/** Any program that takes a POST. */
export const webhookChannel: HttpChannelKind<WebhookConfig> = {
  type: "webhook",
  isSelfHosted: true,
  isProgram: true,
  configSchema: webhookConfigSchema,
  target: ({ url }) => hostOf(url),
  complete: (config, stored) => ({ ...config, secret: config.secret ?? stored.secret ?? newSecret() }),
  problems({ template = "" }): FieldErrors {
    const problem = templateProblem(template, webhookDocument(SAMPLE));
    return problem ? { template: [problem] } : {};
  },
  request({ url, secret = "", template = "" }, outgoing) {
    const document = webhookDocument(outgoing);
    const text = template === "" ? JSON.stringify(document) : filledIn(template, document);
    const isJson = template === "" || isJsonTemplate(template);
    return {
      url,
      headers: signature(secret, { id: outgoing.id, seconds: Math.floor(outgoing.now / 1000), text }),
      body: { text, type: isJson ? "application/json" : "text/plain; charset=utf-8" },
    };
  },
};

/** What nobody guesses, in the form that Standard Webhooks has. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The headers of Standard Webhooks 1.0: who has the secret knows that it comes from here, and when. */
export function signature(
  secret: string,
  { id, seconds, text }: { id: string; seconds: number; text: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const signed = createHmac("sha256", key).update(`${id}.${seconds}.${text}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signed}` };
}

/** What a template is tried with: every field that a message has. */
const SAMPLE: Outgoing = {
  id: "",
  message: {
    ...testMessage(0),
    monitor: {
      id: 1,
      uuid: "",
      kind: "domain",
      name: "Shop",
      type: "http",
      target: "https://shop.example/",
      severity: "high",
      tags: [],
    },
    certificate: { expiresAt: 0, issuer: "", fingerprint: "" },
  },
  words: { title: "", text: "", details: [], links: [], acknowledge: null, link: null },
  acknowledge: null,
  reference: null,
  goesOn: false,
  threadKey: "",
  organization: { uuid: "", name: "" },
  isOwn: false,
  now: 0,
};
