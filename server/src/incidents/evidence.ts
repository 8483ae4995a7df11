import { Type } from "typebox";
import type { ProbeResult } from "../engine/probe/link.ts";
import type { ChangedMonitor } from "../engine/status/advance-states.ts";
import { FULLEST_DISK, type SampleItems } from "../monitors/devices/new-reports.ts";
import { uncompress } from "../monitors/devices/snapshots.ts";
import { devicesOf, readChanges, readProcessSample } from "../monitors/queries/device-snapshots.ts";
import { projectChange } from "../monitors/schemas/devices.ts";
import { assertAccess } from "../platform/access/access.ts";
import { MONITOR_KIND_TRAITS } from "../platform/access/monitor-kinds.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/db.ts";
import { invalidInput } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { IdParams, isMeant, readId, timestampOrNull } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { changeIncident } from "./changed-incident.ts";
import { type Remembered, routeOf, withRoute } from "./evidence-memory.ts";
import { findIncidentMeant, lockForChange } from "./find-incident.ts";
import {
  findEvidence,
  findOutages,
  forgetEvidence,
  insertEvidence,
  type NewEvidence,
  outagesWithEvidence,
  readEvidence,
  replaceEvidence,
} from "./queries/evidence.ts";
import { readPostmortem, writePostmortem as storePostmortem } from "./queries/incident-changes.ts";
import {
  IncidentDevice,
  Postmortem,
  PostmortemInput,
  type ShownIncidentDevice,
} from "./schemas/incident-changes.ts";
import {
  EvidenceQuery,
  IncidentEvidence,
  projectFailure,
  type StoredFailure,
} from "./schemas/incident-explanation.ts";

/** An incident may have a thousand members, and each some 30 KB. */
const MAX_OUTAGES = 20;

/** What the checks saw that began an incident's outages and confirmed them, secrets masked. Throws 404, 422 for a monitor that is not in it. */
export const getEvidence = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: EvidenceQuery,
  output: IncidentEvidence,
  find: findIncidentMeant,
  async run({ db }, { monitor }, { organizationId, affectedServices }) {
    const ref = monitor === undefined ? null : readId(monitor);
    const named = affectedServices.filter(
      ({ monitorId: id, monitorUuid: uuid }) =>
        monitor === undefined || (ref !== null && isMeant(ref, { id, uuid })),
    );
    if (monitor !== undefined && named.length === 0)
      throw invalidInput({ monitor: [msg("incident.not_affected")] });
    const meant = named.filter(({ outageStartedAt }) => outageStartedAt !== null);
    const known = await outagesWithEvidence(
      db,
      organizationId,
      meant.map(({ id }) => id),
    );
    const all = meant.filter(({ id }) => known.has(id));
    const shown = new Map(all.slice(0, MAX_OUTAGES).map((one) => [one.id, one]));
    const rows = await readEvidence(db, organizationId, [...shown.keys()]);
    const byOutage = Map.groupBy(rows, ({ affectedId }) => affectedId);
    const evidence = [...shown.values()].flatMap(({ id, name, monitorId, monitorUuid }) =>
      (byOutage.get(id) ?? []).map(({ moment, location, at, content }) =>
        projectFailure(
          { name, monitorId, monitorUuid, moment, location, at },
          JSON.parse(content) as StoredFailure,
        ),
      ),
    );
    return { evidence, omitted: all.length - shown.size };
  },
});

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

/** A monitor keeps what was seen of that many outages, its newest: at most 13 MB, however often it fails. */
const MAX_OUTAGES_WITH_EVIDENCE = 100;

/**
 * Stores the evidence of the checks that began these outages and confirmed them, once their incidents are committed. Never
 * throws, since the incidents must not depend on it.
 */
