import { inEnglish } from "../../texts/english.ts";
import type { Outgoing } from "./kind.ts";
import { severityOf } from "./message.ts";

/** A message as webhooks get it: WebhookEvent in wire/webhook.ts. */
export function webhookDocument({ message, words, organization, acknowledge }: Outgoing) {
  const { monitor, event, at, reason, incidentId, locations, outageMs, incident } = message;
  return {
    type: event,
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
    locations,
    outageMs,
    acknowledgedBy: incident?.acknowledged?.by ?? null,
  };
}
