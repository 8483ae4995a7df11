import { isDeepStrictEqual } from "node:util";
import { type Derived, type DerivedKind, NOTHING_SEEN } from "../checks/check.ts";
import { OUTCOMES } from "../checks/outcome.ts";
import { checkKind, derivedTypes } from "../checks/registry.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import { LOCAL } from "../engine/probe/location-probe.ts";
import { readAssignments } from "../engine/queries/assignments.ts";
import type { WatchedMonitor } from "../engine/queries/states.ts";
import { lastCheck, type UnknownMonitor } from "../engine/status/advance-states.ts";
import { mayRead } from "../platform/access/check-access.ts";
import type { Context } from "../platform/context.ts";
import { appendEvents } from "../platform/database/events.ts";
import type { Db } from "../platform/database/schema.ts";
import type { FieldErrors } from "../platform/errors.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { eventOf, projectMonitorChange } from "../platform/live-events.ts";
import type { Running } from "../platform/operations/operation.ts";
import { inSlices } from "../platform/turns.ts";
import type { Derive } from "./data-path.ts";
import { lastCheckDetails } from "./queries/listed-monitors.ts";
import {
  groupsOf,
  groupsWithDeleted,
  leadingTo,
  listReleasable,
  listWatched,
  lockGroups,
  membersOf,
  readMembers,
  removeDeletedMembers,
  type StoredMember,
  saveGroupConfig,
} from "./queries/monitor-changes.ts";
import { findMonitors, type NamedMonitor } from "./queries/monitors.ts";
import type { MonitorSettings } from "./settings.ts";

/** Groups in groups, the innermost and the outermost counted. */
const MOST_LEVELS = 5;
const FIELD = "protocolConfig";

/**
 * The monitors of the caller's organization that the settings of a group name as its members, none for other kinds. Notes
 * under `problems` what cannot be. Call it with the organization locked: two changes could make a circle together.
 * `groupId` null: it is new.
 */
export async function findMembers(
  ctx: Running,
  groupId: number | null,
  { type, config }: MonitorSettings,
  problems: FieldErrors,
): Promise<number[]> {
  const kind = checkKind(type);
  const isInvalid = Object.keys(problems).some((field) => field.startsWith(FIELD));
  if (!kind || !("derived" in kind) || isInvalid) return [];
  const report = (field: string, what: MessageDescriptor) =>
    void (problems[`${FIELD}.${field}`] ??= []).push(what);
  for (const [field, what] of Object.entries(kind.derived.problems(config as never))) report(field, what);
  const uuids = kind.derived.members(config as never);
  const refs = uuids.map((uuid) => ({ uuid }));
  const { organizationId } = ctx.caller;
  const candidates = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const found = new Set(candidates.map(({ uuid }) => uuid));
  for (const uuid of uuids) if (!found.has(uuid)) report("members", msg("member.unknown", { uuid }));
  const problem = await nestingProblem(ctx.db, groupId, candidates);
  if (problem) report("members", problem);
  return candidates.map(({ id }) => id);
}

/** Whether the group would contain itself, or be nested too deep. */
async function nestingProblem(
  db: Db,
  groupId: number | null,
  members: readonly NamedMonitor[],
): Promise<MessageDescriptor | null> {
  if (members.some(({ id }) => id === groupId)) return msg("member.itself");
  const leads = new Map(members.map(({ id, name }) => [id, name]));
  let below = 1;
  for (let level = [...leads.keys()]; level.length > 0 && below <= MOST_LEVELS; ) {
    const edges = await membersOf(db, level);
    for (const [from, to] of edges) {
      const name = leads.get(from) ?? "";
      if (to === groupId) return msg("member.cycle", { name });
      leads.set(to, name);
    }
    level = [...new Set(edges.map(([, to]) => to))];
    if (level.length > 0) below += 1;
  }
  let above = 0;
  for (let level = groupId === null ? [] : [groupId]; level.length > 0 && above <= MOST_LEVELS; ) {
    level = [...new Set((await groupsOf(db, level)).map(([, to]) => to))];
    if (level.length > 0) above += 1;
  }
  const depending =
    groupId === null
      ? []
      : await leadingTo(
          db,
          members.map(({ id }) => id),
          groupId,
        );
  const [dependent] = members.filter(({ id }) => depending.includes(id));
  if (dependent) return msg("parent.member", { name: dependent.name });
  return below + above > MOST_LEVELS ? msg("member.deep", { limit: MOST_LEVELS }) : null;
}

