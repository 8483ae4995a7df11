import { type Static, Type } from "typebox";
import { type Fact, fact } from "../texts/fact.ts";
import type { DerivedKind } from "./check.ts";
import { GROUP_RULES, judgeMembers } from "./group-rule.ts";

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

/** Other monitors, taken together. */
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
    problems(config): Record<string, Fact> {
      const { rule, count } = ruleOf(config);
      const limit = config.members.length;
      return rule === "count" && count > limit ? { count: fact("member.count", { limit }) } : {};
    },
    judge: (config, members) => judgeMembers(ruleOf(config), members),
  },
};

/** What is no text is the schema's to refuse. */
const inLowerCase = (uuid: unknown) => (typeof uuid === "string" ? uuid.toLowerCase() : uuid) as string;
