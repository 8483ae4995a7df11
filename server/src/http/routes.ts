import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { registerAgents } from "./agent/agents.ts";
import { inBoth } from "./both-families.ts";
import { DESCRIBED } from "./described.ts";
import { registerEvents } from "./live/events.ts";
import { registerMcp } from "./mcp/routes.ts";
import { registerDeploymentWebhooks } from "./public/deployment-webhooks.ts";
import { registerHealth } from "./public/health.ts";
import { registerHeartbeats } from "./public/heartbeats.ts";
import { registerIcons } from "./public/icons.ts";
import { registerMetrics } from "./public/metrics.ts";

/**
 * Every resource of the API: the table of contents. A file exports `register…(app, ctx)` and calls defineRoute for each
 * of its endpoints; one that described.ts lists exports `describe…(define)`, and each endpoint it defines is registered
 * in both families.
 */
const RESOURCES: readonly ((app: FastifyInstance, ctx: Context) => void | Promise<void>)[] = [
  ...DESCRIBED.flatMap(inBoth),
  registerHealth,
  registerMetrics,
  registerEvents,
  registerAgents,
  registerHeartbeats,
  registerDeploymentWebhooks,
  registerIcons,
  registerMcp,
];

/** Registers all of them. */
export async function registerRoutes(app: FastifyInstance, ctx: Context): Promise<void> {
  for (const register of RESOURCES) await register(app, ctx);
  // What the assistant has written so far is kept before anything closes.
  app.addHook("preClose", async () => ctx.assistant?.answers.endAll());
}
