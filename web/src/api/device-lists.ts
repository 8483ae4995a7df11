import { queryOptions } from "@tanstack/react-query";
import type {
  DeviceApplication,
  DeviceConnection,
  DeviceContainer,
  DeviceProcess,
  projectChange,
} from "../../../server/src/monitors/schemas/devices.ts";
import { monitorKinds } from "../kinds.ts";
import { call } from "./client.ts";
import { monitorKeys } from "./monitor-keys.ts";

export interface DeviceLists {
  processes: DeviceProcess;
  network: DeviceConnection;
  applications: DeviceApplication;
  containers: DeviceContainer;
  changes: ReturnType<typeof projectChange>;
}
export type ListName = keyof DeviceLists;

/** A list whole, and when it was reported (null: never). `found`: how many there are, of which these are some. */
export interface ReportedList<Item> {
  items: Item[];
  at: string | null;
  found: number;
}

const atOnce = 1_000;
/** The server stores no more of any list. */
const pagesAtMost = 10;
/** As often as the most frequent of them are reported. */
const listAgeMs = 60_000;

export const listQuery = <Name extends ListName>(id: number, name: Name) =>
  queryOptions({
    queryKey: [...monitorKeys.all("device", id), "lists", name],
    refetchInterval: listAgeMs,
    queryFn: ({ signal }) => readList<DeviceLists[Name]>(id, name, signal),
  });

async function readList<Item>(id: number, name: ListName, signal: AbortSignal): Promise<ReportedList<Item>> {
  const path = `${monitorKinds.device.api}/${id}`;
  if (name === "changes") {
    const query = { limit: atOnce };
    const { data } = await call<Item[]>("GET", `${path}/applications/changes`, { query, signal });
    return { items: data, at: null, found: data.length };
  }
  const items: Item[] = [];
  let beside = { at: null as string | null, found: 0 };
  for (let page = 1; page <= pagesAtMost; page += 1) {
    const query = { page, limit: atOnce };
    const answer = await call<Item[], typeof beside>("GET", `${path}/${name}`, { query, signal });
    beside = answer.beside;
    items.push(...answer.data);
    if (items.length >= (answer.pagination?.total ?? 0)) break;
  }
  return { items, at: beside.at, found: beside.found };
}
