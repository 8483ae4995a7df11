import { type BurnLevel, type BurnRule, spansOf } from "../../status/burn-alert.ts";
import { burnRate, errorBudget, type Objective } from "../../status/error-budget.ts";
import type { StopReason } from "../../status/pause.ts";
import type { StatusChange } from "../../status/uptime.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import type { ObjectiveEvent } from "../channel/filter.ts";
import { type Message, type MessageBudget, type MessageMonitor, newMessage } from "../channel/message.ts";

const DAY_MS = 86_400_000;

/** A message about what is left of a monitor's error budget. */
export type ObjectiveMessage = Message & { event: ObjectiveEvent };

/** A monitor with its objective, and how it was over the objective's days (`history` as `timeByStatus` takes it). */
export interface Judged {
  monitor: MessageMonitor;
  objective: Objective;
  history: readonly StatusChange[];
}

/** That the budget is being used up too fast, by the rule that says so. */
export function burningMessage(
  judged: Judged,
  { level, rule, now }: { level: BurnLevel; rule: BurnRule; now: number },
): ObjectiveMessage {
  const { monitor, objective, history } = judged;
  const { longMs } = spansOf(rule, objective);
  const rate = burnRate(history, objective, { now, spanMs: longMs });
  const share = Math.floor((100 * rate * longMs) / (objective.days * DAY_MS));
  const budget = budgetOf(judged, { level, now });
  return about(monitor, budget, {
    event: "objective.burning",
    type: level === "fast" ? "error" : "warning",
    severity: level === "fast" ? "high" : "medium",
    fact: { ...fact("notice.objective_burning", { share, span: longMs }), because: leftFact(budget) },
    at: now,
  });
}

/** That it no longer is. */
export function steadyMessage(judged: Judged, now: number): ObjectiveMessage {
  const budget = budgetOf(judged, { level: null, now });
  const said = { ...fact("notice.objective_steady"), because: leftFact(budget) };
  return about(judged.monitor, budget, {
    ...{ event: "objective.steady", type: "success", severity: "low", fact: said, at: now },
  });
}

/** That nobody watches it any more. `why` null: the monitor has no objective any more. */
export function unwatchedMessage(
  monitor: MessageMonitor,
  { why, now }: { why: StopReason | null; now: number },
): ObjectiveMessage {
  const reason = why === null ? fact("notice.no_objective") : fact(`watch.${why}`);
  const said = { ...fact("notice.objective_unwatched"), because: reason };
  return about(monitor, null, {
    ...{ event: "objective.steady", type: "info", severity: "low", fact: said, reason, at: now },
  });
}

/** What the bell says of it: with the monitor's name, which is in the title elsewhere. */
export const noticeFactOf = ({ event, fact: { because }, budget }: Message, name: string): Fact => ({
  ...(event === "objective.steady"
    ? fact("notice.budget_steady", { name })
    : fact(budget?.level === "slow" ? "notice.budget_slow" : "notice.budget_fast", { name })),
  ...(because && { because }),
});

type Known = Parameters<typeof newMessage>[0] & { event: ObjectiveEvent };

const about = (
  monitor: MessageMonitor,
  budget: MessageBudget | null,
  { event, ...known }: Known,
): ObjectiveMessage => ({
  ...newMessage({ ...known, event, monitor, budget: budget ?? { level: null, objective: null } }),
  event,
});

function budgetOf({ objective, history }: Judged, { level, now }: { level: BurnLevel | null; now: number }) {
  const { allowedMs, usedMs, leftMs } = errorBudget(history, objective, now);
  return { level, objective: { ...objective, allowedMs, usedMs, leftMs } };
}

/** What is left of it, and of what. */
function leftFact({ objective }: ReturnType<typeof budgetOf>): Fact {
  const { percent, days, allowedMs, leftMs } = objective;
  const known = { percent, days, allowed: Math.round(allowedMs) };
  if (leftMs < 0) return fact("notice.budget_spent", { ...known, over: Math.round(-leftMs) });
  return fact("notice.budget_left", { ...known, left: Math.round(leftMs) });
}