export async function keepEvidence(
  ctx: Pick<Context, "store" | "log" | "evidence">,
  changes: readonly ChangedMonitor[],
): Promise<void> {
  const { evidence: memory } = ctx;
  if (memory === undefined) return;
  const opened = changes
    .filter(({ events }) => events.some(({ type }) => type === "outage_opened"))
    .map(({ monitor }) => monitor.monitorId)
    .filter((monitorId) => memory.has(monitorId));
  if (opened.length === 0) return;
  try {
    const outages = await findOutages(ctx.store.db, opened);
    const evidence = outages.flatMap(({ monitorId, startedAt, ...outage }) =>
      telling(memory.take(monitorId), startedAt).map((one) => ({ ...outage, ...one })),
    );
    await insertEvidence(ctx.store.db, evidence);
    for (const { monitorId } of outages)
      await forgetEvidence(ctx.store.db, monitorId, MAX_OUTAGES_WITH_EVIDENCE);
  } catch (error) {
    ctx.log.warn({ err: error, monitorIds: opened }, "The evidence of an outage could not be stored");
  }
}

/** Adds routes that arrived after the outages were notified to the stored evidence. Never throws. */
export async function keepRoutes(
  { store, log }: Pick<Context, "store" | "log">,
  results: readonly ProbeResult[],
): Promise<void> {
  for (const result of results) {
    const route = routeOf(result);
    if (route === null) continue;
    const { monitorId, location, scheduledAt: at } = result;
    try {
      for (const { id, content } of await findEvidence(store.db, { monitorId, location, at })) {
        await replaceEvidence(store.db, id, withRoute(content, route));
      }
    } catch (error) {
      log.warn({ err: error, monitorId }, "The route to a failed target could not be stored");
    }
  }
}

/** Of what was seen since an outage began: its first failure, and the newest, which confirmed it. */
function telling(seen: readonly Remembered[], startedAt: number): NewEvidence[] {
  const since = seen.filter(({ at }) => at >= startedAt);
  const first = since.find(({ at }) => at === startedAt);
  const newest = since.at(-1);
  return [
    ...(first ? [{ ...first, moment: "first" as const }] : []),
    ...(newest && newest !== first ? [{ ...newest, moment: "confirmation" as const }] : []),
  ];
}

const SEEN_BEFORE_MS = 5 * 60_000;
const CHANGED_BEFORE_MS = 60 * 60_000;
/** An agent reports an installation a moment later. */
const NOTICED_AFTER_MS = 60_000;
const MOST_CHANGES = 100;
const MOST_DEVICES = 20;
const { resource, feature } = MONITOR_KIND_TRAITS.device;

/**
 * What the devices on which its monitors run were doing when an incident began. Throws 404, and 403 for who may not see devices.
 */
export const listIncidentDevices = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IdParams,
  output: Type.Array(IncidentDevice),
  find: findIncidentMeant,
  async run({ db, caller }, _, { affectedServices, startedAt }) {
    assertAccess(caller, { by: "caller", action: "read", resource, features: [feature] });
    const monitorIds = affectedServices.flatMap(({ monitorId }) => monitorId ?? []);
    const devices = await devicesOf(db, monitorIds);
    return Promise.all(devices.slice(0, MOST_DEVICES).map((device) => stateAt(db, device, startedAt)));
  },
});

async function stateAt(
  db: Db,
  device: { id: number; uuid: string; name: string },
  at: number,
): Promise<ShownIncidentDevice> {
  const stored = await readProcessSample(db, device.id, { from: at - SEEN_BEFORE_MS, at });
  const sampled = stored && uncompress<SampleItems>(stored.items);
  const changes = await readChanges(db, device.id, {
    from: at - CHANGED_BEFORE_MS,
    to: at + NOTICED_AFTER_MS,
    limit: MOST_CHANGES,
  });
  const metric = (name: string) => sampled?.metrics[name] ?? null;
  return {
    device,
    at: timestampOrNull(stored?.at ?? null),
    figures: {
      cpuUsage: metric("cpu.usage"),
      load: metric("cpu.load1"),
      memoryUsage: metric("memory.usage"),
      swapUsage: metric("memory.swap.usage"),
      diskUsage: metric(FULLEST_DISK),
    },
    processes: sampled?.processes ?? [],
    newConnections: sampled?.newConnections ?? null,
    changes: changes.map(projectChange),
  };
}
