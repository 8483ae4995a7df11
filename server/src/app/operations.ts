import {
  changePreferences,
  confirmEmail,
  requestEmailChange,
  updateProfile,
} from "../accounts/change-email.ts";
import { deleteOrganization, keepOrganization } from "../accounts/delete-organization.ts";
import { describeCaller, readAuthState } from "../accounts/describe-caller.ts";
import {
  acceptInvitation,
  cancelInvitation,
  declineInvitation,
  inviteMember,
  listInvitations,
  listOwnInvitations,
  readInvitation,
  resendInvitation,
} from "../accounts/invitations.ts";
import { createKey, getKey, listKeys, mintKey, renameKey, revokeKey } from "../accounts/keys.ts";
import {
  addMember,
  changeRole,
  leaveOrganization,
  listMembers,
  removeMember,
  transferOrganization,
} from "../accounts/members.ts";
import {
  foundOrganization,
  getOrganization,
  getOrganizationUsage,
  listOrganizations,
  renameOrganization,
  setPlan,
  switchOrganization,
} from "../accounts/organizations.ts";
import { changePassword, requestPasswordReset, resetForgottenPassword } from "../accounts/passwords.ts";
import { setUp, signUp } from "../accounts/set-up.ts";
import { signIn } from "../accounts/sign-in.ts";
import { endOtherSessions, endSession, listSessions, signOut } from "../accounts/sign-out.ts";
import {
  confirmTotp,
  disableTotp,
  readTwoFactor,
  renewRecoveryCodes,
  startTotp,
} from "../accounts/two-factor.ts";
import { createUser, listUsers, resetPassword, resetTwoFactor } from "../accounts/users.ts";
import { getMailSettings, sendTestMail } from "../alerts/mail/external-mail.ts";
import { acknowledgeByLink, readAcknowledgement } from "../alerts/operations/acknowledge-by-link.ts";
import {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  updateChannel,
} from "../alerts/operations/channels.ts";
import { resendConfirmation } from "../alerts/operations/confirm-channel.ts";
import { listChannelDeliveries, resendDelivery } from "../alerts/operations/deliveries.ts";
import { listIncidentDeliveries } from "../alerts/operations/list-incident-deliveries.ts";
import {
  listNotifications,
  readAllNotifications,
  readNotification,
} from "../alerts/operations/notifications.ts";
import { testChannel } from "../alerts/operations/test-channel.ts";
import {
  getNotificationSettings,
  requestOwnConfirmation,
  testOwnNotifications,
  updateNotificationSettings,
} from "../alerts/people/own-settings.ts";
import {
  listPushBrowsers,
  subscribeBrowser,
  testPushBrowser,
  unsubscribeBrowser,
} from "../alerts/push/browsers.ts";
import { answerPrompt } from "../assistant/answer-prompt.ts";
import {
  deleteChatConversation,
  getChatConversation,
  listChatConversations,
  renameChatConversation,
  saveChatExchange,
} from "../assistant/conversations.ts";
import {
  approveAssistantCall,
  declineAssistantCall,
  getAssistant,
  stopAnswer,
} from "../assistant/decide-call.ts";
import { checkDomain } from "../checks/toolbox/check-domain.ts";
import { TOOL_VERBS } from "../checks/toolbox/tool-verbs.ts";
import { acknowledgeIncident, acknowledgeIncidents } from "../incidents/acknowledge-incidents.ts";
import {
  assignIncident,
  createIncident,
  deleteIncident,
  reopenIncident,
} from "../incidents/create-incident.ts";
import { getEvidence, getPostmortem, listIncidentDevices, writePostmortem } from "../incidents/evidence.ts";
import * as incidentComments from "../incidents/incident-comments.ts";
import * as incidentUpdates from "../incidents/incident-updates.ts";
import { explainIncident, getIncident, listIncidents } from "../incidents/list-incidents.ts";
import { mergeIncident } from "../incidents/merge-incident.ts";
import { splitIncident } from "../incidents/split-incident.ts";
import { updateIncident } from "../incidents/update-incident.ts";
import * as deployments from "../integrations/deployments/deployments.ts";
import { receiveDeploymentWebhook } from "../integrations/deployments/receive-webhook.ts";
import * as deploymentWebhooks from "../integrations/deployments/webhooks.ts";
import { INTEGRATION_VERBS } from "../integrations/integration-verbs.ts";
import {
  changeDevices,
  createDevice,
  deleteDevice,
  deviceStats,
  getDevice,
  listDevices,
  regenerateDeviceToken,
  updateDevice,
} from "../monitors/devices/devices.ts";
import {
  createEnrollmentToken,
  enrollDevice,
  listEnrollmentTokens,
  revokeEnrollmentToken,
} from "../monitors/devices/enroll-device.ts";
import {
  chartDeviceMetrics,
  deviceStatusHistory,
  listApplicationChanges,
  listDeviceApplications,
  listDeviceConnections,
  listDeviceContainers,
  listDeviceMetrics,
  listDeviceProcesses,
  listDeviceSparklines,
} from "../monitors/devices/metric-verbs.ts";
import { reportDevice } from "../monitors/devices/take-reports.ts";
import {
  changeDomains,
  createDomain,
  deleteDomain,
  domainChecks,
  getDomain,
  listDomains,
  updateDomain,
} from "../monitors/domains.ts";
import { fetchTitle, getDomainIcon } from "../monitors/find-icon.ts";
import { listHeartbeats, receiveHeartbeat } from "../monitors/heartbeats.ts";
import { exportMonitors } from "../monitors/import/export-monitors.ts";
import { importMonitors } from "../monitors/import/import-monitors.ts";
import * as maintenance from "../monitors/maintenance/windows.ts";
import { domainMetrics, serviceMetrics } from "../monitors/metric-verbs.ts";
import {
  changeServices,
  createService,
  deleteService,
  getService,
  listServices,
  serviceChecks,
  updateService,
} from "../monitors/services.ts";
import { listJobs } from "../platform/jobs.ts";
import { namedFor, type Verb } from "../platform/operations/operation.ts";
import {
  getDeviceReport,
  getDomainReport,
  getIncidentReport,
  getServiceReport,
} from "../reports/incident-report.ts";
import { exportAuditLog, listAuditLog } from "../reports/list-audit-log.ts";
import { getDashboardStats, listRecentActivity } from "../reports/list-recent-activity.ts";
import { search } from "../reports/search.ts";
import {
  deviceComponents,
  domainComponents,
  serviceComponents,
} from "../status-pages/contents/components.ts";
import { PAGE_VERBS } from "../status-pages/page-verbs.ts";

