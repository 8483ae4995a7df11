import { Type } from "typebox";
import { explainIncident } from "../alerts/explain.ts";
import {
  countIncidentDeliveries,
  listIncidentDeliveries as queryDeliveries,
} from "../store/queries/incident-deliveries.ts";
import type { Incident } from "../store/queries/incidents.ts";
import { OUTBOX_DAYS } from "../store/schema/outbox.ts";
import { verb } from "../verb/verb.ts";
import { IdText } from "../wire/field.ts";
import {
  IncidentDelivery,
  IncidentDeliveryFacts,
  projectIncidentDelivery,
  projectNotice,
} from "../wire/incident-deliveries.ts";
import { NewestFirstQuery, pageIn, pagingOf } from "../wire/page.ts";
import { findIncidentMeant } from "./find-incident.ts";

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
  beside: IncidentDeliveryFacts,
  find: findIncidentMeant,
  async run({ db, caller, clock, config }, query, incident) {
    const whose = { incidentId: incident.id, userId: caller.userId };
    const paging = pagingOf(query);
    const now = clock.now();
    const found = await queryDeliveries(db, whose, paging);
    const items = found.map((delivery) => projectIncidentDelivery(delivery));
    const incomplete = beganAt(incident) < now - OUTBOX_MS;
    const hasOutages = incident.affectedServices.some(({ outageStartedAt }) => outageStartedAt !== null);
    const notices =
      incomplete || !hasOutages
        ? []
        : await explainIncident(db, config, incident, { userId: caller.userId, now });
    const beside = { incomplete, channels: notices.map(projectNotice) };
    if (!paging.isPaged) return { items, beside };
    return { items, beside, page: pageIn(paging, await countIncidentDeliveries(db, whose)) };
  },
});

/** Before that nothing was sent of it, milliseconds. */
const beganAt = ({ createdAt, affectedServices }: Incident): number =>
  Math.min(createdAt, ...affectedServices.flatMap(({ outageStartedAt }) => outageStartedAt ?? []));
