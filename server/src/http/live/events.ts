import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { callerIn } from "../../account/resolve-organization.ts";
import type { Context } from "../../context.ts";
import { OrganizationFilter } from "../../wire/field.ts";
import { defineRawRoute } from "../route.ts";
import { createStreams, type StreamTimings } from "./streams.ts";

const TIMINGS: StreamTimings = { heartbeatMs: 15_000, recheckMs: 60_000 };

const DESCRIPTION = `Server-sent events of one organization: \`status\`, \`results\`, \`notification\`, \`incident\`,
\`monitor.changed\` and others as they happen. Reconnect with \`Last-Event-ID\` (browsers do) and nothing is missed;
when what was missed has been forgotten, the first event is \`reset\`: read everything anew. A comment every 15 s
keeps the connection open. The stream ends when the key or session does.`;

/** The live stream, `/api/events` and `/v2/events`. */
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
  const streams = createStreams(timings);
  app.addHook("preClose", async () => streams.endAll());
  for (const url of urls) {
    defineRawRoute(app, ctx, {
      ...{ method: "GET", url, resource: "dashboard" },
      family: url.startsWith("/v2/") ? "v2" : "legacy",
      summary: "Live stream of what happens (server-sent events)",
      description: DESCRIPTION,
      querystring: Type.Object({
        organization: OrganizationFilter,
        lastEventId: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: "As Last-Event-ID, for clients that cannot send headers.",
          }),
        ),
      }),
      content: { "text/event-stream": Type.String() },
      async handler(own, { query, raw }, reply) {
        const caller = await callerIn(own, query.organization);
        const header = raw.headers["last-event-id"];
        const afterId = typeof header === "string" ? header : (query.lastEventId ?? null);
        await streams.open({ ...own, caller }, reply, afterId === null ? null : idOf(afterId));
      },
    });
  }
}

/** An id that is no number was not one of ours: -1 is older than everything kept. */
const idOf = (text: string | number): number => (/^\d{1,15}$/.test(String(text)) ? Number(text) : -1);
