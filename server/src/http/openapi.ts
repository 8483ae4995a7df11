import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { StatusPageEvent } from "../wire/page-event.ts";
import { WebhookEvent } from "../wire/webhook.ts";
import { nameComponents } from "./openapi-components.ts";
import { documentHeaders } from "./openapi-headers.ts";
import { TAGS } from "./openapi-tags.ts";

const DESCRIPTION = `Vedette watches web sites, services and machines.

Two families answer side by side: the legacy one under \`/api/…\` (camelCase fields) and v2 under \`/v2/…\`
(also \`/api/v2/…\`; snake_case fields). A path parameter takes the integer id or the uuid in both.
Timestamps are ISO 8601 in UTC with milliseconds. Units are given in each field's description.
Every answer carries \`X-Request-Id\`; every limited one \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\`.`;

/** What channels of the type `webhook` are sent. */
const WEBHOOK = {
  operationId: "webhookEvent",
  tags: ["notifications"],
  summary: "Something happened to a monitor",
  description:
    "What a notification channel of the type `webhook` posts, unless it has a template of its own. Signed by Standard Webhooks: `webhook-id` is the same at each try.",
  security: [],
  requestBody: { required: true, content: { "application/json": { schema: WebhookEvent } } },
  responses: {
    "200": { description: "Any status code of 2xx: it has arrived." },
    "410": { description: "The channel is turned off. So it is by 401, 403 and 404." },
    "429": { description: "A pause, as long as `Retry-After` says. Nothing is lost." },
  },
};

/** What webhooks that have subscribed to a status page are sent. */
const PAGE_WEBHOOK = {
  operationId: "statusPageEvent",
  tags: ["status-pages"],
  summary: "Something happened on a status page",
  description:
    "What a webhook is sent that has subscribed to a status page, or was added by those who run it: what visitors see, and nothing else. Signed by Standard Webhooks: `webhook-id` is the same at each try.",
  security: [],
  requestBody: { required: true, content: { "application/json": { schema: StatusPageEvent } } },
  responses: {
    "200": { description: "Any status code of 2xx: it has arrived." },
    "410": { description: "The subscription ends. So it does by 401, 403 and 404." },
    "429": { description: "A pause, as long as `Retry-After` says. Nothing is lost." },
  },
};

/** Collects the routes' schemas into one OpenAPI 3.1 document, at /openapi.json and browsable at /docs. */
export async function registerOpenApi(app: FastifyInstance, _ctx: Context): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Vedette",
        version: "1.0.0",
        description: DESCRIPTION,
        contact: { name: "Whoever runs this installation" },
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/", description: "This installation" }],
      tags: [...TAGS],
      webhooks: { event: { post: WEBHOOK }, "status-page": { post: PAGE_WEBHOOK } },
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "An API key, `vdt_…`." },
          cookie: {
            type: "apiKey",
            in: "cookie",
            name: "vedette_session",
            description: "A signed-in browser.",
          },
        },
      },
    },
    transformObject: (document) =>
      "openapiObject" in document
        ? (documentHeaders(nameComponents(document.openapiObject)) as never)
        : document.swaggerObject,
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    logLevel: "warn",
    // Groups first, which can be searched; an address leads to each operation.
    uiConfig: { docExpansion: "none", deepLinking: true, filter: true },
  });
  let text: Buffer | undefined;
  app.get("/openapi.json", { schema: { hide: true } as never }, async (_request, reply) => {
    // Two megabytes, which never change while the server runs.
    text ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type("application/json; charset=utf-8").send(text);
  });
}
