import {
  changeDevices,
  createDevice,
  deleteDevice,
  deviceStats,
  getDevice,
  listDevices,
  regenerateDeviceToken,
  updateDevice,
} from "../../device/devices.ts";
import {
  createEnrollmentToken,
  listEnrollmentTokens,
  revokeEnrollmentToken,
} from "../../device/enrollment-tokens.ts";
import type { DefineBoth } from "../both-families.ts";
import { describeBulk } from "./monitor-bulk.ts";

/** Devices and the tokens of their agents. */
export function describeDevices(define: DefineBoth): void {
  define({
    verb: listDevices,
    method: "GET",
    url: "/api/devices",
    summary: "List devices",
    description: "Newest first unless sorted otherwise, each with its health and its last figures.",
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
    description: "The machine as its agent described it, its health, its settings and its last figures.",
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
