import { describeAuth, describeMailedLinks } from "../../accounts/routes/auth.ts";
import { describeMe, describePush, describeSessions } from "../../accounts/routes/me.ts";
import {
  describeApiKeys,
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
import { makeTools } from "../../assistant/tools/list-tools.ts";
import { describeCheckDomain } from "../../checks/toolbox/check-domain.ts";
import { describeToolbox } from "../../checks/toolbox/tool-verbs.ts";
import { describeIncidentLog, describeIncidents } from "../../incidents/routes/incidents.ts";
import { describeDeployments } from "../../integrations/routes/deployments.ts";
import { describeIntegrations } from "../../integrations/routes/integrations.ts";
import {
  describeDeviceLists,
  describeDeviceMetrics,
  describeDeviceReadings,
  describeDevices,
} from "../../monitors/routes/devices.ts";
import {
  describeDomainPage,
  describeDomains,
  describeImports,
  describeServices,
} from "../../monitors/routes/domains.ts";
import { describeMaintenance } from "../../monitors/routes/maintenance.ts";
import { describeDomainMetrics, describeServiceMetrics } from "../../monitors/routes/monitor-metrics.ts";
import type { Describe } from "../../platform/http/both-families.ts";
import { describeAuditLog, describeDashboard, describeReports } from "../../reports/routes/reports.ts";
import { describeStatusPages } from "../../status-pages/routes/status-pages.ts";
import { describeSubscribers, describeUpdateTemplates } from "../../status-pages/routes/subscribers.ts";
import { VERBS } from "../operations.ts";

/** Every resource whose endpoints list verbs, one line each. */
export const DESCRIBED: readonly Describe[] = [
  describeAuth,
  describeMailedLinks,
  describeMe,
  describeSessions,
  describePush,
  describeOrganizations,
  describeAuditLog,
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

let known: ReturnType<typeof makeTools> | undefined;

/** The tools that assistants have of all this, by their names. */
export const offeredTools = () => (known ??= makeTools({ verbs: VERBS, described: DESCRIBED }));
