import {
  describeApiKeys,
  describeDashboard,
  describeImports,
  describeToolbox,
} from "../../accounts/routes/api-keys.ts";
import { describeAuth, describeMailedLinks } from "../../accounts/routes/auth.ts";
import { describeMe, describePush, describeSessions } from "../../accounts/routes/me.ts";
import {
  describeInvitations,
  describeMembers,
  describeOrganizations,
} from "../../accounts/routes/organizations.ts";
import {
  describeChannels,
  describeIncidentDeliveries,
  describeMail,
  describeNotifications,
} from "../../alerts/routes/channels.ts";
import { describeAssistant, describeChat } from "../../assistant/routes/assistant.ts";
import { describeIncidentLog, describeIncidents } from "../../incidents/routes/incidents.ts";
import { describeDeployments } from "../../integrations/routes/deployments.ts";
import { describeIntegrations } from "../../integrations/routes/integrations.ts";
import {
  describeDeviceLists,
  describeDeviceMetrics,
  describeDeviceReadings,
  describeDevices,
} from "../../monitors/routes/devices.ts";
import { describeDomainPage, describeDomains, describeServices } from "../../monitors/routes/domains.ts";
import { describeMaintenance } from "../../monitors/routes/maintenance.ts";
import { describeDomainMetrics, describeServiceMetrics } from "../../monitors/routes/monitor-metrics.ts";
import type { Describe } from "../../platform/http/both-families.ts";
import { describeReports } from "../../reports/routes/reports.ts";
import { describeStatusPages } from "../../status-pages/routes/status-pages.ts";
import { describeSubscribers, describeUpdateTemplates } from "../../status-pages/routes/subscribers.ts";
import { describeCheckDomain } from "./web.ts";

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
  describeIncidentDeliveries,
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
