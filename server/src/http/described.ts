import { describeApiKeys, describeDashboard, describeImports, describeToolbox } from "./both/api-keys.ts";
import { describeAssistant, describeChat } from "./both/assistant.ts";
import { describeChannels, describeMail, describeNotifications } from "./both/channels.ts";
import { describeDeployments } from "./both/deployments.ts";
import {
  describeDeviceLists,
  describeDeviceMetrics,
  describeDeviceReadings,
  describeDevices,
} from "./both/devices.ts";
import { describeDomainPage, describeDomains, describeServices } from "./both/domains.ts";
import { describeIncidentLog, describeIncidents } from "./both/incidents.ts";
import { describeIntegrations } from "./both/integrations.ts";
import { describeMaintenance } from "./both/maintenance.ts";
import { describeDomainMetrics, describeServiceMetrics } from "./both/monitor-metrics.ts";
import { describeInvitations, describeMembers, describeOrganizations } from "./both/organizations.ts";
import { describeReports } from "./both/reports.ts";
import { describeStatusPages } from "./both/status-pages.ts";
import { describeSubscribers, describeUpdateTemplates } from "./both/subscribers.ts";
import type { Describe } from "./both-families.ts";
import { describeAuth, describeMailedLinks } from "./legacy/auth.ts";
import { describeMe, describePush, describeSessions } from "./legacy/me.ts";
import { describeCheckDomain } from "./public/web.ts";

/** Every resource whose endpoints list verbs, one line each. An assistant's tools follow from the same listings (tools/). */
export const DESCRIBED: readonly Describe[] = [
  describeAuth,
  describeMailedLinks,
  describeMe,
  describeSessions,
  describePush,
  describeOrganizations,
  describeMembers,
  describeInvitations,
  describeMail,
  describeApiKeys,
  describeDomains,
  describeDomainMetrics,
  describeDomainPage,
  describeDeviceReadings,
  describeDevices,
  describeDeviceMetrics,
  describeDeviceLists,
  describeServices,
  describeServiceMetrics,
  describeImports,
  describeIncidents,
  describeIncidentLog,
  describeMaintenance,
  describeUpdateTemplates,
  describeStatusPages,
  describeSubscribers,
  describeNotifications,
  describeChannels,
  describeDashboard,
  describeReports,
  describeCheckDomain,
  describeToolbox,
  describeChat,
  describeAssistant,
  describeIntegrations,
  describeDeployments,
];
