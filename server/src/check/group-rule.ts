import { excerpt, fact } from "../texts/fact.ts";
import type { Derived, MemberState } from "./check.ts";
import type { Reason } from "./reasons.ts";

/** When a group is up: when all of its members are, any of them, or as many as `count` says. */
export const GROUP_RULES = ["all", "any", "count"] as const;
export type GroupRule = (typeof GROUP_RULES)[number];

const MOST_NAMES = 3;

/**
 * What the members' states come to (docs/status.md). Those that are paused or in maintenance are left out, and no more
 * are needed than remain. A group is up when the rule holds by those that are up; degraded when it holds only together
 * with degraded ones; down when it does not hold whatever the unknown ones are; and else unknown itself.
 */
export function judgeMembers(
  { rule, count }: { rule: GroupRule; count: number },
  members: readonly MemberState[],
): Derived {
  const watched = members.filter(({ isLeftOut }) => !isLeftOut);
  const total = watched.length;
  if (members.length === 0) return { verdict: null, reason: fact("members.none") };
  if (total === 0) return { verdict: null, reason: fact("members.left_out", { total: members.length }) };
  const needed = { all: total, any: 1, count: Math.min(count, total) }[rule];
  const { up = [], degraded = [], unknown = [], down = [] } = Object.groupBy(watched, ({ status }) => status);
  if (up.length >= needed) {
    return { verdict: "ok", reason: null, message: fact("members.up", { up: up.length, total }) };
  }
  if (up.length + degraded.length >= needed) {
    return { verdict: "degraded", reason: named("degraded", degraded, total) };
  }
  if (total - down.length >= needed) return { verdict: null, reason: named("unknown", unknown, total) };
  return { verdict: "failed", reason: named("down", down, total) };
}

/** Each with and without more members than are named. */
const CODES = {
  down: ["members.down", "members.down_many"],
  degraded: ["members.degraded", "members.degraded_many"],
  unknown: ["members.unknown", "members.unknown_many"],
} as const;

/** So many are like that, the first few by name. */
function named(state: keyof typeof CODES, members: readonly MemberState[], total: number): Reason {
  const [few, many] = CODES[state];
  const names = members.slice(0, MOST_NAMES).map(({ name }) => excerpt(name));
  const said = { count: members.length, total, names: names.join(", ") };
  const more = members.length - names.length;
  return more > 0 ? fact(many, { ...said, more }) : fact(few, said);
}
