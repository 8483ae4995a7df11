/** What is recorded; each has a sentence in report/describe-change.ts. */
const AUDIT_ACTIONS = [
  "create account",
  "sign in",
  "update profile",
  "change password",
  "start two-factor",
  "enable two-factor",
  "disable two-factor",
  "end session",
  "end other sessions",
  "create organization",
  "update organization",
  "add member",
  "change role",
  "remove member",
  "leave organization",
  "invite member",
  "cancel invitation",
  "accept invitation",
  "decline invitation",
  "create api-keys",
  "update api-keys",
  "delete api-keys",
  "create domains",
  "update domains",
  "delete domains",
  "pause domains",
  "resume domains",
  "tag domains",
  "create services",
  "update services",
  "delete services",
  "pause services",
  "resume services",
  "tag services",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const isAuditAction = (text: string): text is AuditAction =>
  AUDIT_ACTIONS.includes(text as AuditAction);
