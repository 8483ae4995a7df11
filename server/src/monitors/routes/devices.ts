import type { DefineBoth } from "../../platform/http/both-families.ts";
import {
  changeDevices,
  createDevice,
  deleteDevice,
  deviceStats,
  getDevice,
  listDevices,
  regenerateDeviceToken,
  updateDevice,
} from "../devices/devices.ts";
import {
  createEnrollmentToken,
  listEnrollmentTokens,
  revokeEnrollmentToken,
} from "../devices/enroll-device.ts";
import {
  chartDeviceMetrics,
  deviceStatusHistory,
  listApplicationChanges,
  listDeviceApplications,
  listDeviceConnections,
  listDeviceContainers,
  listDeviceMetrics,
  listDeviceProcesses,
  listDeviceSparklines,
} from "../devices/metric-verbs.ts";
import { describeBulk } from "./monitor-metrics.ts";

/** Devices and the tokens of their agents. */
export function describeDevices(define: DefineBoth): void {
  define({
    verb: listDevices,
    method: "GET",
    url: "/api/devices",
    summary: "List devices",
    description: "Newest first unless sorted otherwise, each with its health and its last metrics.",
  });
  define({
    verb: createDevice,
    method: "POST",
    url: "/api/devices",
    status: 201,
    failures: [409],
    summary: "Add a device",
    description:
      "The token is in this answer only: start the device's agent with it. 403 when the plan's number of devices is reached.",
    message: "Device created. Its token is not shown again.",
  });
  define({
    verb: deviceStats,
    method: "GET",
    url: "/api/devices/stats",
    summary: "How all devices are doing",
    description: "How many are online, the health of those, and how many incidents of devices are open.",
  });
  describeEnrollment(define);
  define({
    verb: getDevice,
    method: "GET",
    url: "/api/devices/:id",
    summary: "Get a device",
    description: "The machine as its agent described it, its health, its settings and its last metrics.",
  });
  define({
    verb: updateDevice,
    method: "PUT",
    url: "/api/devices/:id",
    failures: [409],
    summary: "Change a device",
    description:
      "Any subset of the fields; what is not sent stays. `thresholds` and `linkedMonitors` are replaced as a whole. `enabled` false pauses it.",
    message: "Device updated.",
  });
  define({
    verb: deleteDevice,
    method: "DELETE",
    url: "/api/devices/:id",
    summary: "Remove a device",
    description: "Its token stops working at once; what it reported is deleted over time.",
    message: "Device deleted.",
  });
  define({
    verb: regenerateDeviceToken,
    method: "POST",
    url: "/api/devices/:id/regenerate-token",
    summary: "Replace a device's token",
    description:
      "The old token stops working at once. Give the agent the new one, which is in this answer only.",
    message: "Token replaced. It is not shown again.",
  });
  describeBulk(define, { url: "/api/devices", noun: "device", verb: changeDevices });
}

/** The tokens with which machines become devices by themselves. */
function describeEnrollment(define: DefineBoth): void {
  const url = "/api/devices/enrollment-tokens";
  define({
    verb: listEnrollmentTokens,
    method: "GET",
    url,
    summary: "List enrollment tokens",
    description: "Newest first. The tokens themselves are never shown again.",
  });
  define({
    verb: createEnrollmentToken,
    method: "POST",
    url,
    status: 201,
    summary: "Create an enrollment token",
    description:
      "The token is in this answer only. Every machine whose agent is started with it becomes a device of the organization, with a token of its own.",
    message: "Enrollment token created. It is not shown again.",
  });
  define({
    verb: revokeEnrollmentToken,
    method: "DELETE",
    url: `${url}/:id`,
    summary: "Revoke an enrollment token",
    description: "No machine can enroll with it any more. Devices that already have keep reporting.",
    message: "Enrollment token revoked.",
  });
}

/** How devices have been. */
export function describeDeviceReadings(define: DefineBoth): void {
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
      "One entry a period, with the reason. The oldest may have begun before the requested days; periods without any status yet have no entry.",
    v2: { url: "/v2/devices/:uuid/status-history" },
  });
}

const url = "/api/devices/:id";

/** What goes on on a device, and what is installed on it. */
export function describeDeviceLists(define: DefineBoth): void {
  define({
    verb: listDeviceProcesses,
    method: "GET",
    url: `${url}/processes`,
    summary: "What runs on a device",
    description:
      "As reported last, at most once a minute: the 200 processes that use most of the processor or the memory. Secrets in command lines are masked on the machine itself.",
  });
  define({
    verb: listDeviceApplications,
    method: "GET",
    url: `${url}/applications`,
    summary: "What is installed on a device",
    description: "As reported last, every six hours.",
  });
  define({
    verb: listApplicationChanges,
    method: "GET",
    url: `${url}/applications/changes`,
    summary: "What was installed, removed and updated on a device, newest first",
    description: "Found by comparing what its agent reports; stored for 90 days.",
  });
  define({
    verb: listDeviceConnections,
    method: "GET",
    url: `${url}/network`,
    summary: "The connections and listening sockets of a device",
    description: "As reported last, at most once a minute, with the process where the agent may see it.",
  });
  define({
    verb: listDeviceContainers,
    method: "GET",
    url: `${url}/containers`,
    summary: "The containers on a device",
    description: "As reported last, where the agent can read the socket of Docker or Podman.",
  });
}

/** What a device measured: as a list, and for charts. */
export function describeDeviceMetrics(define: DefineBoth): void {
  define({
    verb: listDeviceMetrics,
    method: "GET",
    url: "/api/devices/:id/metrics",
    summary: "What a device measured, newest first",
    description:
      "One entry a metric. Without a time the newest values as they were reported; with one, at a resolution that suits it, where `value` is the mean and `min` and `max` are the extremes. Times in which nothing was reported have no entry.",
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