/** Evaluated in one transaction; with a hundred members each some milliseconds of work. */
const SLICE = 20;

/** What has happened to monitors that others may be derived from. */
export interface Followed {
  /** Their status changed, or they themselves did. */
  changed(monitorId: number): void;
  /** Evaluates the groups of changed members, and those not evaluated for an interval. Throws the store's error. */
  look(): Promise<void>;
}

/**
 * Lets groups follow their members. Every process receives every change and evaluates it; the second one finds nothing new.
 * Changes made while no process ran are found by the first evaluation.
 */
export function followMembers(ctx: Context): Followed {
  let changed = new Set<number>();
  let isFirst = true;
  return {
    changed: (monitorId) => void changed.add(monitorId),
    async look() {
      const taken = changed;
      changed = new Set();
      try {
        const { db } = ctx.store;
        const due = isFirst ? null : { at: ctx.clock.now() };
        const concerned = (await groupsOf(db, [...taken])).map(([, group]) => group);
        const watched = await listWatched(db, { types: derivedTypes, due });
        await evaluateDerived(ctx, [...new Set([...taken, ...concerned, ...watched])]);
        isFirst = false;
      } catch (error) {
        for (const id of taken) changed.add(id);
        throw error;
      }
    },
  };
}

/** Evaluates those of these monitors that are derived from others; what fails keeps no other from it, and is thrown at the end. */
async function evaluateDerived(ctx: Context, monitorIds: readonly number[]): Promise<void> {
  const derived = (await readAssignments(ctx.store.db, monitorIds)).filter(({ type }) =>
    derivedTypes.includes(type),
  );
  const ids = derived.map(({ monitorId }) => monitorId).toSorted((a, b) => a - b);
  const failures: unknown[] = [];
  await inSlices(ids, SLICE, async (part) => {
    await forgetDeletedMembers(ctx, part)
      .then(() => ctx.dataPath.ingestDerived(ctx, part, derive))
      .catch((error: unknown) => void failures.push(error));
  });
  if (failures.length > 0) throw failures[0];
}

/** The status of these groups where it is new: it differs from the last evaluation, or that was an interval ago. */
const derive: Derive = async (trx, monitors, now) => {
  const ids = monitors.map(({ monitorId }) => monitorId);
  const members = await readMembers(trx, ids);
  const assignments = new Map((await readAssignments(trx, ids)).map((one) => [one.monitorId, one]));
  const results: ProbeResult[] = [];
  const unknowns: UnknownMonitor[] = [];
  for (const monitor of monitors) {
    const { monitorId, state } = monitor;
    const assignment = assignments.get(monitorId);
    const kind = assignment && checkKind(assignment.type);
    if (!kind || !("derived" in kind) || state.watchedSince === null) continue;
    const found = evaluateGroup(kind, assignment.config, members.get(monitorId) ?? []);
    const result = resultOf(monitor, found, now);
    if (!hasChanged(monitor, result, now)) continue;
    if (found.verdict === null) unknowns.push({ monitor, reason: found.reason, last: lastCheck(result) });
    else results.push(result);
  }
  return { results, unknowns };
};

/** Members in the order in which they were set. */
function evaluateGroup(kind: DerivedKind, config: object, members: readonly StoredMember[]): Derived {
  const byUuid = new Map(members.map((member) => [member.uuid, member]));
  const ordered = kind.derived.members(config as never).flatMap((uuid) => byUuid.get(uuid) ?? []);
  const states = ordered.map(({ name, status, enabled, maintenance }) => ({
    ...{ name, status },
    isLeftOut: !enabled || maintenance,
  }));
  return kind.derived.evaluate(config as never, states);
}

