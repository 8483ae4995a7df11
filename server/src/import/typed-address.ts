import { type Fact, fact } from "../texts/fact.ts";
import { type Addressed, clean, monitorAt } from "./address.ts";
import type { Reading } from "./file-entry.ts";
import { lookUp } from "./plain.ts";

/** What people call a kind. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  website: "http",
  web: "http",
  https: "http",
  port: "tcp",
  ping: "icmp",
  push: "heartbeat",
  cron: "heartbeat",
  postgresql: "postgres",
  mariadb: "mysql",
  ssl: "tls",
  certificate: "tls",
  mongo: "mongodb",
  sftp: "ssh",
  ws: "websocket",
};

/** What is at an address whose kind is named beside it; null: it is not. An address may name the kind itself, too. */
export function configOfType(
  typed: string,
  address: string,
  port: number | string | undefined,
  kinds: Reading["kinds"],
): Addressed | { problem: Fact } | null {
  if (typed === "") return null;
  const type = lookUp(OTHER_NAMES, typed) ?? typed;
  if (type === "http") return monitorAt(address);
  const kind = lookUp(kinds, type);
  if (!kind) return { problem: fact("import.kind", { type: typed }) };
  if (kind.isPassive) return { kind: "service", body: { protocol: type, protocolConfig: {} } };
  if (address.includes("://")) {
    const found = monitorAt(address);
    if ("problem" in found || found.body["protocol"] === type) return found;
  }
  if (type === "dns")
    return { kind: "service", body: { protocol: type, protocolConfig: { hostname: address } } };
  const [, host = address, own] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(address) ?? [];
  const wanted = type === "icmp" ? undefined : (port ?? (own === undefined ? undefined : Number(own)));
  return {
    kind: "service",
    body: { protocol: type, protocolConfig: clean({ host: host.replace(/^\[(.*)\]$/, "$1"), port: wanted }) },
    port: wanted,
  };
}
