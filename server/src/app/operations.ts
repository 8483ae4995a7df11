import type { TSchema } from "typebox";
import * as changeEmail from "../accounts/change-email.ts";
import * as deleteOrganization from "../accounts/delete-organization.ts";
import * as describeCaller from "../accounts/describe-caller.ts";
import * as invitations from "../accounts/invitations.ts";
import * as keys from "../accounts/keys.ts";
import * as members from "../accounts/members.ts";
import * as organizations from "../accounts/organizations.ts";
import * as passwords from "../accounts/passwords.ts";
import * as setUp from "../accounts/set-up.ts";
import * as signIn from "../accounts/sign-in.ts";
import * as signOut from "../accounts/sign-out.ts";
import * as twoFactor from "../accounts/two-factor.ts";
import * as users from "../accounts/users.ts";
import * as externalMail from "../alerts/mail/external-mail.ts";
import * as acknowledgeByLink from "../alerts/operations/acknowledge-by-link.ts";
import * as channels from "../alerts/operations/channels.ts";
import * as confirmChannel from "../alerts/operations/confirm-channel.ts";
import * as deliveries from "../alerts/operations/deliveries.ts";
import * as listIncidentDeliveries from "../alerts/operations/list-incident-deliveries.ts";
import * as notifications from "../alerts/operations/notifications.ts";
import * as testChannel from "../alerts/operations/test-channel.ts";
import * as ownSettings from "../alerts/people/own-settings.ts";
import * as browsers from "../alerts/push/browsers.ts";
import * as answerPrompt from "../assistant/answer-prompt.ts";
import * as conversations from "../assistant/conversations.ts";
import * as decideCall from "../assistant/decide-call.ts";
import * as checkDomain from "../checks/toolbox/check-domain.ts";
import { TOOL_VERBS } from "../checks/toolbox/tool-verbs.ts";
import * as acknowledgeIncidents from "../incidents/acknowledge-incidents.ts";
import * as createIncident from "../incidents/create-incident.ts";
import * as evidence from "../incidents/evidence.ts";
import * as incidentComments from "../incidents/incident-comments.ts";
import * as incidentUpdates from "../incidents/incident-updates.ts";
import * as listIncidents from "../incidents/list-incidents.ts";
import * as mergeIncident from "../incidents/merge-incident.ts";
import * as splitIncident from "../incidents/split-incident.ts";
import * as updateIncident from "../incidents/update-incident.ts";
import * as deployments from "../integrations/deployments/deployments.ts";
import * as receiveWebhook from "../integrations/deployments/receive-webhook.ts";
import * as webhooks from "../integrations/deployments/webhooks.ts";
import { INTEGRATION_VERBS } from "../integrations/integration-verbs.ts";
import * as devices from "../monitors/devices/devices.ts";
import * as enrollDevice from "../monitors/devices/enroll-device.ts";
import * as metricVerbs from "../monitors/devices/metric-verbs.ts";
import * as takeReports from "../monitors/devices/take-reports.ts";
import * as domains from "../monitors/domains.ts";
import * as findIcon from "../monitors/find-icon.ts";
import * as heartbeats from "../monitors/heartbeats.ts";
import * as exportMonitors from "../monitors/import/export-monitors.ts";
import * as importMonitors from "../monitors/import/import-monitors.ts";
import * as windows from "../monitors/maintenance/windows.ts";
import { domainMetrics, serviceMetrics } from "../monitors/metric-verbs.ts";
import * as services from "../monitors/services.ts";
import * as jobs from "../platform/jobs.ts";
import { namedFor, type Verb } from "../platform/operations/operation.ts";
import * as incidentReport from "../reports/incident-report.ts";
import * as listAuditLog from "../reports/list-audit-log.ts";
import * as listRecentActivity from "../reports/list-recent-activity.ts";
import * as search from "../reports/search.ts";
import {
  deviceComponents,
  domainComponents,
  serviceComponents,
} from "../status-pages/contents/components.ts";
import { PAGE_VERBS } from "../status-pages/page-verbs.ts";

type OperationsIn<Module> = {
  [Name in keyof Module as Module[Name] extends {
    input: TSchema;
    output: TSchema;
    run(...args: never[]): unknown;
  }
    ? Name
    : never]: Module[Name];
};

/** The operations that a module exports, by their names there. */
function operationsIn<Module extends object>(module: Module): OperationsIn<Module> {
  const isOperation = (one: unknown) =>
    typeof one === "object" && one !== null && "input" in one && "output" in one && "run" in one;
  return Object.fromEntries(
    Object.entries(module).filter(([, one]) => isOperation(one)),
  ) as OperationsIn<Module>;
}

/** Everything that can be done, by name. */
export const VERBS = {
  ...namedFor("domain", { ...domains.domainChecks, ...domainMetrics, ...domainComponents }),
  ...namedFor("service", { ...services.serviceChecks, ...serviceMetrics, ...serviceComponents }),
  ...namedFor("device", deviceComponents),
  ...PAGE_VERBS,
  ...TOOL_VERBS,
  ...INTEGRATION_VERBS,
  ...operationsIn(changeEmail),
  ...operationsIn(deleteOrganization),
  ...operationsIn(describeCaller),
  ...operationsIn(invitations),
  ...operationsIn(keys),
  ...operationsIn(members),
  ...operationsIn(organizations),
  ...operationsIn(passwords),
  ...operationsIn(setUp),
  ...operationsIn(signIn),
  ...operationsIn(signOut),
  ...operationsIn(twoFactor),
  ...operationsIn(users),
  ...operationsIn(externalMail),
  ...operationsIn(acknowledgeByLink),
  ...operationsIn(channels),
  ...operationsIn(confirmChannel),
  ...operationsIn(deliveries),
  ...operationsIn(listIncidentDeliveries),
  ...operationsIn(notifications),
  ...operationsIn(testChannel),
  ...operationsIn(ownSettings),
  ...operationsIn(browsers),
  ...operationsIn(answerPrompt),
  ...operationsIn(conversations),
  ...operationsIn(decideCall),
  ...operationsIn(checkDomain),
  ...operationsIn(acknowledgeIncidents),
  ...operationsIn(createIncident),
  ...operationsIn(evidence),
  ...operationsIn(incidentComments),
  ...operationsIn(incidentUpdates),
  ...operationsIn(listIncidents),
  ...operationsIn(mergeIncident),
  ...operationsIn(splitIncident),
  ...operationsIn(updateIncident),
  ...operationsIn(deployments),
  ...operationsIn(receiveWebhook),
  ...operationsIn(webhooks),
  ...operationsIn(devices),
  ...operationsIn(enrollDevice),
  ...operationsIn(metricVerbs),
  ...operationsIn(takeReports),
  ...operationsIn(domains),
  ...operationsIn(findIcon),
  ...operationsIn(heartbeats),
  ...operationsIn(exportMonitors),
  ...operationsIn(importMonitors),
  ...operationsIn(windows),
  ...operationsIn(services),
  ...operationsIn(jobs),
  ...operationsIn(incidentReport),
  ...operationsIn(listAuditLog),
  ...operationsIn(listRecentActivity),
  ...operationsIn(search),
} satisfies Record<string, Verb>;
