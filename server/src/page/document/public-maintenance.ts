import { covers } from "../../maintenance/active-windows.ts";
import { type Occurrence, occurrencesOf } from "../../maintenance/occurrences.ts";
import type { Coverable, MaintenanceWindow } from "../../store/queries/maintenance-windows.ts";
import { derivedUuid } from "../derived-uuid.ts";
import type { ComponentName, PublicMaintenance } from "./public-page.ts";

const AHEAD_MS = 30 * 86_400_000;
/** Of a window that recurs: more are no news. */
const MAX_OF_A_WINDOW = 5;
/** Of all that a page shows. */
export const MAX_MAINTENANCE = 50;

/** A monitor as windows name it, and as the page does. */
export interface MaintainedComponent {
  monitor: Coverable;
  component: ComponentName;
}

/** What maintenance of these components is under way, then what is planned for the next 30 days, soonest first. */
export function publicMaintenance(
  windows: readonly MaintenanceWindow[],
  components: readonly MaintainedComponent[],
  now: number,
): PublicMaintenance[] {
  return windows
    .flatMap((window) => {
      const own = components.filter(({ monitor }) => covers(window, monitor));
      return own.length === 0 ? [] : timesOf(window, own, now);
    })
    .sort((a, b) => Number(b.isRunning) - Number(a.isRunning) || a.startsAt - b.startsAt)
    .slice(0, MAX_MAINTENANCE);
}

function timesOf(
  window: MaintenanceWindow,
  own: readonly MaintainedComponent[],
  now: number,
): PublicMaintenance[] {
  const { uuid, title, description, recurrence, updatedAt } = window;
  const components = own.map(({ component }) => component);
  return comingOf(window, now).map(({ startsAt, endsAt }) => ({
    ...{ description, startsAt, endsAt, updatedAt, components },
    title: title === "" ? { code: "maintenance.untitled" } : title,
    uuid: recurrence === null ? uuid : derivedUuid(uuid, startsAt),
    isRunning: startsAt <= now,
  }));
}

const comingOf = (window: MaintenanceWindow, now: number): Occurrence[] =>
  occurrencesOf(window).between(now, now + AHEAD_MS, MAX_OF_A_WINDOW);
