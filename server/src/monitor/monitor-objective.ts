import { BURN_RULES, type BurnLevel, spansOf } from "../status/burn-alert.ts";
import { burnRate, type ErrorBudget, errorBudget, objectiveStart } from "../status/error-budget.ts";
import { readObjectiveAlert } from "../store/queries/incident-report.ts";
import type { Monitor } from "../store/queries/monitors.ts";
import { statusHistory } from "../store/queries/transitions.ts";
import type { Running } from "../verb/verb.ts";

/** How fast the last `spanMs` went through the budget. Milliseconds. */
export interface MonitorBurn {
  spanMs: number;
  rate: number;
  /** From where on somebody is told, if the last twelfth of the span was as fast. */
  limit: number;
  level: BurnLevel;
}

/** How a monitor stands by its objective. */
export interface MonitorObjective {
  /** Percent; 0: it has none, and everything else is null. */
  objective: number;
  days: number;
  budget: ErrorBudget | null;
  burns: MonitorBurn[];
  /** What was told of it and is not over. Milliseconds. */
  alert: { level: BurnLevel; since: number } | null;
}

/** A monitor's error budget now, what it is being used up at, and whether somebody was told. */
export async function monitorObjective(
  { db, clock }: Running,
  { id, objective: percent, objectiveDays: days }: Pick<Monitor, "id" | "objective" | "objectiveDays">,
): Promise<MonitorObjective> {
  if (percent === 0) return { objective: 0, days, budget: null, burns: [], alert: null };
  const objective = { percent, days };
  const now = clock.now();
  const history = (await statusHistory(db, [id], objectiveStart(objective, now), now)).get(id) ?? [];
  const alert = await readObjectiveAlert(db, id);
  return {
    objective: percent,
    days,
    budget: errorBudget(history, objective, now),
    burns: BURN_RULES.map((rule) => {
      const { longMs: spanMs } = spansOf(rule, objective);
      const rate = burnRate(history, objective, { now, spanMs });
      return { spanMs, rate, limit: rule.rate, level: rule.level };
    }),
    alert:
      alert === null || alert.state === "quiet"
        ? null
        : { level: alert.state === "slow" ? "slow" : "fast", since: alert.since },
  };
}
