import type { StatusPeriod } from "../../api/monitor.ts";
import type { TimeSpan } from "../../components/chart-data.ts";

/** A monitor's event, shown in one line; milliseconds. `toMs` null: it goes on. */
export interface StatusEvent {
  kind: "down" | "degraded" | "offline" | "paused" | "maintenance" | "flapping";
  fromMs: number;
  toMs: number | null;
  /** Why it was down or degraded. */
  reason: string | null;
  reasonFact: StatusPeriod["reasonFact"];
  /** How many outages and recoveries, where they share a line; else 0. */
  changes: number;
}

/** As often as the server calls it flapping (engine/status/flapping.ts), and how closely the changes follow each other. */
const fewestChanges = 4;
const flappingGapMs = 600_000;

/**
 * Newest first, as `periods`. An outage over a time without checks is one; many changes within minutes are
 * one line.
 */
export function statusEvents(periods: readonly StatusPeriod[]): StatusEvent[] {
  const events = periods.flatMap((period) => eventOf(period) ?? []);
  return foldFlapping(foldBreaks(foldParents(events)));
}

/** How often it went down or came back since a moment, milliseconds. */
export const changesSince = (periods: readonly StatusPeriod[], sinceMs: number): number =>
  periods.filter((period, at) => {
    const before = periods[at + 1];
    if (!before || !isMeasured(period) || !isMeasured(before)) return false;
    return (period.state === "down") !== (before.state === "down") && Date.parse(period.startedAt) >= sinceMs;
  }).length;

const isMeasured = ({ state }: StatusPeriod): boolean => state !== "unknown" && state !== "paused";

/** When it was down, for a chart; what goes on ends at `now`. */
export const outageSpans = (periods: readonly StatusPeriod[], now: number): TimeSpan[] =>
  periods.filter(({ state }) => state === "down").map((period) => spanOf(period, now));

/** When checks began again after nothing was checked. */
export const restartTimes = (periods: readonly StatusPeriod[]): number[] =>
  periods.filter(isOffline).flatMap(({ endedAt }) => (endedAt === null ? [] : [Date.parse(endedAt)]));

const isOffline = ({ state, reasonFact }: StatusPeriod): boolean =>
  state === "unknown" && reasonFact?.code === "watch.silent";

const spanOf = ({ startedAt, endedAt }: StatusPeriod, now: number): TimeSpan => ({
  fromMs: Date.parse(startedAt),
  toMs: endedAt === null ? now : Date.parse(endedAt),
});

function eventOf(period: StatusPeriod): StatusEvent | null {
  const kind = kindOf(period);
  if (kind === null) return null;
  const { startedAt, endedAt, reason, reasonFact } = period;
  const toMs = endedAt === null ? null : Date.parse(endedAt);
  return { kind, fromMs: Date.parse(startedAt), toMs, reason, reasonFact, changes: 0 };
}

function kindOf(period: StatusPeriod): StatusEvent["kind"] | null {
  const { state, maintenance } = period;
  if (isOffline(period)) return "offline";
  if (state === "paused") return "paused";
  if (state === "down" || state === "degraded") return state;
  return maintenance ? "maintenance" : null;
}

const parentCodes: ReadonlySet<string | undefined> = new Set([
  "watch.behind",
  "watch.released",
  "watch.notified",
]);

/** A parent's outage does not split an outage. Whether notifications were sent in the end says the newest that knows. */
function foldParents(events: readonly StatusEvent[]): StatusEvent[] {
  const folded: StatusEvent[] = [];
  for (const event of events) {
    const later = folded.at(-1);
    const code = later?.reasonFact?.code;
    if (
      later?.kind === "down" &&
      event.kind === "down" &&
      later.fromMs === event.toMs &&
      parentCodes.has(code)
    ) {
      const { toMs, reason, reasonFact } = later;
      folded[folded.length - 1] = {
        ...event,
        toMs,
        ...(code !== "watch.released" && { reason, reasonFact }),
      };
    } else folded.push(event);
  }
  return folded;
}

/** Two outages with nothing but silence between them are one. */
function foldBreaks(events: readonly StatusEvent[]): StatusEvent[] {
  const folded: StatusEvent[] = [];
  for (const event of events) {
    const at = folded.findLastIndex(({ kind }) => kind !== "offline");
    const later = folded[at];
    const silence = folded.at(-1);
    const isBreak =
      silence?.kind === "offline" && silence.toMs === later?.fromMs && silence.fromMs === event.toMs;
    if (isBreak && later?.kind === "down" && event.kind === "down") {
      folded[at] = { ...event, toMs: later.toMs };
    } else folded.push(event);
  }
  return folded;
}

function foldFlapping(events: readonly StatusEvent[]): StatusEvent[] {
  const folded: StatusEvent[] = [];
  for (let at = 0; at < events.length; ) {
    const length = runLength(events, at);
    const [newest, oldest] = [events[at], events[at + length - 1]] as [StatusEvent, StatusEvent];
    const changes = 2 * length - (newest.toMs === null ? 1 : 0);
    if (length > 1 && changes >= fewestChanges) {
      folded.push({ ...newest, kind: "flapping", fromMs: oldest.fromMs, changes });
      at += length;
    } else {
      folded.push(newest);
      at += 1;
    }
  }
  return folded;
}

/** How many outages from this place on follow each other closely. */
function runLength(events: readonly StatusEvent[], first: number): number {
  let length = 1;
  for (; ; length += 1) {
    const [later, earlier] = [events[first + length - 1], events[first + length]];
    if (later?.kind !== "down" || earlier?.kind !== "down" || earlier.toMs === null) return length;
    if (later.fromMs - earlier.toMs > flappingGapMs || earlier.toMs - earlier.fromMs > flappingGapMs) {
      return length;
    }
  }
}
