import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { WebhookEvent } from "../../alerts/schemas/webhook.ts";
import type { Resource } from "../../platform/access/roles-and-scopes.ts";
import type { Context } from "../../platform/context.ts";
import { type Answer, answerWith, sendAnswer } from "../../platform/http/answer.ts";
import { StatusPageEvent } from "../../status-pages/schemas/public-page.ts";
import { openApiText } from "./openapi-text.ts";

type Json = Record<string, unknown>;

/** A schema with a title like `DomainDetail` is a component. */
const COMPONENT_NAME = /^[A-Z][A-Za-z0-9]+$/;

/**
 * Replaces titled schemas, failures and shared parameters by references to components. Throws when one title
 * names two different schemas.
 */
export function nameComponents<T extends object>(document: T): T {
  const components: Json = {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    const node = value as Json;
    const visited = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, visit(inner)]));
    const { title } = node;
    if (typeof title !== "string" || !COMPONENT_NAME.test(title) || !isSchema(node)) return visited;
    const known = components[title];
    if (known && JSON.stringify(known) !== JSON.stringify(visited)) {
      throw new Error(`Two different schemas are titled ${title}`);
    }
    components[title] = visited;
    return { $ref: `#/components/schemas/${title}` };
  };
  const { components: given, ...rest } = document as { components?: Json };
  const visited = visit(rest) as Json;
  for (const component of Object.values(components)) mapDiscriminators(component, components);
  const responses = nameFailures(visited);
  const parameters = nameParameters(visited);
  return {
    ...visited,
    components: { ...given, schemas: sorted(components), responses, parameters },
  } as never;
}

/** Says by name which of several components is meant by which value; Ajv, for requests, finds out by itself. */
function mapDiscriminators(node: unknown, components: Json): void {
  if (typeof node !== "object" || node === null) return;
  for (const inner of Object.values(node)) mapDiscriminators(inner, components);
  const { discriminator, oneOf } = node as { discriminator?: Discriminator; oneOf?: { $ref?: string }[] };
  if (!discriminator || !oneOf) return;
  const named = oneOf.flatMap(({ $ref }) => {
    const component = components[$ref?.split("/").at(-1) ?? ""] as Tagged | undefined;
    // The plugin that makes the document writes a constant as a list of one.
    const value = component?.properties?.[discriminator.propertyName]?.enum?.[0];
    return $ref === undefined || value === undefined ? [] : [[value, $ref]];
  });
  if (named.length === oneOf.length) discriminator.mapping = Object.fromEntries(named);
}

interface Discriminator {
  propertyName: string;
  mapping?: Record<string, string>;
}
interface Tagged {
  properties?: Record<string, { enum?: string[] }>;
}

/** In how many operations a parameter has to be to become a component. */
const MIN_SHARED = 10;

/** Under their own names; of a name's several meanings (`page` of legacy and of v2), the most common one. */
function nameParameters(document: Json): Json {
  const operations = Object.values(document["paths"] as Record<string, Record<string, Operation>>).flatMap(
    (path) => Object.values(path),
  );
  const uses = Map.groupBy(
    operations.flatMap(({ parameters = [] }) => parameters),
    (parameter) => JSON.stringify(parameter),
  );
  const shared = [...uses]
    .filter(([, same]) => same.length >= MIN_SHARED)
    .toSorted(([, some], [, others]) => others.length - some.length);
  const named: Record<string, Parameter> = {};
  const refs = new Map<string, { $ref: string }>();
  for (const [text, [parameter]] of shared) {
    if (!parameter || parameter.name in named) continue;
    named[parameter.name] = parameter;
    refs.set(text, { $ref: `#/components/parameters/${parameter.name}` });
  }
  for (const operation of operations) {
    if (!operation.parameters) continue;
    operation.parameters = operation.parameters.map((one) => refs.get(JSON.stringify(one)) ?? one) as never;
  }
  return sorted(named);
}

interface Parameter {
  name: string;
}
interface Operation {
  parameters?: Parameter[];
}

