import { LATE_MS, type SoakRun, secondOf } from "./soak-run.ts";
import { isBad, type Phase } from "./soak-script.ts";
import type { TransitionRow } from "./soak-stored.ts";

/** What the decision itself may take beside checks, intervals and the wait before a recheck. */
const DECISION_MS = 3_000;

/** A time in which a target was bad without a break. */
interface Outage {
  from: number;
  to: number;
}

function outagesOf(phases: readonly Phase[], run: SoakRun): Outage[] {
  return phases.flatMap(({ fromMs, mode }, index) => {
    const to = Math.min(run.beganAt + (phases[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY), run.endedAt);
    return isBad(mode) && run.beganAt + fromMs < run.endedAt ? [{ from: run.beganAt + fromMs, to }] : [];
  });
}

/** How long something must last to be found for certain: a turn of the schedule, two checks, and what kills took. */
function certainMs(run: SoakRun, from: number): number {
  const plain = run.intervalMs + 2 * run.timeoutMs + run.recheckDelayMs + DECISION_MS;
  const gone = run.kills
    .filter((kill) => kill.from < from + 2 * plain && kill.to > from - plain)
    .reduce((sum, kill) => sum + run.intervalMs + kill.to - kill.from, 0);
  return plain + gone;
}

/** Every outage of the script against every change of status; detection times ascending, milliseconds. */
export function judgeStatus(run: SoakRun, transitions: readonly TransitionRow[]) {
  const found = { outages: 0, missedOutages: 0, missedRecoveries: 0, falseAlarms: 0, repeatedTransitions: 0 };
  const detectionMs: number[] = [];
  const examples: string[] = [];
  const inTime = transitions.filter((row) => row.at < run.endedAt);
  const byMonitor = Map.groupBy(inTime, (row) => row.monitorId);
  for (const [site, phases] of run.script.entries()) {
    const own = byMonitor.get(run.ids[site] as number) ?? [];
    const alarms = own.filter((row) => row.toStatus === "down");
    const outages = outagesOf(phases, run);
    found.repeatedTransitions += own.filter((row, index) => row.toStatus === own[index - 1]?.toStatus).length;
    for (const [index, { from, to }] of outages.entries()) {
      const alarm = alarms.find((row) => row.at >= from - LATE_MS && row.at <= to);
      found.outages += 1;
      if (alarm) detectionMs.push(alarm.detectedAt - from);
      else if (to - from > certainMs(run, from)) found.missedOutages += 1;
      const peaceTo = outages[index + 1]?.from ?? run.endedAt;
      const recovered = own.some((row) => row.toStatus !== "down" && row.at > from && row.at <= peaceTo);
      // Two successes, a turn of the schedule apart.
      const needed = certainMs(run, to) + run.intervalMs;
      if (alarm && !recovered && peaceTo - to > needed) found.missedRecoveries += 1;
    }
    for (const row of alarms) {
      // A check that began in the outage may time out after its end.
      const isTrue = ({ from, to }: Outage) =>
        row.at - run.timeoutMs <= to && row.at >= from - LATE_MS - DECISION_MS;
      if (outages.some(isTrue)) continue;
      found.falseAlarms += 1;
      examples.push(describeAlarm(run, site, row, outages));
    }
  }
  return { ...found, examples, detectionMs: detectionMs.sort((a, b) => a - b) };
}

function describeAlarm(run: SoakRun, site: number, row: TransitionRow, outages: readonly Outage[]): string {
  const second = (at: number) => secondOf(run, at);
  const bad = outages.map(({ from, to }) => `${second(from)}-${second(to)}`).join(", ");
  const asked = run.served
    .filter(([other, at]) => other === site && Math.abs(at - row.at) < 2 * run.intervalMs)
    .map(([, at, mode]) => `${second(at)} ${mode}`);
  const said = `down from ${second(row.at)}, said at ${second(row.detectedAt)}: ${row.reason}`;
  return `site ${site} ${said}; bad ${bad || "never"}; asked ${asked.join(", ")}`;
}
