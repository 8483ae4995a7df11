import { notFound } from "@tanstack/react-router";
import { type Range, ranges } from "../api/monitor.ts";
import { type MonitorSort, sortColumns } from "../api/monitor-list.ts";
import { type Filter, filters } from "./monitor-view.ts";

/** A list's filters in its address, without the defaults. */
export interface ListSearch {
  show?: Filter | undefined;
  q?: string | undefined;
  tag?: string | undefined;
  sort?: MonitorSort | undefined;
}

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

/** The number in a monitor's address; what is none is an address that leads nowhere. */
export function requireNumber({ id = "" }: { id?: string }): string {
  if (!/^[1-9]\d{0,14}$/.test(id)) notFound({ throw: true });
  return id;
}

/** A monitor page's state in its address: what its charts show, and which of a device's lists. */
interface PageSearch {
  range?: Range | undefined;
  zoom?: string | undefined;
  list?: string | undefined;
}

const stringIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const pageSearch = (search: Record<string, unknown>): PageSearch => ({
  range: ranges.find((name) => name === search["range"]),
  zoom: stringIn(search["zoom"]),
  list: stringIn(search["list"]),
});
