import type { Activity } from "../api/overview.ts";

/** What happened, in one word: the key of its sentence. */
export type ActivityWord = "down" | "degraded" | "recovered" | "restored" | "up" | "paused" | "silent";

export function activityWord({ status, previousStatus, reason }: Activity): ActivityWord {
  if (status === "down" || status === "degraded") return status;
  if (status === "unknown") return reason === "paused" ? "paused" : "silent";
  if (previousStatus === "down") return "recovered";
  return previousStatus === "degraded" ? "restored" : "up";
}

/** Changes made by people to many domains at once, as opposed to what happens to each. */
const grouped: readonly ActivityWord[] = ["paused", "up"];
const atOnceMs = 10_000;
const fewestGrouped = 3;

/** Changes shown in one line; `at` is the place of the first, the newest, among all that have been read. */
export interface ActivityGroup {
  at: number;
  word: ActivityWord;
  /** 1 for a single change. */
  count: number;
}

/** Groups neighbours that say the same of many domains at the same moment. `items` newest first. */
export function groupActivity(items: readonly Activity[]): ActivityGroup[] {
  const groups: ActivityGroup[] = [];
  for (let at = 0; at < items.length; ) {
    const count = runLength(items, at);
    const shownCount = count < fewestGrouped ? 1 : count;
    groups.push({ at, word: activityWord(items[at] as Activity), count: shownCount });
    at += shownCount;
  }
  return groups;
}

/** How many changes from this place on are of one word, of domains, and of one moment. */
function runLength(items: readonly Activity[], at: number): number {
  const first = items[at] as Activity;
  const word = activityWord(first);
  if (!grouped.includes(word)) return 1;
  const end = items.findIndex(
    (item, index) =>
      index >= at &&
      (activityWord(item) !== word ||
        item.monitorKind !== "domain" ||
        Date.parse(first.timestamp) - Date.parse(item.timestamp) > atOnceMs),
  );
  return end < 0 ? items.length - at : Math.max(1, end - at);
}

/** A time in which a domain was not well; milliseconds. `beganAt` null: before what has been read. */
export interface Problem {
  name: string;
  was: "down" | "degraded";
  beganAt: number | null;
  endedAt: number;
}

/** The problem that ended with the change at this place; null where none did. `items` newest first. */
export function problemBefore(items: readonly Activity[], at: number): Problem | null {
  const end = items[at];
  if (end?.status !== "up" || !isProblem(end.previousStatus)) return null;
  const problem: Problem = {
    name: end.monitorName ?? "",
    was: end.previousStatus,
    beganAt: null,
    endedAt: Date.parse(end.timestamp),
  };
  for (const item of items.slice(at + 1).filter(({ monitorId }) => monitorId === end.monitorId)) {
    // It was silent for a while, which ended nothing.
    const isBreak = activityWord(item) === "silent" && isProblem(item.previousStatus);
    if (isBreak) problem.beganAt = null;
    else if (problem.beganAt !== null || !isProblem(item.status)) return problem;
    if (item.status === "down") problem.was = "down";
    // It may have been degraded before it was down: then it began earlier still.
    if (!isBreak && !isProblem(item.previousStatus)) problem.beganAt = Date.parse(item.timestamp);
  }
  return problem;
}

/** The problem that ended last, of all that has been read; null without any. */
export function lastProblem(items: readonly Activity[]): Problem | null {
  const at = items.findIndex((_, index) => problemBefore(items, index) !== null);
  return at < 0 ? null : problemBefore(items, at);
}

const isProblem = (status: string | null): status is Problem["was"] =>
  status === "down" || status === "degraded";

/** A sentence around a name, in two parts, so that the name between them can be a link. */
export function aroundName(sentenceWith: (name: string) => string): [before: string, after: string] {
  const mark = "\u0001";
  const [before = "", after = ""] = sentenceWith(mark).split(mark);
  return [before, after];
}
