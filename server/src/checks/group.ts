import { type Static, Type } from "typebox";
import { excerpt, type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { Derived, DerivedKind, MemberState } from "./check.ts";
import type { Reason } from "./reasons.ts";

/** When a group is up: when all of its members are, any of them, or as many as `count` says. */
export const GROUP_RULES = ["all", "any", "count"] as const;
type GroupRule = (typeof GROUP_RULES)[number];

const MOST_NAMES = 3;

/**
 * docs/status.md. Paused members and those in maintenance are left out, and no more are needed than remain.
 * Up: the rule holds by members that are up; degraded: only with degraded ones; down: whatever the unknown
 * ones are; else unknown.
 */
export function evaluateMembers(
  { rule, count }: { rule: GroupRule; count: number },
  members: readonly MemberState[],
): Derived {
  const watched = members.filter(({ isLeftOut }) => !isLeftOut);
  const total = watched.length;
  if (members.length === 0) return { verdict: null, reason: msg("members.none") };
  if (total === 0) return { verdict: null, reason: msg("members.left_out", { total: members.length }) };
  const needed = { all: total, any: 1, count: Math.min(count, total) }[rule];
  const { up = [], degraded = [], unknown = [], down = [] } = Object.groupBy(watched, ({ status }) => status);
  if (up.length >= needed) {
    return { verdict: "ok", reason: null, message: msg("members.up", { up: up.length, total }) };
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
  return more > 0 ? msg(many, { ...said, more }) : msg(few, said);
}

const MOST_MEMBERS = 100;

const groupConfigSchema = Type.Object(
  {
    members: Type.Array(Type.String({ format: "uuid" }), {
      minItems: 1,
      maxItems: MOST_MEMBERS,
      uniqueItems: true,
      description:
        "Uuids of the domains and services that the group is made of; other groups, too. One that is deleted leaves the group.",
      "x-refers": "monitors",
    }),
    rule: Type.Optional(
      Type.Enum([...GROUP_RULES], {
        default: "all",
        description:
          "When the group is up: when `all` of its members are, when `any` of them is, or when at least `count` of them are.",
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_MEMBERS,
        default: 1,
        description: "How many must be up; at most as many as there are members.",
        "x-when": { rule: ["count"] },
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Group",
    description:
      "Follows other monitors: it is up, degraded or down by a rule over their confirmed states, and changes as soon as they do. It makes no checks of its own. Members that are paused or in maintenance are left out.",
  },
);

type GroupConfig = Static<typeof groupConfigSchema>;

const ruleOf = ({ rule = "all", count = 1 }: GroupConfig) => ({ rule, count });

/** Not how many there are: it must stay what it is when a member is deleted. */
function target(config: GroupConfig): string {
  const { rule, count } = ruleOf(config);
  return rule === "count" ? `≥ ${count}` : rule;
}

export const checkGroup: DerivedKind<GroupConfig> = {
  type: "group",
  phases: [],
  configSchema: groupConfigSchema,
  target,
  defaults: { confirmations: 1, recoveries: 1 },
  complete: (config) => {
    const { members } = config as Partial<GroupConfig>;
    return Array.isArray(members) ? { ...config, members: members.map(inLowerCase) } : config;
  },
  derived: {
    members: ({ members }) => members,
    withMembers: (config, members) => ({ ...config, members }),
    problems(config): Record<string, MessageDescriptor> {
      const { rule, count } = ruleOf(config);
      const limit = config.members.length;
      return rule === "count" && count > limit ? { count: msg("member.count", { limit }) } : {};
    },
    evaluate: (config, members) => evaluateMembers(ruleOf(config), members),
  },
};

/** What is no text is the schema's to refuse. */
const inLowerCase = (uuid: unknown) => (typeof uuid === "string" ? uuid.toLowerCase() : uuid) as string;
