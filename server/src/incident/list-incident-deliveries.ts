import { Type } from "typebox";
import {
  countIncidentDeliveries,
  listIncidentDeliveries as queryDeliveries,
} from "../store/queries/incident-deliveries.ts";
import { verb } from "../verb/verb.ts";
import { IdText } from "../wire/id.ts";
import { IncidentDelivery, projectIncidentDelivery } from "../wire/incident-deliveries.ts";
import { PageQuery, pageIn, pagingOf } from "../wire/page.ts";
import { findIncidentMeant } from "./find-incident.ts";

/**
 * Who was told of an incident in the last 30 days, newest first: by the organization's channels, and by the caller's own. By
 * which ways others are told is theirs to know. Throws 404.
 */
export const listIncidentDeliveries = verb({
  resource: "notifications",
  feature: "team",
  action: "read",
  input: Type.Object({ id: IdText, ...PageQuery }),
  output: Type.Array(IncidentDelivery),
  paged: true,
  find: findIncidentMeant,
  async run({ db, caller, clock }, query, { id: incidentId }) {
    const whose = { incidentId, userId: caller.userId };
    const paging = pagingOf(query);
    const now = clock.now();
    const found = await queryDeliveries(db, whose, paging);
    const items = found.map((delivery) => projectIncidentDelivery(delivery, now));
    if (!paging.isPaged) return { items };
    return { items, page: pageIn(paging, await countIncidentDeliveries(db, whose)) };
  },
});
