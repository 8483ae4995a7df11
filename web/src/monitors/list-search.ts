import { type MonitorSort, sortColumns } from "../api/monitor-list.ts";
import { type Filter, filters } from "./monitor-view.ts";

/** What of a list stands in its address, without what it is when nothing is said. */
export interface ListSearch {
  show?: Filter | undefined;
  q?: string | undefined;
  tag?: string | undefined;
  sort?: MonitorSort | undefined;
}

/** Reads it; what is none of it is left out. */
export const listSearch = (search: Record<string, unknown>): ListSearch => ({
  show: filters.find((name) => name === search["show"] && name !== "all"),
  q: textIn(search["q"]),
  tag: textIn(search["tag"]),
  sort: sortColumns
    .flatMap((name): MonitorSort[] => [name, `-${name}`])
    .find((name) => name === search["sort"] && name !== "status"),
});

/** The text of a parameter: the router reads `?q=404` as a number, and `?q=true` as true. */
const textIn = (value: unknown): string | undefined =>
  ["string", "number", "boolean"].includes(typeof value) ? String(value) || undefined : undefined;
