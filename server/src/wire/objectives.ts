import { type Static, Type } from "typebox";
import type { MonitorObjective as Standing } from "../monitor/monitor-objective.ts";
import type { ErrorBudget } from "../status/error-budget.ts";
import { nullable, oneOf, percent, percentage, Timestamp, timestamp } from "./field.ts";

const seconds = (description: string) => Type.Integer({ description: `${description} Seconds.` });

/** What an objective allows to be down, and what is left of that. */
const Budget = Type.Object(
  {
    allowedSeconds: seconds(
      "What the objective allows to be down: its part of all the days, without maintenance and what is unknown.",
    ),
    usedSeconds: seconds("Confirmed downtime outside maintenance."),
    leftSeconds: seconds("What is left; negative where more was used than is allowed."),
    leftPercentage: nullable(
      Type.Number({ examples: [62.5] }),
      "The same in percent of what is allowed; null where nothing is, because none of the time counts.",
    ),
    knownSeconds: seconds("How long the status was known outside maintenance: what the uptime is of."),
    uptimePercentage: percent("Time-weighted over the days of the objective."),
  },
  { title: "ErrorBudget" },
);

/** Of a monitor that may have no objective. */
export const BudgetOrNull = nullable(
  Budget,
  "What is left of its error budget, over the days of its objective; in a report, at its end. Null without an objective.",
);

const Burn = Type.Object(
  {
    seconds: Type.Integer({ description: "The span, back from now.", examples: [3600] }),
    rate: Type.Number({
      description:
        "How many times as fast as the budget lasts it was used in this span: at 1 it is used up exactly when its days are over.",
      examples: [0.4],
    }),
    limit: Type.Number({
      description: "From here on somebody is told, if the last twelfth of the span was as fast.",
      examples: [14.4],
    }),
    level: oneOf(["fast", "slow"], {
      description: "What they are told: `fast` is for now, `slow` for these days.",
    }),
  },
  { title: "BurnRate" },
);

/** GET /api/domains/{id}/monitoring/objective; of services likewise. */
export const MonitorObjective = Type.Object(
  {
    objective: Type.Number({
      description: "How much of the time it should be up, percent; 0: it has no objective.",
      examples: [99.9],
    }),
    objectiveDays: Type.Integer({ description: "Of how many days that is, back from now.", examples: [30] }),
    budget: BudgetOrNull,
    burnRates: Type.Array(Burn, { description: "The shortest span first; none without an objective." }),
    alert: nullable(
      Type.Object(
        {
          level: oneOf(["fast", "slow"]),
          since: Type.Unsafe<string>({ ...Timestamp, description: "Since when it has been this level." }),
        },
        { title: "BurnAlert" },
      ),
      "That its budget is being used up too fast, as somebody was told; null: it is not.",
    ),
  },
  { title: "MonitorObjective" },
);

const inSeconds = (ms: number): number => Math.round(ms / 1000);

/** A budget in whole seconds: what is used and what is left make up what is allowed. */
export function projectBudget(budget: ErrorBudget): Static<typeof Budget> {
  const allowedSeconds = inSeconds(budget.allowedMs);
  const usedSeconds = inSeconds(budget.usedMs);
  return {
    ...{ allowedSeconds, usedSeconds, leftSeconds: allowedSeconds - usedSeconds },
    leftPercentage: budget.leftPercent === null ? null : Math.floor(budget.leftPercent * 100) / 100,
    knownSeconds: inSeconds(budget.knownMs),
    uptimePercentage: percentage(budget.uptime),
  };
}

/** A burn rate in hundredths. */
export const projectRate = (rate: number): number => Math.round(rate * 100) / 100;

/** How a monitor stands by its objective. */
export const projectObjective = (standing: Standing): Static<typeof MonitorObjective> => ({
  objective: standing.objective,
  objectiveDays: standing.days,
  budget: standing.budget && projectBudget(standing.budget),
  burnRates: standing.burns.map(({ spanMs, rate, limit, level }) => ({
    ...{ seconds: inSeconds(spanMs), rate: projectRate(rate), limit, level },
  })),
  alert: standing.alert && { level: standing.alert.level, since: timestamp(standing.alert.since) },
});
