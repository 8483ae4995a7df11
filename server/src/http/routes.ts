import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { registerAgents } from "./agent/agents.ts";
import { describeApiKeys } from "./both/api-keys.ts";
import { describeChannels } from "./both/channels.ts";
import { describeDashboard } from "./both/dashboard.ts";
import { describeDeployments } from "./both/deployments.ts";
import { describeDeviceFigures } from "./both/device-figures.ts";
import { describeDeviceLists } from "./both/device-lists.ts";
import { describeDeviceMetrics } from "./both/device-metrics.ts";
import { describeDevices } from "./both/devices.ts";
import { describeDomains } from "./both/domains.ts";
import { describeDomainFigures, describeServiceFigures } from "./both/figures.ts";
import { describeImports } from "./both/imports.ts";
import { describeIncidentLog } from "./both/incident-log.ts";
import { describeIncidents } from "./both/incidents.ts";
import { describeIntegrations } from "./both/integrations.ts";
import { describeInvitations } from "./both/invitations.ts";
import { describeMail } from "./both/mail.ts";
import { describeMaintenance } from "./both/maintenance.ts";
import { describeMembers } from "./both/members.ts";
import { describeNotifications } from "./both/notifications.ts";
import { describeOrganizations } from "./both/organizations.ts";
import { describeServices } from "./both/services.ts";
import { describeStatusPages } from "./both/status-pages.ts";
import { describeSubscribers } from "./both/subscribers.ts";
import { describeToolbox } from "./both/toolbox.ts";
import { describeUpdateTemplates } from "./both/update-templates.ts";
import { inBoth } from "./both-families.ts";
import { describeAuth } from "./legacy/auth.ts";
import { describeDomainPage } from "./legacy/domain-page.ts";
import { describeMailedLinks } from "./legacy/mailed-links.ts";
import { describeMe } from "./legacy/me.ts";
import { describePush } from "./legacy/push.ts";
import { describeSessions } from "./legacy/sessions.ts";
import { registerEvents } from "./live/events.ts";
import { describeCheckDomain } from "./public/check-domain.ts";
import { registerDeploymentWebhooks } from "./public/deployment-webhooks.ts";
import { registerHealth } from "./public/health.ts";
import { registerHeartbeats } from "./public/heartbeats.ts";
import { registerIcons } from "./public/icons.ts";
import { registerMetrics } from "./public/metrics.ts";

/**
 * Every resource of the API, one line each: the table of contents. A file exports
 * `register…(app, ctx)` and calls defineRoute for each of its endpoints; one in both/ exports
 * `describe…(define)`, and each endpoint it defines is registered in both families.
 */
const RESOURCES: readonly ((app: FastifyInstance, ctx: Context) => void | Promise<void>)[] = [
  ...inBoth(describeAuth),
  ...inBoth(describeMailedLinks),
  ...inBoth(describeMe),
  ...inBoth(describeSessions),
  ...inBoth(describePush),
  ...inBoth(describeOrganizations),
  ...inBoth(describeMembers),
  ...inBoth(describeInvitations),
  ...inBoth(describeMail),
  ...inBoth(describeApiKeys),
  registerHealth,
  registerMetrics,
  registerEvents,
  ...inBoth(describeDomains),
  ...inBoth(describeDomainFigures),
  ...inBoth(describeDomainPage),
  ...inBoth(describeDeviceFigures),
  ...inBoth(describeDevices),
  ...inBoth(describeDeviceMetrics),
  ...inBoth(describeDeviceLists),
  ...inBoth(describeServices),
  ...inBoth(describeServiceFigures),
  ...inBoth(describeImports),
  ...inBoth(describeIncidents),
  ...inBoth(describeIncidentLog),
  ...inBoth(describeMaintenance),
  ...inBoth(describeUpdateTemplates),
  ...inBoth(describeStatusPages),
  ...inBoth(describeSubscribers),
  ...inBoth(describeNotifications),
  ...inBoth(describeChannels),
  ...inBoth(describeDashboard),
  ...inBoth(describeCheckDomain),
  ...inBoth(describeToolbox),
  ...inBoth(describeIntegrations),
  ...inBoth(describeDeployments),
  registerAgents,
  registerHeartbeats,
  registerDeploymentWebhooks,
  registerIcons,
];

/** Registers all of them. */
export async function registerRoutes(app: FastifyInstance, ctx: Context): Promise<void> {
  for (const register of RESOURCES) await register(app, ctx);
}