/** Every route fails alike: its 4xx and 5xx answers become one component for each status code. */
function nameFailures(document: Json): Json {
  const failures: Json = {};
  for (const path of Object.values(document.paths as Record<string, Json>)) {
    for (const operation of Object.values(path)) {
      const { responses = {} } = operation as { responses?: Json };
      for (const code of Object.keys(responses).filter((key) => isFailure(responses[key]))) {
        failures[`Failure${code}`] ??= responses[code];
        responses[code] = { $ref: `#/components/responses/Failure${code}` };
      }
    }
  }
  return sorted(failures);
}

const isFailure = (response: unknown): boolean =>
  JSON.stringify(response).includes('"schema":{"$ref":"#/components/schemas/Failure"}');

const sorted = (named: Json): Json =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

const isSchema = (node: Json): boolean =>
  ["type", "anyOf", "oneOf", "allOf", "enum"].some((key) => key in node);

type Named = Record<string, object>;

interface AnswerEntry {
  $ref?: string;
  headers?: Named;
}

/** The headers that answers carry, for `components/headers`. */
const HEADERS = {
  "X-Request-Id": {
    description: "The id of this request, which is also in the server's log; yours, if you sent one.",
    schema: { type: "string", examples: ["0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"] },
  },
  "RateLimit-Limit": {
    description:
      "How many requests a minute are allowed in this endpoint group. Absent where nothing is limited.",
    schema: { type: "integer", examples: [1200] },
  },
  "RateLimit-Remaining": {
    description: "How many of them are left.",
    schema: { type: "integer", examples: [1187] },
  },
  "RateLimit-Reset": {
    description: "Seconds until the count starts again.",
    schema: { type: "integer", examples: [42] },
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    schema: { type: "integer", examples: [5] },
  },
} as const;

type HeaderName = keyof typeof HEADERS;

const LIMITS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;
/** Answered before requests are counted. */
const UNCOUNTED = ["408", "417", "431"];
/** Of a 502, where the remote server says when. */
const COME_BACK = ["429", "502", "503"];

/**
 * For a document after `nameComponents`: request ids everywhere, limits where an operation has one, and
 * Retry-After.
 */
function documentHeaders<T extends object>(document: T): T {
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, AnswerEntry> }>>;
    components: { headers?: Named; responses: Record<string, AnswerEntry> };
  };
  for (const { responses } of Object.values(paths).flatMap((path) => Object.values(path))) {
    const own = Object.entries(responses).filter(([, answer]) => answer.$ref === undefined);
    for (const [code, answer] of own) answer.headers = headersOf(code, "429" in responses);
  }
  for (const [name, answer] of Object.entries(components.responses)) {
    answer.headers = headersOf(name.replace("Failure", ""), true);
  }
  return { ...document, components: { ...components, headers: HEADERS } };
}

