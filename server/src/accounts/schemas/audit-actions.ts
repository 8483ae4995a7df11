import { AUDIT_ACTIONS } from "../../platform/access/audit-actions.ts";

export const auditActions = AUDIT_ACTIONS;
