import { Type } from "typebox";
import { readMonitors } from "../monitors/queries/listed-monitors.ts";
import { listHeldBack } from "../monitors/queries/monitor-changes.ts";
import { findMonitorOwner } from "../monitors/queries/monitors.ts";
import { findOwner, type Ref } from "../platform/database/sql.ts";
import { invalidInput } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import type { IncidentSort } from "../platform/monitor-defaults.ts";
import { IdParams, readId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { pageIn, pagingOf, readSort } from "../platform/operations/paging.ts";
import { findIncidentMeant } from "./affected.ts";
import { explainOutage, type KnownOutage, type OtherSettings } from "./explain/explain-outage.ts";
import { countIncidents, incidentOrderTerms, listIncidents as queryIncidents } from "./queries/incidents.ts";
import { ExplainQuery, IncidentExplanation, toSentence } from "./schemas/incident-explanation.ts";
import {
  Incident,
  IncidentDetail,
  IncidentsQuery,
  incidentFilterOf,
  projectIncident,
} from "./schemas/incidents.ts";

/**
 * The organization's incidents that fit, newest first or sorted, and how many there are. Throws 422 for a monitor or device that
 * it has not.
 */
export const listIncidents = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IncidentsQuery,
  output: Type.Array(Incident),
  paged: true,
  async run(ctx, input) {
    const { db, caller } = ctx;
    const paging = pagingOf(input);
    const monitors = [await monitorMeant(ctx, input.monitor), await deviceMeant(ctx, input.device)].flat();
    const filter = { organizationId: caller.organizationId, ...incidentFilterOf(input), monitors };
    const sort = readSort<IncidentSort>(input.sort);
    const order = sort ? incidentOrderTerms(sort, ctx.clock.now()) : undefined;
    const items = (await queryIncidents(db, filter, { ...paging, order })).map(projectIncident);
    return { items, page: paging.isPaged ? pageIn(paging, await countIncidents(db, filter)) : undefined };
  },
});

/** One that was deleted has had incidents, too. */
async function monitorMeant({ db, caller }: Running, text: string | undefined): Promise<Ref[]> {
  if (text === undefined) return [];
  const ref = readId(text);
  if (ref && (await findOwner(db, "monitors", ref)) === caller.organizationId) return [ref];
  throw invalidInput({ monitor: [msg("incident.no_monitor", { id: text })] });
}

async function deviceMeant({ db, caller }: Running, text: string | undefined): Promise<Ref[]> {
  if (text === undefined) return [];
  const ref = readId(text);
  const owner = ref && (await findMonitorOwner(db, { kind: "device", ref, isOrWas: true }));
  if (ref && owner === caller.organizationId) return [ref];
  throw invalidInput({ device: [msg("incident.no_device", { id: text })] });
}

/** One incident of an organization that the caller may act in, with what is held back behind it. Throws 404 for any other. */
export const getIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IdParams,
  output: IncidentDetail,
  find: findIncidentMeant,
  async run({ db }, _, incident) {
    const down = incident.affectedServices.filter(
      (one) => one.outageStartedAt !== null && !one.outageEndedAt,
    );
    const suppressed = await listHeldBack(
      db,
      down.flatMap(({ monitorId }) => monitorId ?? []),
    );
    return { ...projectIncident(incident), suppressed };
  },
});

/** An incident may have a thousand members: only the first are explained. */
const MAX_OUTAGES = 20;
/** Of all outages together: about a tenth of a second. */
const MAX_RESULTS = 10_000;

/**
 * Why an incident opened and closed: the votes, thresholds and results behind every transition of each monitor in it. With
 * other settings it also says what these would have done. Throws 404.
 */
export const explainIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: ExplainQuery,
  output: IncidentExplanation,
  find: findIncidentMeant,
  async run(ctx, { id: _, ...overrides }, incident) {
    const all = incident.affectedServices.filter((one): one is KnownOutage => one.outageStartedAt !== null);
    const shown = all.slice(0, MAX_OUTAGES);
    const ids = shown.flatMap(({ monitorId }) => monitorId ?? []);
    const monitors = await readMonitors(ctx.db, incident.organizationId, ids);
    const maxResults = Math.ceil(MAX_RESULTS / Math.max(2, shown.length));
    const outages = [];
    for (const outage of shown) {
      const monitor = monitors.get(outage.monitorId ?? 0);
      outages.push(await explainOutage(ctx, outage, { monitor, other: settingsOf(overrides), maxResults }));
    }
    const isCut = all.length > shown.length;
    const notes = isCut ? [toSentence(msg("explain.more", { shown: shown.length, total: all.length }))] : [];
    return { outages, notes };
  },
});

/** Only the settings that were given; null: none. */
function settingsOf(overrides: { [Name in keyof OtherSettings]?: OtherSettings[Name] | undefined }) {
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : (Object.fromEntries(given) as OtherSettings);
}
