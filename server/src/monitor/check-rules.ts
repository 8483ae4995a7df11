import type { CheckKind } from "../check/check.ts";
import { checkKind } from "../check/registry.ts";
import { AGENT_TYPE } from "../check/told-types.ts";
import { agentRules } from "./agent-rules.ts";
import type { Changed, ConfigChange, Report } from "./config-change.ts";
import { httpRules } from "./http-rules.ts";
import { usualRules } from "./usual-rules.ts";

/** How the configuration of a kind of check is changed and shown. */
export interface CheckRules {
  /** What was sent applied, and what is wrong with it beside what the schema says. */
  change(change: ConfigChange, report: Report): Changed;
  /** The host that a configuration names, in this field; null: none. */
  host(config: object): { host: string; field: string } | null;
}

/** The kind of that type. Throws for an unknown one: a newer version's monitor. */
export function requireCheckKind(type: string): CheckKind {
  const kind = checkKind(type);
  if (!kind) throw new Error(`This version knows no check of type ${type}`);
  return kind;
}

/** Of kinds that need more than their schema says. */
const OWN_RULES: Readonly<Record<string, CheckRules>> = {
  http: httpRules as CheckRules,
  [AGENT_TYPE]: agentRules,
};

/** The rules of a kind of check. */
export const rulesOf = (type: string): CheckRules => OWN_RULES[type] ?? usualRules(requireCheckKind(type));
