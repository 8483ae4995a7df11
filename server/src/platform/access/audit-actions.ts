const PAGE_SENTENCES = {
  "create status-pages": {
    named: "{who} created the status page {subject}.",
    unnamed: "{who} created a status page.",
  },
  "update status-pages": {
    named: "{who} changed the status page {subject}.",
    unnamed: "{who} changed a status page.",
  },
  "delete status-pages": {
    named: "{who} deleted the status page {subject}.",
    unnamed: "{who} deleted a status page.",
  },
  "arrange page": {
    named: "{who} arranged the status page {subject}.",
    unnamed: "{who} arranged a status page.",
  },
  "add page component": {
    named: "{who} added a component to the status page {subject}.",
    unnamed: "{who} added a component to a status page.",
  },
  "change page component": {
    named: "{who} changed a component of the status page {subject}.",
    unnamed: "{who} changed a component of a status page.",
  },
  "remove page component": {
    named: "{who} removed a component from the status page {subject}.",
    unnamed: "{who} removed a component from a status page.",
  },
  "add subscriber": {
    named: "{who} added a subscriber to the status page {subject}.",
    unnamed: "{who} added a subscriber to a status page.",
  },
  "import subscribers": {
    named: "{who} imported subscribers of the status page {subject}.",
    unnamed: "{who} imported subscribers of a status page.",
  },
  "remove subscriber": {
    named: "{who} removed a subscriber from the status page {subject}.",
    unnamed: "{who} removed a subscriber from a status page.",
  },
  "set page logo": {
    named: "{who} set the logo of the status page {subject}.",
    unnamed: "{who} set the logo of a status page.",
  },
  "remove page logo": {
    named: "{who} removed the logo of the status page {subject}.",
    unnamed: "{who} removed the logo of a status page.",
  },
  "create update template": {
    named: "{who} created the update template {subject}.",
    unnamed: "{who} created an update template.",
  },
  "change update template": {
    named: "{who} changed the update template {subject}.",
    unnamed: "{who} changed an update template.",
  },
  "delete update template": {
    named: "{who} deleted the update template {subject}.",
    unnamed: "{who} deleted an update template.",
  },
  "check custom domain": {
    named: "{who} had the domain of the status page {subject} checked.",
    unnamed: "{who} had the domain of a status page checked.",
  },
};

const INCIDENT_SENTENCES = {
  "create incidents": {
    named: "{who} reported the incident {subject}.",
    unnamed: "{who} reported an incident.",
  },
  "update incidents": {
    named: "{who} changed the incident {subject}.",
    unnamed: "{who} changed an incident.",
  },
  "delete incidents": {
    named: "{who} deleted the incident {subject}.",
    unnamed: "{who} deleted an incident.",
  },
  "acknowledge incidents": {
    named: "{who} acknowledged the incident {subject}.",
    unnamed: "{who} acknowledged an incident.",
  },
  "reopen incidents": {
    named: "{who} reopened the incident {subject}.",
    unnamed: "{who} reopened an incident.",
  },
  "assign incidents": {
    named: "{who} assigned the incident {subject}.",
    unnamed: "{who} assigned an incident.",
  },
  "split incidents": {
    named: "{who} separated monitors from the incident {subject}.",
    unnamed: "{who} separated the monitors of an incident.",
  },
  "merge incidents": {
    named: "{who} merged the incident {subject} into another.",
    unnamed: "{who} merged two incidents.",
  },
  "write postmortem": {
    named: "{who} wrote the postmortem of the incident {subject}.",
    unnamed: "{who} wrote a postmortem.",
  },
  "add incident update": {
    named: "{who} posted an update of the incident {subject}.",
    unnamed: "{who} posted an update of an incident.",
  },
  "edit incident update": {
    named: "{who} edited an update of the incident {subject}.",
    unnamed: "{who} edited an update of an incident.",
  },
  "delete incident update": {
    named: "{who} deleted an update of the incident {subject}.",
    unnamed: "{who} deleted an update of an incident.",
  },
  "add incident comment": {
    named: "{who} commented on the incident {subject}.",
    unnamed: "{who} commented on an incident.",
  },
  "edit incident comment": {
    named: "{who} edited a comment on the incident {subject}.",
    unnamed: "{who} edited a comment on an incident.",
  },
  "delete incident comment": {
    named: "{who} deleted a comment on the incident {subject}.",
    unnamed: "{who} deleted a comment on an incident.",
  },
} as const;

