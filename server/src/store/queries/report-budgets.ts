import { type ErrorBudget, errorBudget, type Objective, objectiveStart } from "../../status/error-budget.ts";
import type { Db } from "../db.ts";
import { statusHistory } from "./transitions.ts";

/** What a monitor has of its objective; null: it has none. */
export interface ReportedBudget {
  objective: Objective | null;
  /** What was left of it when the report ended. */
  budget: ErrorBudget | null;
}

/** A monitor with its objective, as its row has it. */
interface Aimed {
  id: number;
  percent: number;
  days: number;
}

/** The error budgets of monitors at that time (milliseconds), over the days of each one's objective, in their order. */
export async function readBudgets(db: Db, monitors: readonly Aimed[], at: number): Promise<ReportedBudget[]> {
  const aimed = monitors.filter(({ percent }) => percent > 0);
  const from = Math.min(...aimed.map((one) => objectiveStart(one, at)), at);
  const ids = aimed.map(({ id }) => id);
  const histories = ids.length === 0 ? new Map() : await statusHistory(db, ids, from, at);
  return monitors.map(({ id, percent, days }) => {
    if (percent === 0) return { objective: null, budget: null };
    const objective = { percent, days };
    return { objective, budget: errorBudget(histories.get(id) ?? [], objective, at) };
  });
}