/** Everything that can be done, by name. */
export const VERBS = {
  ...namedFor("domain", { ...domainChecks, ...domainMetrics, ...domainComponents }),
  ...namedFor("service", { ...serviceChecks, ...serviceMetrics, ...serviceComponents }),
  ...namedFor("device", deviceComponents),
  ...incidentComments,
  ...incidentUpdates,
  ...maintenance,
  ...PAGE_VERBS,
  ...TOOL_VERBS,
  ...INTEGRATION_VERBS,
  ...deployments,
  ...deploymentWebhooks,
  receiveDeploymentWebhook,
  acceptInvitation,
  acknowledgeByLink,
  acknowledgeIncident,
  acknowledgeIncidents,
  addMember,
  resendConfirmation,
  requestEmailChange,
  assignIncident,
  cancelInvitation,
  changeDomains,
  changePassword,
  changePreferences,
  changeRole,
  changeServices,
  chartDeviceMetrics,
  checkDomain,
  confirmEmail,
  confirmTotp,
  createChannel,
  createDomain,
  createIncident,
  createKey,
  createService,
  createUser,
  declineInvitation,
  deleteChannel,
  deleteDomain,
  deleteIncident,
  deleteOrganization,
  deleteService,
  describeCaller,
  disableTotp,
  endOtherSessions,
  endSession,
  explainIncident,
  listPushBrowsers,
  subscribeBrowser,
  testPushBrowser,
  unsubscribeBrowser,
  exportAuditLog,
  exportMonitors,
  fetchTitle,
  requestPasswordReset,
  foundOrganization,
  getChannel,
  getDashboardStats,
  getDomain,
  getDomainReport,
  getDeviceReport,
  getIncidentReport,
  getDomainIcon,
  getEvidence,
  listIncidentDevices,
  listIncidentDeliveries,
  getIncident,
  getKey,
  getMailSettings,
  getNotificationSettings,
  getOrganization,
  getOrganizationUsage,
  getPostmortem,
  getService,
  getServiceReport,
  importMonitors,
  inviteMember,
  keepOrganization,
  leaveOrganization,
  listAuditLog,
  listChannelDeliveries,
  listChannels,
  listDeviceMetrics,
  listDomains,
  listIncidents,
  listInvitations,
  listKeys,
  listMembers,
  listNotifications,
  listOrganizations,
  listOwnInvitations,
  listRecentActivity,
  listServices,
  listSessions,
  listJobs,
  listUsers,
  mergeIncident,
  mintKey,
  readAllNotifications,
  readAuthState,
  readAcknowledgement,
  readInvitation,
  readNotification,
  readTwoFactor,
  removeMember,
  renameKey,
  renameOrganization,
  renewRecoveryCodes,
  reopenIncident,
  resendDelivery,
  resendInvitation,
  resetForgottenPassword,
  resetPassword,
  resetTwoFactor,
  revokeKey,
  search,
  sendTestMail,
  setPlan,
  setUp,
  signIn,
  signOut,
  signUp,
  splitIncident,
  startTotp,
  switchOrganization,
  listHeartbeats,
  receiveHeartbeat,
  transferOrganization,
  testChannel,
  requestOwnConfirmation,
  testOwnNotifications,
  updateChannel,
  updateDomain,
  updateIncident,
  updateNotificationSettings,
  updateProfile,
  writePostmortem,
  updateService,
  changeDevices,
  createDevice,
  createEnrollmentToken,
  deleteDevice,
  deviceStats,
  deviceStatusHistory,
  listDeviceSparklines,
  enrollDevice,
  getDevice,
  listApplicationChanges,
  listDeviceApplications,
  listDeviceConnections,
  listDeviceContainers,
  listDeviceProcesses,
  listDevices,
  listEnrollmentTokens,
  regenerateDeviceToken,
  reportDevice,
  revokeEnrollmentToken,
  updateDevice,
  deleteChatConversation,
  getChatConversation,
  listChatConversations,
  renameChatConversation,
  saveChatExchange,
  answerPrompt,
  approveAssistantCall,
  declineAssistantCall,
  getAssistant,
  stopAnswer,
} satisfies Record<string, Verb>;
