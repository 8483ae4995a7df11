import type { MonitorReportShape } from "../../wire/reports/monitors.ts";
import type { DocumentTable } from "./document.ts";
import { end, start, tableOf } from "./parts.ts";
import type { Writing } from "./writing.ts";

type Item = MonitorReportShape["items"][number];
/** A monitor with an objective. */
type Aimed = Item & { budget: NonNullable<Item["budget"]> };

/** The monitors that have one, the least left first. */
export function budgetsOf({ items }: MonitorReportShape): Aimed[] {
  const left = ({ budget }: Aimed) => budget.leftPercentage ?? 100;
  return items.filter((item): item is Aimed => item.budget !== null).toSorted((a, b) => left(a) - left(b));
}

/** What each one's objective allows to be down, what is left of that, and how fast it went. */
export function budgetTable(monitors: readonly Aimed[], writing: Writing): DocumentTable {
  const { say, percent, seconds, share, count, times } = writing;
  const goal = ({ objective, objectiveDays }: Aimed) =>
    say("objectiveOf", { percent: share(objective), days: count(objectiveDays ?? 0) });
  const length = (value: number) => (value < 0 ? `-${seconds(-value)}` : seconds(value));
  return tableOf(
    {
      title: say("table.budgets"),
      columns: [
        ...[start(say("name"), 2.2), start(say("objective"), 1.4), end(say("allowed"), 1.2)],
        ...[end(say("left"), 1.2), end(say("leftShare"), 1.1), end(say("burnRate"))],
      ],
      rows: monitors.map((item) => [
        ...[item.name, goal(item), seconds(item.budget.allowedSeconds), length(item.budget.leftSeconds)],
        ...[percent(item.budget.leftPercentage), times(item.burnRate)],
      ]),
    },
    writing,
  );
}
