import {
  ChartColumn,
  LayoutDashboard,
  type LucideIcon,
  PanelsTopLeft,
  Radar,
  Settings,
  Siren,
  Wrench,
} from "lucide-react";
import type { ProblemCounts } from "../api/dashboard-stats.ts";
import { monitorKinds } from "../kinds.ts";

interface PageEntry<Id extends string, Path extends string, Add extends string> {
  /** Its name is the text `app.ID`. */
  id: Id;
  path: Path;
  icon: LucideIcon;
  /** Groups are set apart in the sidebar; `end`: at its bottom. */
  group: "watch" | "help" | "end";
  /** `g`, then this, leads there. */
  key?: string;
  /** Whose problems are counted in red. */
  count?: keyof ProblemCounts;
  /** Where `n` makes a new one. */
  add?: Add;
  /** The first of them are on a phone's bar, the others behind "More". */
  rank?: number;
}

const entry = <const Id extends string, const Path extends string, const Add extends string = never>(
  one: PageEntry<Id, Path, Add>,
) => one;

/** The pages, one line each: sidebar, rail, a phone's bar and sheet, shortcuts and palette are made from these. */
export const entries = [
  entry({
    id: "overview",
    path: "/",
    icon: LayoutDashboard,
    group: "watch",
    key: "o",
    rank: 1,
  }),
  entry({
    id: "domains",
    path: monitorKinds.domain.pages.list,
    icon: monitorKinds.domain.icon,
    group: "watch",
    key: "d",
    count: "domains",
    add: monitorKinds.domain.pages.add,
    rank: 2,
  }),
  entry({
    id: "services",
    path: monitorKinds.service.pages.list,
    icon: monitorKinds.service.icon,
    group: "watch",
    key: "s",
    count: "services",
    add: monitorKinds.service.pages.add,
    rank: 4,
  }),
  entry({
    id: "devices",
    path: monitorKinds.device.pages.list,
    icon: monitorKinds.device.icon,
    group: "watch",
    key: "e",
    count: "devices",
    add: monitorKinds.device.pages.add,
    rank: 5,
  }),
  entry({
    id: "incidents",
    path: "/incidents",
    icon: Siren,
    group: "watch",
    key: "i",
    count: "incidents",
    rank: 3,
  }),
  entry({
    id: "maintenance",
    path: "/maintenance",
    icon: Wrench,
    group: "watch",
    key: "m",
    add: "/maintenance/new",
    rank: 6,
  }),
  entry({
    id: "statusPages",
    path: "/status-pages",
    icon: PanelsTopLeft,
    group: "watch",
    key: "p",
    rank: 7,
  }),
  entry({ id: "reports", path: "/reports", icon: ChartColumn, group: "watch", key: "r", rank: 8 }),
  entry({ id: "toolbox", path: "/toolbox", icon: Radar, group: "help", key: "t", rank: 9 }),
  entry({ id: "settings", path: "/settings", icon: Settings, group: "end" }),
];

export type Entry = (typeof entries)[number];

/** How many are on a phone's bar, beside "Search" and "More". */
const barPlaces = 3;

export const barEntries: readonly Entry[] = entries
  .filter((one) => one.rank !== undefined)
  .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  .slice(0, barPlaces);
