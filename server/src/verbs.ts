import {
  changePreferences,
  confirmEmail,
  requestEmailChange,
  updateProfile,
} from "./account/change-email.ts";
import { deleteOrganization, keepOrganization } from "./account/delete-organization.ts";
import { describeCaller, readAuthState } from "./account/describe-caller.ts";
import { getMailSettings, sendTestMail } from "./account/external-mail.ts";
import {
  acceptInvitation,
  addMember,
  cancelInvitation,
  declineInvitation,
  foundOrganization,
  listInvitations,
  listOwnInvitations,
  readInvitation,
} from "./account/invitations.ts";
import { createKey, getKey, listKeys, mintKey, renameKey, revokeKey } from "./account/keys.ts";
import {
  changeRole,
  leaveOrganization,
  listMembers,
  removeMember,
  transferOrganization,
} from "./account/members.ts";
import {
  getOrganization,
  getOrganizationUsage,
  listOrganizations,
  renameOrganization,
  setPlan,
  switchOrganization,
} from "./account/organizations.ts";
import { changePassword, requestPasswordReset, resetForgottenPassword } from "./account/passwords.ts";
import {
  listPushBrowsers,
  subscribeBrowser,
  testPushBrowser,
  unsubscribeBrowser,
} from "./account/push-browsers.ts";
import { inviteMember, resendInvitation } from "./account/send-invitation.ts";
import { setUp, signUp } from "./account/set-up.ts";
import { signIn } from "./account/sign-in.ts";
import { endOtherSessions, endSession, listSessions, signOut } from "./account/sign-out.ts";
import {
  confirmTotp,
  disableTotp,
  readTwoFactor,
  renewRecoveryCodes,
  startTotp,
} from "./account/two-factor.ts";
import { createUser, listUsers, resetPassword, resetTwoFactor } from "./account/users.ts";
import { answerPrompt } from "./assistant/answer-prompt.ts";
import {
  approveAssistantCall,
  declineAssistantCall,
  getAssistant,
  stopAnswer,
} from "./assistant/decide-call.ts";
import { createChannel, deleteChannel, getChannel, listChannels, updateChannel } from "./channel/channels.ts";
import { resendConfirmation } from "./channel/confirm-channel.ts";
import { listChannelDeliveries, resendDelivery } from "./channel/deliveries.ts";
import {
  getNotificationSettings,
  testOwnNotifications,
  updateNotificationSettings,
} from "./channel/own-settings.ts";
import { requestOwnConfirmation } from "./channel/request-own-confirmation.ts";
import { testChannel } from "./channel/test-channel.ts";
import {
  deleteChatConversation,
  getChatConversation,
  listChatConversations,
  renameChatConversation,
  saveChatExchange,
} from "./chat/conversations.ts";
import {
  changeDevices,
  createDevice,
  deleteDevice,
  deviceStats,
  getDevice,
  listDevices,
  regenerateDeviceToken,
  updateDevice,
} from "./device/devices.ts";
import {
  createEnrollmentToken,
  enrollDevice,
  listEnrollmentTokens,
  revokeEnrollmentToken,
} from "./device/enroll-device.ts";
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
} from "./device/metric-verbs.ts";
import { reportDevice } from "./device/take-reports.ts";
import { exportMonitors } from "./import/export-monitors.ts";
import { importMonitors } from "./import/import-monitors.ts";
import { acknowledgeByLink, readAcknowledgement } from "./incident/acknowledge-by-link.ts";
import { acknowledgeIncident, acknowledgeIncidents } from "./incident/acknowledge-incidents.ts";
import {
  assignIncident,
  createIncident,
  deleteIncident,
  reopenIncident,
} from "./incident/create-incident.ts";
import { getEvidence, getPostmortem, writePostmortem } from "./incident/evidence.ts";
import { explainIncident } from "./incident/explain-incident.ts";
import * as incidentComments from "./incident/incident-comments.ts";
import * as incidentUpdates from "./incident/incident-updates.ts";
import { listIncidentDeliveries, listIncidentDevices } from "./incident/list-incident-deliveries.ts";
import { getIncident, listIncidents } from "./incident/list-incidents.ts";
import { mergeIncident } from "./incident/merge-incident.ts";
import { splitIncident } from "./incident/split-incident.ts";
import { updateIncident } from "./incident/update-incident.ts";
import * as deployments from "./integration/deployment/deployments.ts";
import { receiveDeploymentWebhook } from "./integration/deployment/receive-webhook.ts";
import * as deploymentWebhooks from "./integration/deployment/webhooks.ts";
import { INTEGRATION_VERBS } from "./integration/integration-verbs.ts";
import * as maintenance from "./maintenance/windows.ts";
import {
  changeDomains,
  createDomain,
  deleteDomain,
  domainChecks,
  getDomain,
  listDomains,
  updateDomain,
} from "./monitor/domains.ts";
import { fetchTitle, getDomainIcon } from "./monitor/find-icon.ts";
import { listHeartbeats, receiveHeartbeat } from "./monitor/heartbeats.ts";
import { domainMetrics, serviceMetrics } from "./monitor/metric-verbs.ts";
import {
  changeServices,
  createService,
  deleteService,
  getService,
  listServices,
  serviceChecks,
  updateService,
} from "./monitor/services.ts";
import { deviceComponents, domainComponents, serviceComponents } from "./page/contents/components.ts";
import { PAGE_VERBS } from "./page/page-verbs.ts";
import {
  getDeviceReport,
  getDomainReport,
  getIncidentReport,
  getServiceReport,
} from "./report/incident-report.ts";
import { exportAuditLog, listAuditLog } from "./report/list-audit-log.ts";
import { getDashboardStats, listRecentActivity } from "./report/list-recent-activity.ts";
import { listNotifications, readAllNotifications, readNotification } from "./report/notifications.ts";
import { search } from "./report/search.ts";
import { checkDomain } from "./toolbox/check-domain.ts";
import { TOOL_VERBS } from "./toolbox/tool-verbs.ts";
import type { Verb } from "./verb/verb.ts";
import { namedFor } from "./verb/verb.ts";

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