const INTEGRATION_SENTENCES = {
  "link integration": {
    named: "{who} linked the integration {subject}.",
    unnamed: "{who} linked an integration.",
  },
  "update integration": {
    named: "{who} changed the integration {subject}.",
    unnamed: "{who} changed an integration.",
  },
  "unlink integration": {
    named: "{who} unlinked the integration {subject}.",
    unnamed: "{who} unlinked an integration.",
  },
  "monitor resource": {
    named: "{who} had the resource {subject} of an integration monitored.",
    unnamed: "{who} had a resource of an integration monitored.",
  },
  "create deployments": {
    named: "{who} recorded a deployment of {subject}.",
    unnamed: "{who} recorded a deployment.",
  },
  "update deployments": {
    named: "{who} changed a deployment of {subject}.",
    unnamed: "{who} changed a deployment.",
  },
  "delete deployments": {
    named: "{who} deleted a deployment of {subject}.",
    unnamed: "{who} deleted a deployment.",
  },
  "create deployment webhook": {
    named: "{who} created the deployment webhook {subject}.",
    unnamed: "{who} created a deployment webhook.",
  },
  "update deployment webhook": {
    named: "{who} changed the deployment webhook {subject}.",
    unnamed: "{who} changed a deployment webhook.",
  },
  "delete deployment webhook": {
    named: "{who} deleted the deployment webhook {subject}.",
    unnamed: "{who} deleted a deployment webhook.",
  },
} as const;

/** More than one: by whether the subject's name, and what it was changed from and to, are known. */
export type AuditSentence = string | { named: string; unnamed: string; valued?: string };

