import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { registerApiKeys } from "./legacy/api-keys.ts";
import { registerAuth } from "./legacy/auth.ts";
import { registerDashboard } from "./legacy/dashboard.ts";
import { registerDomainFigures } from "./legacy/domain-figures.ts";
import { registerDomainPage } from "./legacy/domain-page.ts";
import { registerDomains } from "./legacy/domains.ts";
import { registerIncidents } from "./legacy/incidents.ts";
import { registerMe } from "./legacy/me.ts";
import { registerMembers } from "./legacy/members.ts";
import { registerOrganizations } from "./legacy/organizations.ts";
import { registerSessions } from "./legacy/sessions.ts";
import { registerEvents } from "./live/events.ts";
import { registerCheckDomain } from "./public/check-domain.ts";
import { registerHealth } from "./public/health.ts";
import { registerIcons } from "./public/icons.ts";
import { registerMetrics } from "./public/metrics.ts";
import { registerV2ApiKeys } from "./v2/api-keys.ts";
import { registerV2Dashboard } from "./v2/dashboard.ts";
import { registerV2DomainFigures } from "./v2/domain-figures.ts";
import { registerV2Domains } from "./v2/domains.ts";
import { registerV2Incidents } from "./v2/incidents.ts";
import { registerV2Members } from "./v2/members.ts";
import { registerV2Organizations } from "./v2/organizations.ts";

/**
 * Every resource of the API, one line each: the table of contents. A file exports
 * `register…(app, ctx)` and calls defineRoute for each of its endpoints.
 */
const RESOURCES: readonly ((app: FastifyInstance, ctx: Context) => void | Promise<void>)[] = [
  registerAuth,
  registerMe,
  registerSessions,
  registerOrganizations,
  registerV2Organizations,
  registerMembers,
  registerV2Members,
  registerApiKeys,
  registerV2ApiKeys,
  registerHealth,
  registerMetrics,
  registerEvents,
  registerDomains,
  registerDomainFigures,
  registerDomainPage,
  registerV2Domains,
  registerV2DomainFigures,
  registerIncidents,
  registerV2Incidents,
  registerDashboard,
  registerV2Dashboard,
  registerCheckDomain,
  registerIcons,
];

/** Registers all of them. */
export async function registerRoutes(app: FastifyInstance, ctx: Context): Promise<void> {
  for (const register of RESOURCES) await register(app, ctx);
}
