import { readMonitors } from "../monitors/queries/listed-monitors.ts";
import { msg } from "../platform/i18n/message.ts";
import { verb } from "../platform/operations/operation.ts";
import { explainOutage, type KnownOutage, type OtherSettings } from "./explain/explain-outage.ts";
import { findIncidentMeant } from "./find-incident.ts";
import { ExplainQuery, IncidentExplanation, toSentence } from "./schemas/incident-explanation.ts";

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
