import { bigint, blob, integer, OF_MONITOR, table } from "../table.ts";

/** Tables of what devices measure. */
export const DEVICE_METRIC_TABLES = {
  /** What one report measured, until device/metrics/pack-metrics.ts packs it. */
  // Packed within minutes after its hour; what cannot be is kept like a result.
  device_reports: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      /** By the server's clock, milliseconds. */
      at: bigint(),
      /** device/metrics/figures.ts. */
      figures: blob(),
    },
    primaryKey: ["monitor_id", "at"],
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: { rawSince: "at", spanMs: 1, beside: "monitor_id" },
  }),
  /** What a device measured in an hour or a day, as it was or rolled up. */
  device_packs: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      /** Seconds; 0: as it was reported. */
      resolution: integer(),
      /** Start of the hour or day, milliseconds. */
      begins_at: bigint(),
      /** device/metrics/series.ts. */
      series: blob(),
    },
    primaryKey: ["monitor_id", "resolution", "begins_at"],
    tenant: OF_MONITOR,
    retention: "by resolution",
  }),
};
