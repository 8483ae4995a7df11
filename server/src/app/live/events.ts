import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Caller } from "../../platform/access/caller.ts";
import { callerWhere, isPermitted } from "../../platform/access/check-access.ts";
import type { Context } from "../../platform/context.ts";
import { organizationsNamed } from "../../platform/http/authenticate.ts";
import { defineRawRoute } from "../../platform/http/define-route.ts";
import { createStreams, type StreamTimings } from "../../platform/http/streams.ts";
import { ORGANIZATION_QUERY } from "../../platform/operations/paging.ts";
import { LIVE_EVENTS, liveStreamSchema } from "./schemas.ts";

const TIMINGS: StreamTimings = { heartbeatMs: 15_000, recheckMs: 60_000, stallMs: 60_000 };

const DESCRIPTION = `Server-sent events of one organization: \`status\`, \`results\`, \`notification\`, \`incident\`,
\`monitor.changed\` as they happen, and \`service.status\`, \`service.results\`, \`service.changed\` for services; each for
those who may read what it reports (\`read:domains\`, \`read:services\`, \`read:notifications\`, \`read:incidents\`); any key or session opens the stream. The schema is that of one event, with
\`data\` parsed. Reconnect with the last \`id\` as \`Last-Event-ID\` (browsers do) and nothing is missed; when too much was
missed (4 MB, an hour), the first event is \`reset\`: read everything again. A comment every 15 s keeps the connection
open and often brings a newer \`id\`. The stream ends at once when the key or session does, or when the role or plan
changes: then reconnect.`;

export function registerEvents(app: FastifyInstance, ctx: Context): void {
  defineEventStreams(app, ctx, TIMINGS, ["/api/events", "/v2/events"]);
}

/** Registers the stream at the addresses given; apart for tests, which cannot wait a minute. */
export function defineEventStreams(
  app: FastifyInstance,
  ctx: Context,
  timings: StreamTimings,
  urls: string[],
): void {
  const streams = createStreams(ctx, timings);
  app.addHook("preClose", async () => streams.endAll());
  for (const url of urls) {
    const family = url.startsWith("/v2/") ? "v2" : "legacy";
    defineRawRoute(app, ctx, {
      method: "GET",
      url,
      family,
      resource: null,
      elsewhere: true,
      tag: "dashboard",
      summary: "Live stream of what happens (server-sent events)",
      description: DESCRIPTION,
      querystring: Type.Object({
        ...ORGANIZATION_QUERY,
        lastEventId: Type.Optional(
          Type.String({
            maxLength: 255,
            description: "As Last-Event-ID, for clients that cannot send headers.",
          }),
        ),
      }),
      content: { "text/event-stream": liveStreamSchema(family) },
      async handler(own, { query, raw }, reply) {
        const caller = await callerWhere(own, organizationsNamed(raw));
        const header = raw.headers["last-event-id"];
        const lastEventId = (typeof header === "string" && header) || query.lastEventId || null;
        const homeOrganizationId = own.caller.organizationId;
        const order = { family, types: typesFor(caller), homeOrganizationId, lastEventId } as const;
        streams.open({ ...own, caller }, reply, order);
      },
    });
  }
}

export const typesFor = (caller: Caller): Set<string> =>
  new Set(
    Object.entries(LIVE_EVENTS)
      .filter(([, { resource, feature }]) =>
        isPermitted(caller, { action: "read", resource, features: [feature] }),
      )
      .map(([type]) => type),
  );
