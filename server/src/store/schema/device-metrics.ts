import { OF_MONITOR, table } from "../table.ts";

/** What one report measured, until device/metrics/pack-metrics.ts packs it. */
export interface DeviceReportTable {
  monitor_id: number;
  /** By the server's clock, milliseconds. */
  at: number;
  /** device/metrics/figures.ts. */
  figures: Uint8Array;
}

/** What a device measured in an hour or a day, as it was or rolled up. */
export interface DevicePackTable {
  monitor_id: number;
  /** Seconds; 0: as it was reported. */
  resolution: number;
  /** Start of the hour or day, milliseconds. */
  begins_at: number;
  /** device/metrics/series-pack.ts. */
  series: Uint8Array;
}

/** Tables of what devices measure. */
export const DEVICE_METRIC_TABLES = {
  // Packed within minutes after its hour; what cannot be is kept like a result.
  device_reports: table<DeviceReportTable>({
    tenant: OF_MONITOR,
    retention: { rawSince: "at", spanMs: 1, beside: "monitor_id" },
  }),
  device_packs: table<DevicePackTable>({ tenant: OF_MONITOR, retention: "by resolution" }),
};
