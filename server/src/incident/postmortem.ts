import { readPostmortem, writePostmortem as storePostmortem } from "../store/queries/incident-changes.ts";
import { verb } from "../verb/verb.ts";
import { IdParams } from "../wire/field.ts";
import { PostmortemInput } from "../wire/incident-input.ts";
import { Postmortem } from "../wire/incident-log.ts";
import { changeIncident } from "./changed-incident.ts";
import { findIncidentMeant, lockForChange } from "./find-incident.ts";

/** What was learnt from an incident, as Markdown. Throws 404. */
export const getPostmortem = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IdParams,
  output: Postmortem,
  find: findIncidentMeant,
  run: async ({ db }, _, { id }) => ({ incidentId: id, content: await readPostmortem(db, id) }),
});

/** Writes it, or removes it. Throws 404, and 409 for an incident that was merged. */
export const writePostmortem = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "write postmortem",
  input: PostmortemInput,
  output: Postmortem,
  find: findIncidentMeant,
  async run(ctx, input, found) {
    const incident = await lockForChange(ctx, found);
    const content = input.content?.trim() ? input.content : null;
    await storePostmortem(ctx.db, incident.id, content, ctx.clock.now());
    await changeIncident(ctx, incident);
    return { incidentId: incident.id, content };
  },
});