export const AUDIT_SENTENCES = {
  "create account": "{who} created an account.",
  "sign in": "{who} signed in.",
  "update profile": "{who} changed their profile.",
  "change password": "{who} changed their password.",
  "reset password": {
    named: "The password of {subject} was reset from the server's command line.",
    unnamed: "A password was reset from the server's command line.",
  },
  "reset password by mail": "{who} chose a new password by a link that was mailed to them.",
  "request email change": "{who} requested another e-mail address.",
  "change email": "{who} changed their e-mail address.",
  "reset two-factor": {
    named: "Two-factor sign-in of {subject} was turned off from the server's command line.",
    unnamed: "A user's two-factor sign-in was turned off from the server's command line.",
  },
  "start two-factor": "{who} requested a two-factor secret.",
  "enable two-factor": "{who} turned two-factor sign-in on.",
  "disable two-factor": "{who} turned two-factor sign-in off.",
  "renew recovery codes": "{who} made new recovery codes.",
  "end session": "{who} ended a session.",
  "end other sessions": "{who} ended their other sessions.",
  "create organization": {
    named: "{who} created the organization {subject}.",
    unnamed: "{who} created an organization.",
  },
  "update organization": {
    named: "{who} changed the organization {subject}.",
    unnamed: "{who} changed the organization.",
  },
  "delete organization": {
    named: "{who} requested the deletion of the organization {subject} in 7 days.",
    unnamed: "{who} requested the deletion of the organization in 7 days.",
  },
  "keep organization": {
    named: "{who} cancelled the deletion of the organization {subject}.",
    unnamed: "{who} cancelled the deletion of the organization.",
  },
  "transfer organization": {
    named: "{who} handed the organization over to {subject}.",
    unnamed: "{who} handed the organization over to another member.",
    valued: "{who} handed the organization over to {subject}, who was {before}.",
  },
  "add member": {
    named: "{who} added {subject}.",
    unnamed: "{who} added a member.",
    valued: "{who} added {subject} as {after}.",
  },
  "change role": {
    named: "{who} changed the role of {subject}.",
    unnamed: "{who} changed the role of a member.",
    valued: "{who} changed the role of {subject} from {before} to {after}.",
  },
  "remove member": {
    named: "{who} removed {subject}.",
    unnamed: "{who} removed a member.",
    valued: "{who} removed {subject}, who was {before}.",
  },
  "leave organization": "{who} left the organization.",
  "invite member": {
    named: "{who} invited {subject}.",
    unnamed: "{who} invited a person.",
    valued: "{who} invited {subject} as {after}.",
  },
  "resend invitation": {
    named: "{who} sent {subject} the invitation again.",
    unnamed: "{who} sent an invitation again.",
    valued: "{who} sent {subject} the invitation again, as {after}.",
  },
  "cancel invitation": {
    named: "{who} withdrew the invitation of {subject}.",
    unnamed: "{who} withdrew an invitation.",
  },
  "accept invitation": {
    named: "{who} joined the organization {subject}.",
    unnamed: "{who} joined the organization.",
    valued: "{who} joined the organization {subject} as {after}.",
  },
  "decline invitation": "{who} declined the invitation.",
  "send test mail": "{who} sent themselves a test mail.",
  "create api-keys": {
    named: "{who} created the API key {subject}.",
    unnamed: "{who} created an API key.",
  },
  "update api-keys": {
    named: "{who} changed the API key {subject}.",
    unnamed: "{who} changed an API key.",
  },
  "delete api-keys": {
    named: "{who} deleted the API key {subject}.",
    unnamed: "{who} deleted an API key.",
  },
  "create channels": {
    named: "{who} added the notification channel {subject}.",
    unnamed: "{who} added a notification channel.",
  },
  "update channels": {
    named: "{who} changed the notification channel {subject}.",
    unnamed: "{who} changed a notification channel.",
  },
  "delete channels": {
    named: "{who} deleted the notification channel {subject}.",
    unnamed: "{who} deleted a notification channel.",
  },
  "test channels": {
    named: "{who} sent a test message to the notification channel {subject}.",
    unnamed: "{who} sent a test message to a notification channel.",
  },
  "request channel confirmation": {
    named: "{who} requested confirmation of the address of the notification channel {subject} again.",
    unnamed: "{who} requested confirmation of the address of a notification channel again.",
  },
  "confirm channels": {
    named: "{who} confirmed the address of the notification channel {subject}.",
    unnamed: "{who} confirmed the address of a notification channel.",
  },
  "resend notifications": {
    named: "{who} sent a message to the notification channel {subject} again.",
    unnamed: "{who} sent a message to a notification channel again.",
  },
  "create maintenance": {
    named: "{who} planned the maintenance window {subject}.",
    unnamed: "{who} planned a maintenance window.",
  },
  "update maintenance": {
    named: "{who} changed the maintenance window {subject}.",
    unnamed: "{who} changed a maintenance window.",
  },
  "delete maintenance": {
    named: "{who} deleted the maintenance window {subject}.",
    unnamed: "{who} deleted a maintenance window.",
  },
  "end maintenance": {
    named: "{who} ended the maintenance window {subject}.",
    unnamed: "{who} ended a maintenance window.",
  },
  "skip maintenance": {
    named: "{who} skipped a time of the maintenance window {subject}.",
    unnamed: "{who} skipped a time of a maintenance window.",
  },
  ...PAGE_SENTENCES,
  "create domains": { named: "{who} created the domain {subject}.", unnamed: "{who} created a domain." },
  "update domains": { named: "{who} changed the domain {subject}.", unnamed: "{who} changed a domain." },
  "delete domains": { named: "{who} deleted the domain {subject}.", unnamed: "{who} deleted a domain." },
  "pause domains": { named: "{who} paused the domain {subject}.", unnamed: "{who} paused a domain." },
  "resume domains": { named: "{who} resumed the domain {subject}.", unnamed: "{who} resumed a domain." },
  "tag domains": { named: "{who} tagged the domain {subject}.", unnamed: "{who} tagged a domain." },
  "create devices": { named: "{who} added the device {subject}.", unnamed: "{who} added a device." },
  "update devices": { named: "{who} changed the device {subject}.", unnamed: "{who} changed a device." },
  "delete devices": { named: "{who} deleted the device {subject}.", unnamed: "{who} deleted a device." },
  "pause devices": { named: "{who} paused the device {subject}.", unnamed: "{who} paused a device." },
  "resume devices": { named: "{who} resumed the device {subject}.", unnamed: "{who} resumed a device." },
  "tag devices": { named: "{who} tagged the device {subject}.", unnamed: "{who} tagged a device." },
  "regenerate device token": {
    named: "{who} replaced the token of the device {subject}.",
    unnamed: "{who} replaced a device's token.",
  },
  "enroll device": {
    named: "The device {subject} enrolled itself, by a token of {who}.",
    unnamed: "A device enrolled itself, by a token of {who}.",
  },
  "create enrollment token": {
    named: "{who} made the enrollment token {subject}.",
    unnamed: "{who} made an enrollment token.",
  },
  "revoke enrollment token": {
    named: "{who} revoked the enrollment token {subject}.",
    unnamed: "{who} revoked an enrollment token.",
  },
  "create services": { named: "{who} created the service {subject}.", unnamed: "{who} created a service." },
  "update services": { named: "{who} changed the service {subject}.", unnamed: "{who} changed a service." },
  "delete services": { named: "{who} deleted the service {subject}.", unnamed: "{who} deleted a service." },
  "pause services": { named: "{who} paused the service {subject}.", unnamed: "{who} paused a service." },
  "resume services": { named: "{who} resumed the service {subject}.", unnamed: "{who} resumed a service." },
  "tag services": { named: "{who} tagged the service {subject}.", unnamed: "{who} tagged a service." },
  ...INTEGRATION_SENTENCES,
  ...INCIDENT_SENTENCES,
} satisfies Record<string, AuditSentence>;

export type AuditAction = keyof typeof AUDIT_SENTENCES;

export const AUDIT_ACTIONS = Object.keys(AUDIT_SENTENCES) as AuditAction[];
