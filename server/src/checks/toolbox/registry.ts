import { lookUpDns } from "./dns/look-up-dns.ts";
import { locateAddress } from "./geo/locate-address.ts";
import { scanPorts } from "./ports/scan-ports.ts";
import { lookUpRegistration } from "./rdap/look-up-registration.ts";
import { pingHost } from "./reach/ping-host.ts";
import { traceRoute } from "./reach/trace-route.ts";
import type { Tool } from "./tool.ts";
import { inspectHttp } from "./web/inspect-http.ts";
import { inspectTls } from "./web/inspect-tls.ts";

/** By the name of its operation, in the order in which people are shown them. */
export const TOOLS = {
  lookUpDns,
  scanPorts,
  locateAddress,
  pingHost,
  traceRoute,
  inspectTls,
  inspectHttp,
  lookUpRegistration,
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;
