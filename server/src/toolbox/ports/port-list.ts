import { type Fact, fact } from "../../texts/fact.ts";
import { COMMON_TCP, COMMON_UDP, QUICK_TCP, QUICK_UDP } from "./common-ports.ts";

const MAX_PORT = 65_535;

export type ScanType = "quick" | "common" | "full" | "custom";
export type Protocol = "tcp" | "udp";

const LISTS: Readonly<Record<Exclude<ScanType, "custom">, Readonly<Record<Protocol, string>>>> = {
  quick: { tcp: QUICK_TCP, udp: QUICK_UDP },
  common: { tcp: COMMON_TCP, udp: COMMON_UDP },
  full: { tcp: `1-${MAX_PORT}`, udp: `1-${MAX_PORT}` },
};

/** Ports, each once and in order; or what is wrong with the list. */
export type PortList = { ports: number[] } | { problem: Fact };

/** The ports of a scan; `typed`: those that were asked for by hand. */
export function portsToScan(scanType: ScanType, protocol: Protocol, typed: string | undefined): PortList {
  if (scanType !== "custom") {
    return typed === undefined
      ? parsePorts(LISTS[scanType][protocol])
      : { problem: fact("tool.ports_custom") };
  }
  return typed === undefined ? { problem: fact("tool.ports_missing") } : parsePorts(typed);
}

/** Reads `22,80,8000-8100`. */
export function parsePorts(text: string): PortList {
  const ports = new Set<number>();
  for (const part of text.split(",")) {
    const [, first = "", last = first] = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from < 1 || to > MAX_PORT) {
      return { problem: fact("tool.ports_malformed", { part: part.trim().slice(0, 40) }) };
    }
    if (to < from) return { problem: fact("tool.ports_backwards", { part: part.trim() }) };
    for (let port = from; port <= to; port += 1) ports.add(port);
  }
  return { ports: [...ports].sort((a, b) => a - b) };
}
