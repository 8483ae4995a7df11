import { describeApiKeys } from "./both/api-keys.ts";
import { describeAssistant } from "./both/assistant.ts";
import { describeChannels } from "./both/channels.ts";
import { describeChat } from "./both/chat.ts";
import { describeDashboard } from "./both/dashboard.ts";
import { describeDeployments } from "./both/deployments.ts";
import { describeDeviceFigures } from "./both/device-figures.ts";
import { describeDeviceLists } from "./both/device-lists.ts";
import { describeDeviceMetrics } from "./both/device-metrics.ts";
import { describeDevices } from "./both/devices.ts";
import { describeDomainPage } from "./both/domain-page.ts";
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
import { describeReports } from "./both/reports.ts";
import { describeServices } from "./both/services.ts";
import { describeStatusPages } from "./both/status-pages.ts";
import { describeSubscribers } from "./both/subscribers.ts";
import { describeToolbox } from "./both/toolbox.ts";
import { describeUpdateTemplates } from "./both/update-templates.ts";
import type { Describe } from "./both-families.ts";
import { describeAuth } from "./legacy/auth.ts";
import { describeMailedLinks } from "./legacy/mailed-links.ts";
import { describeMe } from "./legacy/me.ts";
import { describePush } from "./legacy/push.ts";
import { describeSessions } from "./legacy/sessions.ts";
import { describeCheckDomain } from "./public/check-domain.ts";

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
  describeDomainFigures,
  describeDomainPage,
  describeDeviceFigures,
  describeDevices,
  describeDeviceMetrics,
  describeDeviceLists,
  describeServices,
  describeServiceFigures,
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
