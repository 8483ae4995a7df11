/** The API's addresses, but for those of monitors (kinds/kinds.ts). The app's pages are in routes.tsx. */
export const apiPaths = {
  authState: "/api/auth/state",
  setUp: "/api/auth/setup",
  signIn: "/api/auth/sign-in",
  signUp: "/api/auth/sign-up",
  signOut: "/api/auth/sign-out",
  forgotPassword: "/api/auth/password/forgot",
  resetPassword: "/api/auth/password/reset",
  confirmEmail: "/api/auth/email/confirm",
  invitation: "/api/auth/invitation",
  acknowledgement: "/api/auth/acknowledgement",
  confirmAcknowledgement: "/api/auth/acknowledgement/confirm",
  me: "/api/auth/me",
  email: "/api/auth/email",
  password: "/api/auth/password",
  sessions: "/api/auth/sessions",
  session: (id: number) => `/api/auth/sessions/${id}`,
  push: "/api/auth/push",
  pushBrowser: (id: number) => `/api/auth/push/${id}`,
  testPush: (id: number) => `/api/auth/push/${id}/test`,
  twoFactor: "/api/auth/totp",
  confirmTwoFactor: "/api/auth/totp/confirm",
  recoveryCodes: "/api/auth/totp/recovery-codes",
  disableTwoFactor: "/api/auth/totp/disable",
  ownOrganization: "/api/auth/organization",
  invitations: "/api/invitations",
  acceptInvitation: (id: number) => `/api/invitations/${id}/accept`,
  declineInvitation: (id: number) => `/api/invitations/${id}/decline`,
  organization: (id: number) => `/api/organizations/${id}`,
  members: (id: number) => `/api/organizations/${id}/members`,
  member: (id: number, userId: number) => `/api/organizations/${id}/members/${userId}`,
  membership: (id: number) => `/api/organizations/${id}/membership`,
  usage: (id: number) => `/api/organizations/${id}/usage`,
  transfer: (id: number) => `/api/organizations/${id}/transfer`,
  keep: (id: number) => `/api/organizations/${id}/keep`,
  pendingInvitations: (id: number) => `/api/organizations/${id}/invitations`,
  pendingInvitation: (id: number, invitation: number) => `/api/organizations/${id}/invitations/${invitation}`,
  resendInvitation: (id: number, invitation: number) =>
    `/api/organizations/${id}/invitations/${invitation}/resend`,
  mail: "/api/mail",
  testMail: "/api/mail/test",
  auditLog: (id: number) => `/api/organizations/${id}/audit-log`,
  auditFile: (id: number) => `/api/organizations/${id}/audit-log.csv`,
  dashboardStats: "/api/dashboard/stats",
  incidents: "/api/incidents",
  incident: (id: number) => `/api/incidents/${id}`,
  incidentExplanation: (id: number) => `/api/incidents/${id}/explain`,
  incidentEvidence: (id: number) => `/api/incidents/${id}/evidence`,
  incidentUpdates: (id: number) => `/api/incidents/${id}/updates`,
  incidentComments: (id: number) => `/api/incidents/${id}/comments`,
  postmortem: (id: number) => `/api/incidents/${id}/postmortem`,
  maintenance: "/api/maintenance",
  maintenancePreview: "/api/maintenance/preview",
  maintenanceWindow: (id: number) => `/api/maintenance/${id}`,
  notifications: "/api/notifications",
  readNotifications: "/api/notifications/read",
  readNotification: (id: number) => `/api/notifications/${id}/read`,
  notificationSettings: "/api/notifications/settings",
  askOwnAddress: "/api/notifications/settings/confirmation",
  testNotifications: "/api/notifications/settings/test",
  channels: "/api/notifications/channels",
  channel: (id: number) => `/api/notifications/channels/${id}`,
  testChannel: (id: number) => `/api/notifications/channels/${id}/test`,
  channelConfirmation: (id: number) => `/api/notifications/channels/${id}/confirmation`,
  channelDeliveries: (id: number) => `/api/notifications/channels/${id}/deliveries`,
  resendDelivery: (id: number, delivery: number) =>
    `/api/notifications/channels/${id}/deliveries/${delivery}/resend`,
  recentActivity: "/api/dashboard/recent-activity",
  search: "/api/search",
  imports: "/api/imports",
  exports: "/api/exports",
  apiKeys: "/api/api-keys",
  apiKey: (id: number) => `/api/api-keys/${id}`,
  /** The live stream; from now on where `lastEventId` is empty. */
  eventsAfter: (lastEventId: string) =>
    lastEventId === "" ? "/api/events" : `/api/events?lastEventId=${encodeURIComponent(lastEventId)}`,
  health: "/api/health",
  /** For people: how programs use the API. */
  docs: "/docs",
  /** How mail is set up. */
  mailDocs: "/docs#/organization/getApiMail",
} as const;

const NOWHERE = "http://app.invalid";

/** Where to go after signing in: a path of this app, or the start page for anything else. */
export function safeReturnPath(path = "/"): string {
  // Read as browsers do, which overlook a tab and take a backslash for a slash.
  const isOwn = path.startsWith("/") && URL.parse(path, NOWHERE)?.origin === NOWHERE;
  return isOwn ? path : "/";
}
