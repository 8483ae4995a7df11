import {
  MAX_CONFIRMATIONS,
  MAX_DESCRIPTION_LENGTH,
  MAX_INTERVAL_SECONDS,
  MAX_RECHECK_DELAY_SECONDS,
  MAX_TIMEOUT_SECONDS,
  MONITOR_DEFAULTS,
} from "../monitor/monitor-defaults.ts";
import { fact } from "../texts/fact.ts";
import type { FileEntry } from "./file-entry.ts";
import { own } from "./plain.ts";

/**
 * An entry with its numbers within what may be set, and a note of each that had to change: whatever the format, a file of
 * other software's limits is not refused for them. What is no number stays, for the API to refuse.
 */
export function withinBounds(entry: FileEntry, leastIntervalSeconds: number): FileEntry {
  const { body } = entry;
  const notes = [...entry.notes];
  const changed: Record<string, unknown> = {};
  const bound = (setting: string, least: number, most: number): void => {
    const from = body[setting];
    if (typeof from !== "number" || !Number.isFinite(from)) return;
    const to = Math.max(least, Math.min(Math.round(from), most));
    if (to === from) return;
    changed[setting] = to;
    notes.push(fact("import.changed", { setting, from, to }));
  };
  const isByCron = own(body["protocolConfig"], "cron") !== undefined;
  if (!isByCron) bound("checkInterval", leastIntervalSeconds, MAX_INTERVAL_SECONDS);
  const interval = intervalOf({ ...body, ...changed }, leastIntervalSeconds);
  bound("timeout", 1, Math.min(MAX_TIMEOUT_SECONDS, interval - 1));
  bound("confirmations", 1, MAX_CONFIRMATIONS);
  bound("recoveries", 1, MAX_CONFIRMATIONS);
  bound("recheckDelay", 0, Math.min(MAX_RECHECK_DELAY_SECONDS, interval));
  const { description } = body;
  if (typeof description === "string" && description.trim().length > MAX_DESCRIPTION_LENGTH) {
    changed["description"] = description.trim().slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed();
    notes.push(fact("import.cut", { setting: "description", limit: MAX_DESCRIPTION_LENGTH }));
  }
  return notes.length === entry.notes.length ? entry : { ...entry, body: { ...body, ...changed }, notes };
}

/** The interval that it will have. */
function intervalOf(body: Readonly<Record<string, unknown>>, least: number): number {
  const { checkInterval } = body;
  return typeof checkInterval === "number" && checkInterval > 1
    ? checkInterval
    : Math.max(MONITOR_DEFAULTS.intervalSeconds, least);
}
