import { inEnglish } from "../../texts/english.ts";
import type { Outgoing } from "./kind.ts";
import { eventOf, type MessageBudget, severityOf } from "./message.ts";

/** A message as webhooks get it: WebhookEvent in wire/webhook.ts. */
export function webhookDocument({ message, words, organization, acknowledge }: Outgoing) {
  const { monitor, at, reason, incidentId, locations, outageMs, incident, certificate, budget } = message;
  return {
    type: eventOf(message),
    timestamp: new Date(at).toISOString(),
    title: words.title,
    text: words.text,
    severity: severityOf(message),
    reason: reason && inEnglish(reason),
    url: words.link?.url ?? null,
    acknowledgeUrl: acknowledge?.url ?? null,
    organization,
    monitor: monitor && {
      id: monitor.id,
      uuid: monitor.uuid,
      kind: monitor.kind,
      name: monitor.name,
      protocol: monitor.type,
      target: monitor.target,
      severity: monitor.severity,
      tags: monitor.tags,
    },
    incidentId,
    certificate: certificate ? { ...certificate, expiresAt: isoOf(certificate.expiresAt) } : null,
    budget: budget?.objective ? budgetOf(budget.level, budget.objective) : null,
    locations,
    outageMs,
    acknowledgedBy: incident?.acknowledged?.by ?? null,
  };
}

const budgetOf = (
  level: MessageBudget["level"],
  { percent, days, allowedMs, usedMs, leftMs }: NonNullable<MessageBudget["objective"]>,
) => ({
  ...{ level, objective: percent, objectiveDays: days },
  allowedSeconds: secondsOf(allowedMs),
  usedSeconds: secondsOf(usedMs),
  leftSeconds: secondsOf(leftMs),
});

const secondsOf = (ms: number): number => Math.round(ms / 1000);

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
