import { deviceStatusHistory, listDeviceSparklines } from "../../device/figure-verbs.ts";
import type { DefineBoth } from "../both-families.ts";

/** How devices have been. */
export function describeDeviceFigures(define: DefineBoth): void {
  define({
    verb: listDeviceSparklines,
    assistant: false,
    method: "GET",
    url: "/api/devices/sparklines",
    summary: "The last hour of many devices, for the rows of a list",
    description:
      "How busy processor and memory of up to 100 devices were, in steps of two minutes. One small answer for a page of a list, without those that are unknown.",
  });
  define({
    verb: deviceStatusHistory,
    method: "GET",
    url: "/api/devices/:id/monitoring/status-history",
    summary: "What a device's status was and when, newest first",
    description:
      "One entry a period, with the reason. The oldest may have begun before the days asked for; periods without any status yet have no entry.",
    v2: { url: "/v2/devices/:uuid/status-history" },
  });
}
