import { mayRead } from "../account/access.ts";
import { checkKind } from "../check/registry.ts";
import type { FieldErrors } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { groupsOf, leadingTo, membersOf } from "../store/queries/monitor-changes.ts";
import { findMonitors, type NamedMonitor } from "../store/queries/monitors.ts";
import { type Fact, fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";
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
  const isJudged = Object.keys(problems).some((field) => field.startsWith(FIELD));
  if (!kind || !("derived" in kind) || isJudged) return [];
  const report = (field: string, what: Fact) => void (problems[`${FIELD}.${field}`] ??= []).push(what);
  for (const [field, what] of Object.entries(kind.derived.problems(config as never))) report(field, what);
  const uuids = kind.derived.members(config as never);
  const refs = uuids.map((uuid) => ({ uuid }));
  const { organizationId } = ctx.caller;
  const candidates = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const found = new Set(candidates.map(({ uuid }) => uuid));
  for (const uuid of uuids) if (!found.has(uuid)) report("members", fact("member.unknown", { uuid }));
  const problem = await nestingProblem(ctx.db, groupId, candidates);
  if (problem) report("members", problem);
  return candidates.map(({ id }) => id);
}

/** Whether the group would contain itself, or be nested too deep. */
async function nestingProblem(
  db: Db,
  groupId: number | null,
  members: readonly NamedMonitor[],
): Promise<Fact | null> {
  if (members.some(({ id }) => id === groupId)) return fact("member.itself");
  const leads = new Map(members.map(({ id, name }) => [id, name]));
  let below = 1;
  for (let level = [...leads.keys()]; level.length > 0 && below <= MOST_LEVELS; ) {
    const edges = await membersOf(db, level);
    for (const [from, to] of edges) {
      const name = leads.get(from) ?? "";
      if (to === groupId) return fact("member.cycle", { name });
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
  if (dependent) return fact("parent.member", { name: dependent.name });
  return below + above > MOST_LEVELS ? fact("member.deep", { limit: MOST_LEVELS }) : null;
}
