import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { projectDomain } from "../../../server/src/monitors/schemas/domains.ts";
import type { projectStats } from "../../../server/src/monitors/schemas/monitor-stats.ts";
import type { projectMonitor } from "../../../server/src/monitors/schemas/monitors.ts";
import type { projectService } from "../../../server/src/monitors/schemas/services.ts";
import type { MonitorKind } from "../kinds.ts";
import { call } from "./client.ts";
import { inShownOrder, isOrderHeld } from "./held-order.ts";
import { pageSize, readRange } from "./list-pages.ts";
import { listKeys } from "./monitor-keys.ts";

export type Domain = ReturnType<typeof projectDomain>;

export type Service = ReturnType<typeof projectService>;

/** `responseTime` in milliseconds, `uptimePercentage` 0…100 over the last 24 hours. */
export type Monitor = ReturnType<typeof projectMonitor>;

/** Columns of the list; a leading `-` turns the order round. */
export const sortColumns = ["name", "status", "responseTime", "certificate", "uptime"] as const;
export type SortColumn = (typeof sortColumns)[number];
export type MonitorSort = SortColumn | `-${SortColumn}`;

/** Which monitors, and in which order. `state` undefined: all of them. */
export interface MonitorView {
  state: Monitor["state"] | undefined;
  /** True: only what is in maintenance. */
  maintenance?: true | undefined;
  /** Part of the name, the address or a tag. */
  search: string;
  /** Only what has this tag. */
  tag?: string | undefined;
  sort: MonitorSort;
}

export interface MonitorPage<Item = Monitor> {
  monitors: Item[];
  total: number;
  /** Their places are those that they had; in the meantime there are others (held-order.ts). */
  isReordered?: boolean;
}

/** How many monitors are in which state; `up` includes `degraded`, `unknown` includes `paused`. */
export type MonitorStats = ReturnType<typeof projectStats>;

/** Numbers in the list change over time, above all the uptime of what is down. */
const statsAgeMs = 60_000;
/** As often as devices report: how busy they are. */
const reportsAgeMs = 10_000;

/** One page of a view from the API; `page` from 0. Also in orders that the list has no column for. */
export async function readPage<Item = Monitor>(
  kind: MonitorKind,
  view: Omit<MonitorView, "sort"> & { sort: MonitorSort | "-statusSince" },
  page: number,
  limit: number,
  signal?: AbortSignal,
): Promise<MonitorPage<Item>> {
  const query = { ...view, page: page + 1, limit };
  const answer = await call<Item[]>("GET", kind.api, { query, signal });
  return { monitors: answer.data.map(withLastCheck), total: answer.pagination?.total ?? answer.data.length };
}

/** Devices are not checked: their last report counts instead. */
export const withLastCheck = <Item>(item: Item): Item =>
  item instanceof Object && "lastSeen" in item ? { ...item, lastCheck: item.lastSeen } : item;

export const monitorPageQuery = (kind: MonitorKind, view: MonitorView, page: number) =>
  queryOptions({
    queryKey: [...listKeys.pages(kind.id), view, page],
    refetchInterval: kind.id === "device" ? reportsAgeMs : statsAgeMs,
    queryFn: async ({ signal, client, queryKey }): Promise<MonitorPage> => {
      const fresh = await readPage(kind, view, page, pageSize, signal);
      return isOrderHeld(kind.id, view) ? inShownOrder(client.getQueryData(queryKey), fresh) : fresh;
    },
  });

export const statsQuery = (kind: MonitorKind) =>
  queryOptions({
    queryKey: listKeys.stats(kind.id),
    refetchInterval: statsAgeMs,
    queryFn: async ({ signal }): Promise<MonitorStats> => {
      type OfAnyKind = MonitorStats & { online?: number };
      const { data } = await call<OfAnyKind>("GET", `${kind.api}/stats`, { signal });
      return data.online === undefined ? data : { ...data, up: data.online };
    },
  });

/** The monitors of a view from one place to another, both included; nothing that is cached is requested. */
export const readMonitors = (
  client: QueryClient,
  kind: MonitorKind,
  view: MonitorView,
  from: number,
  to: number,
): Promise<Monitor[]> =>
  readRange(
    {
      known: (page) => client.getQueryData(monitorPageQuery(kind, view, page).queryKey)?.monitors,
      read: async (page, limit) => (await readPage(kind, view, page, limit)).monitors,
    },
    from,
    to,
  );
