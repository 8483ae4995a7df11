import type { TSchema } from "typebox";
import * as dnsLookup from "./dns-lookup.ts";
import * as httpInspection from "./http-inspection.ts";
import * as ipLocation from "./ip-location.ts";
import * as ping from "./ping.ts";
import * as portScan from "./port-scan.ts";
import * as rdap from "./rdap.ts";
import * as tlsInspection from "./tls-inspection.ts";
import * as traceroute from "./traceroute.ts";

interface ToolForm {
  /** In addresses. */
  name: string;
  /** The field that comes first. */
  subject: string;
  input: TSchema;
}

/** Every tool, for those who show forms. */
export const TOOL_FORMS: readonly ToolForm[] = [
  { name: "dns-lookup", subject: "domain", input: dnsLookup.Input },
  { name: "port-scanner", subject: "target", input: portScan.Input },
  { name: "ip-scanner", subject: "ip", input: ipLocation.Input },
  { name: "ping", subject: "target", input: ping.Input },
  { name: "traceroute", subject: "target", input: traceroute.Input },
  { name: "tls-inspection", subject: "host", input: tlsInspection.Input },
  { name: "http-inspection", subject: "url", input: httpInspection.Input },
  { name: "rdap", subject: "query", input: rdap.Input },
];
