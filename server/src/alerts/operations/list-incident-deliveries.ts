import { Type } from "typebox";
import { findIncidentMeant } from "../../incidents/affected.ts";
import type { Incident } from "../../incidents/queries/incidents.ts";
import { OUTBOX_DAYS } from "../../platform/database/tables/outbox.ts";
import { IdText } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { NewestFirstQuery, pageIn, pagingOf } from "../../platform/operations/paging.ts";
import { explainIncident } from "../explain.ts";
import {
  countIncidentDeliveries,
  listIncidentDeliveries as queryDeliveries,
} from "../queries/incident-deliveries.ts";
import {
  IncidentDelivery,
  IncidentDeliveryDetails,
  projectChannelNotification,
  projectIncidentDelivery,
} from "../schemas/incident-deliveries.ts";

const OUTBOX_MS = OUTBOX_DAYS * 86_400_000;

/**
 * Who was notified of an incident in the last 30 days, newest first: by the organization's channels, and by the caller's own.
 * Other people's own channels are not shown. Beside it, what each channel was notified of, what it
 * waits for, and why it is sent nothing. Throws 404.
 */
export const listIncidentDeliveries = verb({
  resource: "notifications",
  feature: "team",
  action: "read",
  input: Type.Object({ id: IdText, ...NewestFirstQuery }),
  output: Type.Array(IncidentDelivery),
  paged: true,
  beside: IncidentDeliveryDetails,
  find: findIncidentMeant,
  async run({ db, caller, clock, config }, query, incident) {
    const whose = { incidentId: incident.id, userId: caller.userId };
    const paging = pagingOf(query);
    const now = clock.now();
    const found = await queryDeliveries(db, whose, paging);
    const items = found.map((delivery) => projectIncidentDelivery(delivery));
    const incomplete = beganAt(incident) < now - OUTBOX_MS;
    const hasOutages = incident.affectedServices.some(({ outageStartedAt }) => outageStartedAt !== null);
    const channelNotifications =
      incomplete || !hasOutages
        ? []
        : await explainIncident(db, config, incident, { userId: caller.userId, now });
    const beside = { incomplete, channels: channelNotifications.map(projectChannelNotification) };
    if (!paging.isPaged) return { items, beside };
    return { items, beside, page: pageIn(paging, await countIncidentDeliveries(db, whose)) };
  },
});

/** Before that nothing was sent of it, milliseconds. */
const beganAt = ({ createdAt, affectedServices }: Incident): number =>
  Math.min(createdAt, ...affectedServices.flatMap(({ outageStartedAt }) => outageStartedAt ?? []));