function headersOf(code: string, isLimited: boolean): Named {
  const names: HeaderName[] = [
    "X-Request-Id",
    ...(isLimited && !UNCOUNTED.includes(code) ? LIMITS : []),
    ...(COME_BACK.includes(code) ? (["Retry-After"] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const DESCRIPTION = `Vedette watches web sites, services and machines.

Two families answer side by side: the legacy one under \`/api/…\` (camelCase fields) and v2 under \`/v2/…\`
(also \`/api/v2/…\`; snake_case fields). A path parameter takes the integer id or the uuid in both.
Timestamps are ISO 8601 in UTC with milliseconds. Units are given in each field's description.
Every answer carries \`X-Request-Id\`; every limited one \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\`.`;

/** What the groups of operations are about; a route's tag is its resource, unless it says another. */
const TAGS = [
  { name: "auth", description: "Setting up an installation, signing in and out, and your own account." },
  { name: "organization", description: "The organizations you belong to, and their people." },
  { name: "api-keys", description: "Keys that programs use to call this API." },
  {
    name: "domains",
    description: "The web sites and APIs that are monitored, and what was measured of them.",
  },
  {
    name: "services",
    description: "What is monitored over any protocol: databases, mail servers, ports, jobs.",
  },
  { name: "devices", description: "Machines whose agents report what they are doing." },
  { name: "agent", description: "What agents request, with the token of their device." },
  { name: "incidents", description: "Outages that were found, and what people reported." },
  {
    name: "maintenance",
    description: "Times in which monitors are worked on and no notifications of outages are sent.",
  },
  { name: "status-pages", description: "What the world sees of what is monitored." },
  { name: "notifications", description: "What people were notified of, and which of them have read it." },
  {
    name: "dashboard",
    description: "Everything at a glance: metrics, recent activity, search, and the live stream.",
  },
  { name: "reports", description: "What was up, how fast, and what went wrong over a time." },
  { name: "chat", description: "What you and the assistant said to each other." },
  {
    name: "integrations",
    description: "Accounts at other systems whose resources are monitored, and what was deployed.",
  },
  { name: "toolbox", description: "Network tools for the moment when something is wrong." },
  { name: "mcp", description: "What assistants speak to (Model Context Protocol): docs/mcp.md." },
  { name: "health", description: "Whether this server is alive and able to work." },
  { name: "metrics", description: "Metrics for Prometheus." },
  { name: "public", description: "What is available without credentials." },
] as const satisfies readonly {
  name: Resource | "agent" | "auth" | "health" | "mcp" | "public";
  description: string;
}[];

const PAUSE =
  "A pause, as long as `Retry-After` says (also of a 503), but six hours at most. Nothing is lost.";

const WEBHOOK = {
  operationId: "webhookEvent",
  tags: ["notifications"],
  summary: "Something happened to a monitor",
  description:
    "What a notification channel of the type `webhook` posts, unless it has a template of its own. Signed by Standard Webhooks: `webhook-id` is the same at each try. The events of one monitor, or of one incident that people write about, come in the order in which they happened; those of different ones may overtake each other while one is tried again. A repeated event (`POST …/deliveries/{delivery}/resend`) comes outside that order, with its own `webhook-id` and `timestamp`.",
  security: [],
  requestBody: { required: true, content: { "application/json": { schema: WebhookEvent } } },
  responses: {
    "200": { description: "Any status code of 2xx: it has arrived." },
    "410": {
      description:
        "It is tried again, as after 401, 403 and 404. A channel that has answered nothing else for a day is disabled.",
    },
    "429": { description: PAUSE },
  },
};

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
    "429": { description: PAUSE },
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
        contact: { name: "The operator of this installation" },
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
  for (const [path, file] of Object.entries(BROWSER_FILES))
    app.get(path, OWN_ROUTE, async (request, reply) => sendAnswer(await file(), request, reply));
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    logLevel: "warn",
    // Groups first, which can be searched; an address leads to each operation.
    uiConfig: { docExpansion: "none", deepLinking: true, filter: true },
    uiHooks: { onRequest: redirectDocument },
  });
  const document = cached(openApiText, "application/json; charset=utf-8");
  app.get("/openapi.json", OWN_ROUTE, async (request, reply) => sendAnswer(await document(), request, reply));
}

/** Compressed by us, once; not in the document. */
const OWN_ROUTE = { schema: { hide: true } as never, compress: false } as const;

/** Half a megabyte and more each, which never change: the API browser would read and compress them for every request. */
const BROWSER = dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui/package.json"));
const browserFile = (name: string, type: string) =>
  cached(() => readFile(join(BROWSER, "static", name)), `${type}; charset=utf-8`);
const BROWSER_FILES: Readonly<Record<string, () => Promise<Answer>>> = {
  "/docs/static/swagger-ui-bundle.js": browserFile("swagger-ui-bundle.js", "text/javascript"),
  "/docs/static/swagger-ui-standalone-preset.js": browserFile(
    "swagger-ui-standalone-preset.js",
    "text/javascript",
  ),
  "/docs/static/swagger-ui.css": browserFile("swagger-ui.css", "text/css"),
};

/** Instead of writing the document again for every request. */
async function redirectDocument(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const [path = ""] = request.url.split("?", 1);
  return path === "/docs/json" || path === "/docs/yaml" ? reply.redirect("/openapi.json") : undefined;
}

/** Content that is read at the first request and cached with its compressed forms. Throws what `read` throws. */
function cached(read: () => Promise<Buffer>, type: string): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => {
    answer ??= read().then((content) =>
      answerWith(content, { "content-type": type, "cache-control": "no-cache", vary: "accept-encoding" }),
    );
    answer.catch(() => {
      answer = undefined;
    });
    return answer;
  };
}
