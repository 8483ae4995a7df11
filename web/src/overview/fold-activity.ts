import type { Activity } from "../api/overview.ts";
import { type ActivityWord, activityWord, groupActivity } from "./activity-words.ts";

export interface ActivityLine {
  /** The place of its newest change among all that have been read. */
  at: number;
  word: ActivityWord | "offline" | "flapping";
  /** How many changes it covers; more than 1 only where they share a line. */
  count: number;
  /** It ends with what has been read, and may have begun before. */
  isCut: boolean;
  /** From when to when, milliseconds: of `offline` and `flapping`. */
  span: Span | null;
}

interface Span {
  fromMs: number;
  toMs: number;
}

/** A line, and the places of the changes that it covers. */
interface Fold {
  line: ActivityLine;
  members: readonly number[];
}

/** As often as the server calls it flapping (engine/status/flapping.ts). */
const fewestChanges = 4;
/** Changes of one monitor that follow each other this closely belong together. */
const flappingGapMs = 600_000;
/** Monitors are checked at different times: what fell silent this soon after another did so for the same reason. */
const restartGapMs = 60_000;

/**
 * Newest first, as `items`: times without checks are one line for all monitors, flapping one a monitor, bulk
 * actions one.
 */
export function foldActivity(items: readonly Activity[]): ActivityLine[] {
  const offline = foldOffline(items);
  const isOffline = new Set(offline.flatMap(({ members }) => members));
  const folds = [...offline, ...foldFlapping(items, isOffline)];
  const isFolded = new Set(folds.flatMap(({ members }) => members));
  const places = items.flatMap((_, at) => (isFolded.has(at) ? [] : [at]));
  const single = groupActivity(places.map((at) => items[at] as Activity)).map((group) => ({
    ...group,
    at: places[group.at] as number,
    isCut: group.at + group.count === places.length,
    span: null,
  }));
  return [...folds.map(({ line }) => line), ...single].toSorted((one, other) => one.at - other.at);
}

function foldOffline(items: readonly Activity[]): Fold[] {
  const silences = items.flatMap((_, at) => silenceAt(items, at) ?? []);
  const groups: (typeof silences)[] = [];
  for (const silence of silences.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = groups.at(-1);
    const until = Math.max(...(last ?? []).map(({ toMs }) => toMs));
    if (last && silence.fromMs <= until + restartGapMs) last.push(silence);
    else groups.push([silence]);
  }
  return groups.map((group) => {
    const members = group.flatMap((silence) => silence.members);
    const latest = Math.max(...group.map(({ fromMs }) => fromMs));
    // Over as soon as the first one reported again.
    const toMs = Math.min(...group.map((silence) => silence.toMs).filter((at) => at >= latest));
    const span = { fromMs: group[0]?.fromMs ?? latest, toMs };
    return { members, line: lineOf("offline", members, span) };
  });
}

/** A monitor that fell silent with the change at this place and reported again; null for any other change. */
function silenceAt(items: readonly Activity[], at: number): (Span & { members: number[] }) | null {
  const silent = items[at] as Activity;
  if (activityWord(silent) !== "silent") return null;
  const endAt = items.findLastIndex((item, index) => index < at && item.monitorId === silent.monitorId);
  const end = items[endAt];
  if (!end || end.previousStatus !== "unknown") return null;
  // A change that was found afterwards gets a line of its own.
  const members = end.status === silent.previousStatus ? [at, endAt] : [at];
  return { fromMs: Date.parse(silent.timestamp), toMs: Date.parse(end.timestamp), members };
}

function foldFlapping(items: readonly Activity[], isTaken: ReadonlySet<number>): Fold[] {
  const byMonitor = Map.groupBy(
    items.flatMap((item, at) => (isTaken.has(at) ? [] : [{ at, item }])),
    ({ item }) => item.monitorId,
  );
  return [...byMonitor.values()].flatMap((changes) =>
    runsOf(changes)
      .filter((run) => run.length >= fewestChanges)
      .map((run) => {
        const times = run.map(({ item }) => Date.parse(item.timestamp));
        const members = run.map(({ at }) => at);
        const span = { fromMs: Math.min(...times), toMs: Math.max(...times) };
        return { members, line: lineOf("flapping", members, span) };
      }),
  );
}

/** Outages and recoveries of one monitor that follow each other closely. */
function runsOf<Change extends { item: Activity }>(changes: readonly Change[]): Change[][] {
  const runs: Change[][] = [[]];
  let lastMs = Infinity;
  for (const change of changes) {
    const word = activityWord(change.item);
    const atMs = Date.parse(change.item.timestamp);
    const isTurn = word === "down" || word === "recovered";
    if (!isTurn || lastMs - atMs > flappingGapMs) runs.push([]);
    if (isTurn) runs.at(-1)?.push(change);
    lastMs = atMs;
  }
  return runs;
}

const lineOf = (word: ActivityLine["word"], members: readonly number[], span: Span): ActivityLine => ({
  at: Math.min(...members),
  word,
  count: members.length,
  isCut: false,
  span,
});
