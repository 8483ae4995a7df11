import { createHmac, randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import type { FieldErrors } from "../../platform/errors.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { SecretHint } from "../../platform/secrets/config-secrets.ts";
import type { HttpChannelKind, Outgoing } from "./kind.ts";
import { cut, eventOf, type MessageBudget, severityOf, testMessage } from "./message.ts";
import { hostOf } from "./post.ts";

/** What is filled in is cut, where it would become longer. */
const MAX_FILLED = 65_536;
const SLOT = /\{\{\s*([\w.]*)\s*\}\}/g;
/** What other template languages repeat or decide with: `{{#each members}}`, `{% for m in members %}`. */
const BLOCK = /\{\{(?!\s*[\w.]*\s*\}\})[^{}]*\}\}|\{%[^%]*%\}/;

/** An object, or a list of objects, lists or texts; not a text that begins with a field, or with `[Vedette]`. */
const JSON_BEGINS = /^\s*(?:\{(?!\{)|\[\s*(?:\{(?!\{)|["[\]]))/;

/** Whether what is sent is meant to be JSON. */
const isJsonTemplate = (template: string): boolean => JSON_BEGINS.test(template);

/**
 * Fills a template in once: nothing that is filled in is read again, and there is nothing to repeat. In JSON, values are
 * escaped as its texts are. Of what a template may become each of its values has an equal share.
 */
export function filledIn(template: string, values: object): string {
  const isJson = isJsonTemplate(template);
  const slots = template.match(SLOT)?.length ?? 0;
  const share = Math.floor((MAX_FILLED - template.length) / Math.max(slots, 1));
  const escaped = (text: string) => (isJson ? JSON.stringify(text).slice(1, -1) : text);
  return template.replaceAll(SLOT, (_, path: string) => {
    // A test is about no monitor.
    const value = valueAt(values, path) ?? "";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return escaped(cut(text, share, (beginning) => escaped(beginning).length));
  });
}

/** What is wrong with a template: a loop or a condition, a name that no message has, or what would be no JSON. Null: nothing. */
export function templateProblem(template: string, sample: object): MessageDescriptor | null {
  const block = BLOCK.exec(template)?.[0];
  if (block) return msg("channel.template_block", { block: block.slice(0, 60), field: "{{title}}" });
  const unknown = [...template.matchAll(SLOT)].find(([, path = ""]) => valueAt(sample, path) === undefined);
  if (unknown) return msg("channel.template_name", { name: unknown[1] ?? "" });
  if (!isJsonTemplate(template)) return null;
  try {
    JSON.parse(filledIn(template, sample));
    return null;
  } catch {
    return msg("channel.template_json");
  }
}

function valueAt(values: object, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, name)) return undefined;
    return (inner as Record<string, unknown>)[name];
  }, values);
}

/** A message as webhooks get it: WebhookEvent in alerts/schemas/webhook.ts. */
function webhookDocument({ message, words, organization, acknowledge }: Outgoing) {
  const { monitor, at, reason, incidentId, locations, outageMs, incident, certificate, budget } = message;
  return {
    type: eventOf(message),
    timestamp: new Date(at).toISOString(),
    title: words.title,
    text: words.text,
    severity: severityOf(message),
    reason: reason && inEnglish(reason),
    url: words.link?.url ?? null,
    acknowledgeUrl: acknowledge?.url ?? null,
    organization,
    monitor: monitor && {
      id: monitor.id,
      uuid: monitor.uuid,
      kind: monitor.kind,
      name: monitor.name,
      protocol: monitor.type,
      target: monitor.target,
      severity: monitor.severity,
      tags: monitor.tags,
    },
    incidentId,
    certificate: certificate ? { ...certificate, expiresAt: isoOf(certificate.expiresAt) } : null,
    budget: budget?.objective ? budgetOf(budget.level, budget.objective) : null,
    locations,
    outageMs,
    acknowledgedBy: incident?.acknowledged?.by ?? null,
  };
}

const budgetOf = (
  level: MessageBudget["level"],
  { percent, days, allowedMs, usedMs, leftMs }: NonNullable<MessageBudget["objective"]>,
) => ({
  ...{ level, objective: percent, objectiveDays: days },
  allowedSeconds: secondsOf(allowedMs),
  usedSeconds: secondsOf(usedMs),
  leftSeconds: secondsOf(leftMs),
});

const secondsOf = (ms: number): number => Math.round(ms / 1000);

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

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
  reader: "machine",
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

/** A random secret in the format of Standard Webhooks. */
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
  threadKey: "",
  organization: { uuid: "", name: "" },
  isOwn: false,
  now: 0,
};
