import { AUDIT_ACTIONS } from "../../platform/access/audit-actions.ts";

/** What the audit log may say was done, for those who choose among it. */
export const auditActions = AUDIT_ACTIONS;
