import { Type } from "typebox";
import { httpEvidenceSchema } from "../checks/evidence.ts";
import { type Route, routeSchema } from "../checks/route.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import type { ChangedMonitor } from "../engine/status/advance-states.ts";
import { FULLEST_DISK, type SampleItems } from "../monitors/devices/new-reports.ts";
import { uncompress } from "../monitors/devices/pack-snapshots.ts";
import { devicesOf, readChanges, readProcessSample } from "../monitors/queries/device-snapshots.ts";
import { projectChange } from "../monitors/schemas/devices.ts";
import { assertAccess } from "../platform/access/check-access.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { invalidInput } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { IdParams, isMeant, readId, timestampOrNull } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { getValidator } from "../platform/operations/validator.ts";
import { findIncidentMeant, lockForChange } from "./affected.ts";
import { changeIncident } from "./changed-incident.ts";
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

/** What was seen of a monitor, until it is known whether an outage began with it. */
export interface Remembered {
  monitorId: number;
  location: string;
  at: number;
  /** JSON. */
  content: string;
}

/** A bounded memory of what failed checks saw; the oldest goes first, and all of it with the process. */
export interface EvidenceMemory {
  /** Remembers what these results carry, as far as it is what it should be. */
  note(results: readonly ProbeResult[]): void;
  has(monitorId: number): boolean;
  /** All there is of a monitor, oldest first; it is forgotten here. */
  take(monitorId: number): Remembered[];
}

const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Of one check; a monitor has as many as it has locations, and those that confirm. */
const MAX_CONTENT = 65_536;
const MAX_OF_MONITOR = 8;

/** Evidence from a probe is validated before it is stored, because probes are not trusted. */
const isEvidence = getValidator(httpEvidenceSchema, { isText: false });
const isRoute = getValidator(routeSchema, { isText: false });

export function createEvidenceMemory(maxCharacters = MAX_CHARACTERS): EvidenceMemory {
  /** In the order of their last results. */
  const byMonitor = new Map<number, Remembered[]>();
  let characters = 0;
  const take = (monitorId: number): Remembered[] => {
    const known = byMonitor.get(monitorId) ?? [];
    byMonitor.delete(monitorId);
    for (const { content } of known) characters -= content.length;
    return known;
  };
  const add = (one: Remembered) => {
    const others = take(one.monitorId).filter(
      ({ at, location }) => at !== one.at || location !== one.location,
    );
    const newest = [...others, one].slice(-MAX_OF_MONITOR);
    for (const { content } of newest) characters += content.length;
    byMonitor.set(one.monitorId, newest);
    for (const oldest of byMonitor.keys()) {
      if (characters <= maxCharacters) return;
      take(oldest);
    }
  };
  return {
    note(results) {
      for (const result of results) {
        const { monitorId, location, scheduledAt: at } = result;
        const known = byMonitor.get(monitorId)?.find((one) => one.at === at && one.location === location);
        const content = result.route === undefined ? contentOf(result) : routed(known, result);
        if (content !== null) add({ monitorId, location, at, content });
      }
    },
    has: (monitorId) => byMonitor.has(monitorId),
    take: (monitorId) => take(monitorId).sort((a, b) => a.at - b.at),
  };
}

/** The route that comes after a failure; null where there is none, or it is not as it should be. */
const routeOf = ({ route, verdict }: ProbeResult): Route | null =>
  route !== undefined && verdict === "failed" && isRoute(route) ? route : null;

/** What is known already, with the route that came for it. */
function routed(known: Remembered | undefined, result: ProbeResult): string | null {
  const route = routeOf(result);
  return known === undefined || route === null ? null : withRoute(known.content, route);
}

/** What a failed check saw, and the way to where it failed. JSON. */
const withRoute = (content: string, route: Route): string =>
  JSON.stringify({ ...JSON.parse(content), route });

/** Null where there is none, or it is not as it should be. */
function contentOf(result: ProbeResult): string | null {
  const { evidence, reason, statusCode, address, protocol, phases } = result;
  if (evidence === undefined || result.verdict !== "failed" || !isEvidence(evidence)) return null;
  const content = JSON.stringify({ reason, statusCode, address, protocol, phases, ...evidence });
  return content.length > MAX_CONTENT ? null : content;
}

declare module "../platform/context.ts" {
  interface Context {
    /** What failed checks saw, until it is known whether an outage begins. Absent where no engine runs. */
    evidence?: EvidenceMemory;
  }
}

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
