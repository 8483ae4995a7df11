import type { WatchedMonitor } from "../../engine/queries/states.ts";
import type { Coverable } from "../../engine/results/store-results.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Store } from "../../platform/database/store.ts";
import { takeTurns } from "../../platform/turns.ts";
import { listOpenWindows, type MaintenanceWindow } from "../queries/maintenance-windows.ts";
import { type Occurrence, type Occurrences, occurrencesOf } from "./occurrences.ts";

/** Which monitors are in a window when: cached in memory, so that a check costs no query. */
export interface ActiveWindows {
  /** Until when the window lasts that the monitor is in at `at`, the latest of several; null: it is in none. */
  until(monitor: Coverable, at: number): number | null;
  /** The organizations that have a window open at `at`, and a text that changes with what is open. */
  openAt(at: number): { organizationIds: number[]; fingerprint: string };
  /** Reads the windows again. Throws the store's error. */
  reload(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Results that come in so late are still marked. */
const RETENTION_MS = 2 * DAY_MS;
const MINUTE_MS = 60_000;
/** Days, and minutes, of which the open windows are cached; late results are about few. */
const MAX_CACHED = 8;

interface Held {
  window: MaintenanceWindow;
  /** What decides when it is open: as long as that stays, so do its days. */
  schedule: string;
  occurrences: Occurrences;
  days: Map<number, readonly Occurrence[]>;
}

interface Open extends Occurrence {
  window: MaintenanceWindow;
}

interface Needed {
  store: Pick<Store, "db">;
  clock: Clock;
}

/** Windows of this installation; empty until `reload`. */
export function createActiveWindows({ store, clock }: Needed): ActiveWindows {
  let byOrganization = new Map<number, Held[]>();
  /** Results come nearly in the order of their times: what is open in a minute is worked out once. */
  const minutes = new Map<number, Map<number, Open[]>>();
  const openIn = (minute: number): Map<number, Open[]> => {
    const known = minutes.get(minute);
    if (known) return known;
    if (minutes.size >= MAX_CACHED) minutes.clear();
    const open = openInMinute(byOrganization, minute);
    minutes.set(minute, open);
    return open;
  };
  const openAt = (at: number) => openIn(Math.floor(at / MINUTE_MS));
  return {
    until(monitor, at) {
      let until: number | null = null;
      const open = openAt(at).get(monitor.organizationId);
      if (!open) return null;
      const tags = tagsOf(monitor);
      for (const { window, startsAt, endsAt } of open) {
        const isOpen = startsAt <= at && at < endsAt && endsAt > (until ?? 0);
        if (isOpen && covers(window, monitor, tags)) until = endsAt;
      }
      return until;
    },
    openAt(at) {
      const open = [...openAt(at).values()].flat().filter((one) => one.startsAt <= at && at < one.endsAt);
      return {
        organizationIds: [...new Set(open.map(({ window }) => window.organizationId))],
        fingerprint: open.map(({ window, endsAt }) => `${window.id} ${window.updatedAt} ${endsAt}`).join(),
      };
    },
    async reload() {
      const now = clock.now();
      const windows = await listOpenWindows(store.db, now - RETENTION_MS);
      const before = new Map([...byOrganization.values()].flat().map((one) => [one.window.id, one]));
      const giveWay = takeTurns();
      const held: Held[] = [];
      for (const window of windows) {
        const one = heldFrom(before.get(window.id), window);
        // Here with pauses, so that no result finds all of them still to do.
        openFrom(one, now);
        held.push(one);
        await giveWay();
      }
      minutes.clear();
      byOrganization = Map.groupBy(held, ({ window }) => window.organizationId);
    },
  };
}

/** What is open in a minute, by organization; organizations without anything open are left out. */
function openInMinute(windows: ReadonlyMap<number, Held[]>, minute: number): Map<number, Open[]> {
  const open = new Map<number, Open[]>();
  for (const [organizationId, own] of windows) {
    const found = own.flatMap((held) => openFrom(held, minute * MINUTE_MS));
    if (found.length > 0) open.set(organizationId, found);
  }
  return open;
}

/** Whether a window is for a monitor. */
export const covers = (
  { everything, monitorIds, tags }: MaintenanceWindow,
  monitor: Coverable,
  own: readonly string[] = tagsOf(monitor),
): boolean => everything || monitorIds.includes(monitor.monitorId) || tags.some((tag) => own.includes(tag));

const tagsOf = ({ tags }: Coverable): readonly string[] => (tags === "[]" ? [] : JSON.parse(tags));

/** A window as it is now; what was found out about it before stays where it is open at the same times. */
function heldFrom(before: Held | undefined, window: MaintenanceWindow): Held {
  const { startsAt, durationMs, timeZone, recurrence, until, exceptions } = window;
  const schedule = JSON.stringify({ startsAt, durationMs, timeZone, recurrence, until, exceptions });
  if (before?.schedule === schedule) return { ...before, window };
  return { window, schedule, occurrences: occurrencesOf(window), days: new Map() };
}

/** What is open at any time of the minute that begins then; a rule is followed once for each day requested. */
function openFrom({ window, occurrences, days }: Held, at: number): Open[] {
  const day = Math.floor(at / DAY_MS);
  let ofDay = days.get(day);
  if (ofDay === undefined) {
    ofDay = occurrences.between(day * DAY_MS, (day + 1) * DAY_MS);
    if (days.size >= MAX_CACHED) days.clear();
    days.set(day, ofDay);
  }
  const overlaps = ({ startsAt, endsAt }: Occurrence) => startsAt < at + MINUTE_MS && endsAt > at;
  return ofDay.filter(overlaps).map((occurrence) => ({ window, ...occurrence }));
}

/** These monitors, with what windows say of them at `now`; where no engine runs, with what is stored. */
export function underWindows(
  windows: ActiveWindows | undefined,
  monitors: readonly WatchedMonitor[],
  now: number,
): readonly WatchedMonitor[] {
  if (!windows) return monitors;
  return monitors.map((monitor) => {
    const maintenanceUntil = windows.until(monitor, now);
    if (maintenanceUntil === monitor.maintenanceUntil) return monitor;
    return {
      ...monitor,
      maintenanceUntil,
      config: { ...monitor.config, maintenance: maintenanceUntil !== null },
    };
  });
}

declare module "../../platform/context.ts" {
  interface Context {
    /** The maintenance windows as the engine knows them. Absent where none runs. */
    windows?: ActiveWindows;
  }
}
