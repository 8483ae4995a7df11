import {
  listApplicationChanges,
  listDeviceApplications,
  listDeviceConnections,
  listDeviceContainers,
  listDeviceProcesses,
} from "../../device/list-verbs.ts";
import type { DefineBoth } from "../both-families.ts";

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
    description: "Found by comparing what its agent reports; kept for 90 days.",
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
