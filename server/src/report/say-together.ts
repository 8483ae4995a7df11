import type { Db } from "../store/db.ts";
import type { ReadNotification } from "../store/queries/notification-reads.ts";
import { readSharedIncidents, type SharedIncident } from "../store/queries/told-together.ts";
import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";

/** Lets notifications of monitors that share an incident speak for all of these. */
export async function sayTogether(
  db: Db,
  notifications: readonly ReadNotification[],
): Promise<ReadNotification[]> {
  const speaking = notifications.filter(({ isOfGroup, event }) => isOfGroup && SAID.has(event));
  const shared = await readSharedIncidents(db, [
    ...new Set(speaking.flatMap(({ incidentId }) => incidentId ?? [])),
  ]);
  return notifications.map((one) => {
    const incident = speaking.includes(one) ? shared.get(one.incidentId ?? 0) : undefined;
    const said = incident && factOf(one, incident);
    return said ? { ...one, fact: said, message: inEnglish(said) } : one;
  });
}

const SAID = new Set(["monitor.down", "monitor.up"]);

function factOf(
  { event, fact: own, togetherFact, monitorId }: ReadNotification,
  { leadId, leadName, others }: SharedIncident,
): Fact | null {
  // It joined, and people were told of it all the same.
  if (event === "monitor.down" && togetherFact && monitorId !== leadId) return togetherFact;
  const since = own?.params?.["since"];
  if (typeof since !== "string") return null;
  const all = { name: leadName, others, since };
  if (event === "monitor.up") return fact("notice.recovered_together", all);
  return { ...fact("notice.down_together", all), ...(own?.because && { because: own.because }) };
}
