import type { Clock } from "../clock.ts";
import {
  type Coverable,
  listOpenWindows,
  type MaintenanceWindow,
} from "../store/queries/maintenance-windows.ts";
import type { WatchedMonitor } from "../store/queries/states.ts";
import type { Store } from "../store/store.ts";
import { type Occurrence, type Occurrences, occurrencesOf } from "./occurrences.ts";

/** Which monitors are in a window when: kept in memory, so that a check costs no query. */
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
const KEPT_MS = 2 * DAY_MS;
/** Days of which the occurrences of a window are kept; late results are about few. */
const MAX_DAYS = 8;

interface Held {
  window: MaintenanceWindow;
  occurrences: Occurrences;
  days: Map<number, readonly Occurrence[]>;
}

/** Windows of this installation; empty until `reload`. */
export function createActiveWindows({
  store,
  clock,
}: {
  store: Pick<Store, "db">;
  clock: Clock;
}): ActiveWindows {
  let byOrganization = new Map<number, Held[]>();
  return {
    until(monitor, at) {
      const own = byOrganization.get(monitor.organizationId);
      if (!own) return null;
      let until: number | null = null;
      for (const held of own) {
        if (!covers(held.window, monitor)) continue;
        const open = openIn(held, at);
        if (open && open.endsAt > (until ?? 0)) until = open.endsAt;
      }
      return until;
    },
    openAt(at) {
      const open = [...byOrganization.values()].flat().flatMap((held) => {
        const occurrence = openIn(held, at);
        return occurrence ? [{ ...held.window, endsAt: occurrence.endsAt }] : [];
      });
      return {
        organizationIds: [...new Set(open.map(({ organizationId }) => organizationId))],
        fingerprint: open.map(({ id, updatedAt, endsAt }) => `${id} ${updatedAt} ${endsAt}`).join(),
      };
    },
    async reload() {
      const windows = await listOpenWindows(store.db, clock.now() - KEPT_MS);
      const held = windows.map((window) => ({ window, occurrences: occurrencesOf(window), days: new Map() }));
      byOrganization = Map.groupBy(held, ({ window }) => window.organizationId);
    },
  };
}

/** Whether a window is for a monitor. */
export function covers({ everything, monitorIds, tags }: MaintenanceWindow, monitor: Coverable): boolean {
  if (everything || monitorIds.includes(monitor.monitorId)) return true;
  if (tags.length === 0 || monitor.tags === "[]") return false;
  const own = JSON.parse(monitor.tags) as string[];
  return tags.some((tag) => own.includes(tag));
}

/** A rule is followed once a day that anybody asks for. */
function openIn({ occurrences, days }: Held, at: number): Occurrence | null {
  const day = Math.floor(at / DAY_MS);
  let ofDay = days.get(day);
  if (ofDay === undefined) {
    ofDay = occurrences.between(day * DAY_MS, (day + 1) * DAY_MS);
    if (days.size >= MAX_DAYS) days.clear();
    days.set(day, ofDay);
  }
  return ofDay.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt) ?? null;
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