/** At `now`, but later than the last one, also where the clock was set back a little. */
function resultOf(
  { monitorId, revision, config, last }: WatchedMonitor,
  found: Derived,
  now: number,
): ProbeResult {
  const lastAt = last.at ?? 0;
  const isAhead = lastAt > now + config.intervalMs;
  return {
    monitorId,
    revision,
    location: LOCAL.code,
    scheduledAt: isAhead ? now : Math.max(now, lastAt + 1),
    verdict: found.verdict ?? "probe_fault",
    reason: found.reason,
    ...(found.message && { message: found.message }),
    ...NOTHING_SEEN,
  };
}

function hasChanged({ state, config, last }: WatchedMonitor, result: ProbeResult, now: number): boolean {
  if (last.at === null || last.result === null) return true;
  if (Math.abs(now - last.at) >= config.intervalMs) return true;
  const outcome = OUTCOMES[result.verdict];
  if (last.outcome !== outcome.stored) return true;
  // Resumed, or not voted for since nothing could be said of it.
  const vote = state.locations[LOCAL.code]?.vote ?? "stale";
  if (result.verdict === "probe_fault" ? state.status !== "unknown" : vote === "stale") return true;
  const { reason, message = null } = lastCheckDetails(last.result);
  return !isDeepStrictEqual([reason, message], [result.reason, result.message ?? null]);
}

/**
 * Removes deleted members from these groups. In a transaction of its own: deleting a monitor holds locks that this would have
 * to wait for, and the other way round.
 */
async function forgetDeletedMembers(ctx: Context, groupIds: readonly number[]): Promise<void> {
  const concerned = await groupsWithDeleted(ctx.store.db, groupIds);
  if (concerned.length === 0) return;
  const now = ctx.clock.now();
  await ctx.store.transaction(async (trx) => {
    for (const { id, organizationId, kind: of, type, config } of await lockGroups(trx, concerned)) {
      const remaining = await removeDeletedMembers(trx, id);
      const kind = checkKind(type);
      if (!kind || !("derived" in kind)) continue;
      const members = kind.derived.members(config as never).filter((uuid) => remaining.has(uuid));
      await saveGroupConfig(trx, id, kind.derived.withMembers(config as never, members));
      const payload = projectMonitorChange([id]);
      appendEvents(trx, [{ organizationId, type: eventOf(of, "monitor.changed"), payload }], now);
    }
  });
  ctx.live.wake();
}

/**
 * The monitors of the caller's organization that another is to depend on, by their uuids; null where none were sent. Notes
 * under `problems` what cannot be. Call it with the organization locked: two changes could make a circle together.
 * `monitorId` null: it is new.
 */
export async function findParents(
  ctx: Running,
  monitorId: number | null,
  uuids: readonly string[] | undefined,
  problems: FieldErrors,
): Promise<number[] | null> {
  if (uuids === undefined) return null;
  const report = (what: MessageDescriptor) => void (problems["parents"] ??= []).push(what);
  const { organizationId } = ctx.caller;
  const refs = uuids.map((uuid) => ({ uuid }));
  const found = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const known = new Set(found.map(({ uuid }) => uuid));
  for (const uuid of uuids) if (!known.has(uuid)) report(msg("parent.unknown", { uuid }));
  const ids = found.map(({ id }) => id);
  if (monitorId === null || ids.length === 0) return ids;
  if (ids.includes(monitorId)) report(msg("parent.itself"));
  const circular = await leadingTo(ctx.db, ids, monitorId);
  for (const { id, name } of found) {
    if (id !== monitorId && circular.includes(id)) report(msg("parent.cycle", { name }));
  }
  return ids;
}

/** Locked together, for as long as their histories are written. */
const RELEASED_SLICE = 200;

/**
 * Lets monitors that are held back go on once their parents are up again, were paused or deleted, or are no longer their
 * parents, and ends waiting for a parent. Every process does it, and finds under the monitors' locks whether another has done
 * it already; what happened while none ran is found by the first look.
 */
export async function followParents(ctx: Context): Promise<void> {
  await inSlices(await listReleasable(ctx.store.db), RELEASED_SLICE, (part) =>
    ctx.dataPath.crossParents(ctx, part),
  );
}
