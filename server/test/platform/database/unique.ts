/** Unique rules: PostgreSQL names the rule, SQLite only the columns. */
const UNIQUE = {
  users_email_key: "users.email",
  monitors_target_name: "monitors.organization_id, monitors.kind, monitors.target, monitors.name",
  affected_services_one_open: "affected_services.monitor_id",
  notifications_idempotency_key_key: "notifications.idempotency_key",
} as const;

/** Whether the error says that a row breaks this rule. */
export function breaksUnique(error: unknown, rule: keyof typeof UNIQUE): boolean {
  const { code, constraint, message } = error as { code?: string; constraint?: string; message?: string };
  return code === "23505" ? constraint === rule : message === `UNIQUE constraint failed: ${UNIQUE[rule]}`;
}
