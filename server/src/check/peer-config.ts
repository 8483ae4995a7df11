import { Type } from "typebox";
import type { Peer } from "./datagrams.ts";
import { normaliseHost } from "./host.ts";

/** Fields that most kinds have which connect to a host. */
export const hostField = Type.String({
  format: "host",
  maxLength: 255,
  description: "The server's name or IP address (IPv4 or IPv6).",
  examples: ["example.com"],
});

const PORT = { minimum: 1, maximum: 65_535 };

/** `usual` is what the protocol's servers listen on; without one the port has to be given. */
export const portField = Type.Integer({ ...PORT, description: "The port it listens on." });
export const usualPort = (usual: number) =>
  Type.Optional(Type.Integer({ ...PORT, default: usual, description: "The port it listens on." }));

interface PeerConfig {
  host: string;
  port: number;
  tls?: boolean | undefined;
  ignoreCertificate?: boolean | undefined;
  serverName?: string | undefined;
  legacyRenegotiation?: boolean | undefined;
}

/** Whom to dial. Hosts are stored as they were typed. */
export const peerOf = (config: PeerConfig): Peer => ({
  host: normalised(config.host),
  port: config.port,
  tls: config.tls ?? false,
  ignoreCertificate: config.ignoreCertificate ?? false,
  serverName: config.serverName === undefined ? null : normalised(config.serverName),
  legacyRenegotiation: config.legacyRenegotiation ?? false,
});

const normalised = (host: string) => normaliseHost(host) ?? host;

/** `host:port`, as lists show it. */
export function hostAndPort({ host, port }: PeerConfig): string {
  const bare = normaliseHost(host) ?? host;
  return `${bare.includes(":") ? `[${bare}]` : bare}:${port}`;
}
