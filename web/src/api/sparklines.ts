import { queryOptions } from "@tanstack/react-query";
import type { projectSparkline } from "../../../server/src/monitors/schemas/monitor-stats.ts";
import type { KindId, MonitorKind } from "../kinds.ts";
import { call } from "./client.ts";
import { listKeys } from "./monitor-keys.ts";

/** The last 24 hours of a monitor, hour by hour, and where its icon is. */
export type Sparkline = ReturnType<typeof projectSparkline>;

/** The most that the API gives at once. */
const mostAtOnce = 100;
/** Rows that come into sight together are requested together; those that have left it by then are not. */
const batchMs = 60;
const ageMs = 60_000;
/** Tabs that were opened together do not send their requests together. */
const offsetMs = Math.random() * ageMs;

/** All rows at the same time, so that it is one request for all of them. */
const untilNextRound = () => ageMs - ((Date.now() + offsetMs) % ageMs) + batchMs;

/** One monitor's; null where the API does not know it. Any number of them are read with one request. */
export const sparklineQuery = (kind: MonitorKind, id: number) =>
  queryOptions({
    queryKey: [...listKeys.sparklines(kind.id), id],
    refetchInterval: untilNextRound,
    queryFn: ({ signal }) => enqueue(kind, id, signal),
  });

interface PendingSparkline extends PromiseWithResolvers<Sparkline | null> {
  kind: MonitorKind;
  id: number;
}

const waiting = new Map<KindId, Map<number, PendingSparkline>>();

function enqueue(kind: MonitorKind, id: number, signal: AbortSignal): Promise<Sparkline | null> {
  const pending: PendingSparkline = { ...Promise.withResolvers<Sparkline | null>(), kind, id };
  let batch = waiting.get(kind.id);
  if (!batch) {
    batch = new Map();
    waiting.set(kind.id, batch);
    setTimeout(() => send(kind), batchMs);
  }
  batch.set(id, pending);
  signal.addEventListener("abort", () => batch.delete(id));
  return pending.promise;
}

function send(kind: MonitorKind): void {
  const all = [...(waiting.get(kind.id)?.values() ?? [])];
  waiting.delete(kind.id);
  for (let at = 0; at < all.length; at += mostAtOnce) void read(kind, all.slice(at, at + mostAtOnce));
}

async function read(kind: MonitorKind, batch: readonly PendingSparkline[]): Promise<void> {
  try {
    const query = { ids: batch.map(({ id }) => id).join() };
    const { data } = await call<Sparkline[]>("GET", `${kind.api}/sparklines`, { query });
    const byId = new Map(data.map((sparkline) => [sparkline.id, sparkline]));
    for (const { id, resolve } of batch) resolve(byId.get(id) ?? null);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
