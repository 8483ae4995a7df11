import { Type } from "typebox";
import { MONITOR_NOTIFICATIONS } from "../../engine/status/state.ts";
import { MONITOR_KINDS, SEVERITIES } from "../../platform/monitor-defaults.ts";
import { nullable, oneOf, Timestamp, Uuid } from "../../platform/operations/field.ts";
import { CERTIFICATE_EVENTS, INCIDENT_EVENTS, OBJECTIVE_NOTIFICATIONS } from "../channels/filter.ts";
import { DEVICE_EVENTS } from "../event-rules.ts";

/** What a webhook is sent. */
export const WebhookEvent = Type.Object(
  {
    type: oneOf(
      [
        ...MONITOR_NOTIFICATIONS,
        ...DEVICE_EVENTS,
        ...CERTIFICATE_EVENTS,
        "certificate.renewed",
        ...OBJECTIVE_NOTIFICATIONS,
        ...INCIDENT_EVENTS,
        "reminder",
        "test",
      ],
      {
        description:
          "What happened. Of devices it is `device.offline` and `device.online`, and `device.health` that one is not well, worse, or well again (`severity`, `reason`, and `outageMs` once it is over say more). `monitor.settled` follows `monitor.flapping` once it has been stable for ten checks: `outageMs` is null where it is stable but down. `incident.…` is what people write: of one that they opened, and of an outage's. `certificate.renewed` says that a certificate is OK again. `objective.burning` says that a monitor's error budget is being used up too fast, `objective.steady` that it no longer is, or that it is not watched any more (`budget` is null then). `monitor.stopped` with a `certificate` says that this is not watched any more, whatever becomes of the monitor.",
      },
    ),
    timestamp: Timestamp,
    title: Type.String({ description: "In the channel's language.", examples: ["Shop is down"] }),
    text: Type.String({
      description: "The same in a sentence or two, with the reason.",
      examples: ["Shop has been down since November 21, 2026 at 09:30 AM UTC. The connection was refused."],
    }),
    severity: nullable(
      oneOf(SEVERITIES),
      "Of the incident, the certificate's or the budget's problem, or the monitor; null for a test.",
    ),
    reason: nullable(Type.String(), "Why, in English; null where it is unknown."),
    url: nullable(
      Type.String(),
      "The page of its incident in Vedette, or of the monitor where there is none; null where the installation has no public address (`VEDETTE_PUBLIC_URL`).",
    ),
    acknowledgeUrl: nullable(
      Type.String(),
      "A link that acknowledges it, once and without signing in; null if there is nothing to acknowledge.",
    ),
    organization: Type.Object({ uuid: Uuid, name: Type.String() }),
    monitor: nullable(
      Type.Object({
        id: Type.Integer(),
        uuid: Uuid,
        kind: oneOf(MONITOR_KINDS),
        name: Type.String(),
        protocol: Type.String({ examples: ["http"] }),
        target: Type.String({ examples: ["https://shop.example/"] }),
        severity: oneOf(SEVERITIES),
        tags: Type.Array(Type.String()),
      }),
      "What it is about, as it was then; null for a test and for what people write about an incident.",
    ),
    incidentId: nullable(Type.Integer(), "The incident that it belongs to."),
    certificate: nullable(
      Type.Object({
        expiresAt: nullable(Timestamp, "Null where it could not be read, or is not known any more."),
        issuer: Type.String({
          description: "Empty where it is not known.",
          examples: ["CN=E7, O=Let's Encrypt, C=US"],
        }),
        fingerprint: Type.String({ description: "SHA-256 of it, hex." }),
      }),
      "Of `certificate.…`, and of `monitor.stopped` where it ends the alert about a certificate: which it is; else null.",
    ),
    budget: nullable(
      Type.Object({
        level: nullable(oneOf(["fast", "slow"]), "How fast it is being used up; null once that is over."),
        objective: Type.Number({ description: "Percent of the time.", examples: [99.9] }),
        objectiveDays: Type.Integer({ examples: [30] }),
        allowedSeconds: Type.Integer({ description: "What the objective allows to be down." }),
        usedSeconds: Type.Integer({ description: "How long it was down." }),
        leftSeconds: Type.Integer({ description: "Negative where more was used than is allowed." }),
      }),
      "Of `objective.…`: the monitor's error budget; else null.",
    ),
    locations: Type.Array(Type.String(), { description: "Codes of the locations that see it fail." }),
    outageMs: nullable(Type.Integer(), "How long the outage was that has just ended, milliseconds."),
    acknowledgedBy: nullable(
      Type.String(),
      "Who has acknowledged the incident, or the channel whose link was used; null: no one.",
    ),
  },
  {
    title: "WebhookEvent",
    description:
      "Signed by the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks).",
  },
);
