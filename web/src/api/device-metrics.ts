import { queryOptions } from "@tanstack/react-query";
import type { DeviceSeries } from "../../../server/src/monitors/schemas/device-metrics.ts";
import { monitorKinds } from "../kinds.ts";
import { call } from "./client.ts";
import type { Range } from "./monitor.ts";
import { monitorKeys } from "./monitor-keys.ts";

export type Series = DeviceSeries;
export type Line = Series["series"][number];

/** What the page has charts of, and which metrics those show: one by its name, or all of a type. */
export const chartedMetrics = {
  cpu: { name: "cpu.usage" },
  memory: { name: "memory.usage" },
  disk: { type: "disk" },
  network: { type: "network" },
} as const;
export type Charted = keyof typeof chartedMetrics;

const agesMs: Record<Range, number> = { "1h": 10_000, "24h": 60_000, "7d": 300_000, "30d": 300_000 };

export const seriesQuery = (id: number, charted: Charted, range: Range) =>
  queryOptions({
    queryKey: [...monitorKeys.all("device", id), "series", charted, range],
    refetchInterval: agesMs[range],
    queryFn: async ({ signal }) => {
      const query = { ...chartedMetrics[charted], range };
      const path = `${monitorKinds.device.api}/${id}/metrics/series`;
      return (await call<Series>("GET", path, { query, signal })).data;
    },
  });
