import { chartDeviceMetrics, listDeviceMetrics } from "../../device/metric-verbs.ts";
import type { DefineBoth } from "../both-families.ts";

/** What a device measured: as a list, and for charts. */
export function describeDeviceMetrics(define: DefineBoth): void {
  define({
    verb: listDeviceMetrics,
    method: "GET",
    url: "/api/devices/:id/metrics",
    summary: "What a device measured, newest first",
    description:
      "One entry a figure. Without a time the newest figures as they were reported; with one, at a resolution that suits it, where `value` is the mean and `min` and `max` are the extremes. Times in which nothing was reported have no entry.",
  });
  define({
    verb: chartDeviceMetrics,
    method: "GET",
    url: "/api/devices/:id/metrics/series",
    summary: "What a device measured over a range, for charts",
    description:
      "The same, a list of points for each metric, oldest first: all of a type or the one of a name.",
  });
}
