import { randomUUIDv7 } from "node:crypto";
import { invalidInput, notFound } from "../errors.ts";
import { checkText } from "../input/checked-text.ts";
import { insertAffectedServices } from "../store/queries/affected-services.ts";
import { insertIncidents } from "../store/queries/incident-changes.ts";
import { findIncident } from "../store/queries/incidents.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { IncidentCreate } from "../wire/incident-input.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";
import { changeAffected } from "./affected.ts";
import { readAffectedMonitors } from "./affected-monitors.ts";
import { announceIncident, factOfStatus, logUpdate } from "./changed-incident.ts";
import { readPages } from "./published-pages.ts";
import { IMPACT_OF_SEVERITY } from "./states.ts";

/** When an incident began, by default now. Throws 422 for a time that has not come. */
export function readStart(startedAt: string | undefined, now: number): number {
  const at = startedAt === undefined ? now : Date.parse(startedAt);
  if (at > now) throw invalidInput({ startedAt: [fact("input.past", { field: "startedAt" })] });
  return at;
}

/** Opens an incident that a person reports. It never changes what is detected. Throws 422 for what it cannot be. */
export const createIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "create incidents",
  input: IncidentCreate,
  output: Incident,
  async run(ctx, input) {
    const { db, caller, clock } = ctx;
    const now = clock.now();
    const { organizationId } = caller;
    const { description = "", severity = "medium", status = "open" } = input;
    const { impact = IMPACT_OF_SEVERITY[severity] } = input;
    const title = checkText("title", input.title);
    const monitors = await readAffectedMonitors(db, organizationId, input.monitorIds ?? []);
    const names = input.affectedServices?.map((name) => checkText("affectedServices", name));
    const { added: affectedServices } = changeAffected([], { monitors, names });
    const incident = {
      ...{ uuid: randomUUIDv7(), organizationId, monitorId: null, automatic: false },
      ...{ titleFact: null, fact: null },
      ...{ title, description: description.trim(), severity, impact, status, affectedServices },
      startedAt: readStart(input.startedAt, now),
      detectedAt: now,
      resolvedAt: status === "resolved" ? now : null,
    };
    const id = (await insertIncidents(db, [incident], now)).get(incident.uuid) ?? 0;
    await insertAffectedServices(db, [{ id, organizationId, affectedServices }]);
    const said = incident.description === "" ? factOfStatus(status) : incident.description;
    const pages = await readPages(db, organizationId, input.pages);
    await logUpdate(ctx, { ...incident, id }, said, { isOpening: true, pages });
    const created = await findIncident(db, organizationId, { id });
    if (!created) throw notFound();
    await announceIncident(ctx, created);
    ctx.record({ id, name: title });
    return projectIncident(created);
  },
});
