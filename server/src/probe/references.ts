import dns from "node:dns";
import net from "node:net";
import { followNameServersInUse } from "../check/name-servers.ts";
import { bareHost } from "../config-values.ts";

/** Whom the egress guard asks whether the probe's own line is up. */
export interface ReferenceOptions {
  /** `address:port` each, tried with a TCP connection; empty: the name servers; ["off"]: no guard. */
  referenceTargets: readonly string[];
  /** Name servers as configured, `address` or `address:port`; empty: the system's, which are followed as they change. */
  resolvers: readonly string[];
  /** Where the system's are, and those behind systemd's stub; default: the system's own files. */
  resolvConf?: string;
  stubResolvConf?: string;
  /** How long a reference may take; default 1000. */
  timeoutMs?: number;
}

/** The references there are at a moment. */
export interface References {
  /** Tries every one, all at once. Each resolves to whether the answer was no refusal, and rejects without one in time. */
  ask(): Promise<boolean>[];
  /** Null while they are not known: a machine that loses its line may lose its name servers with it. */
  names: string | null;
}

/** What is left of the system's list without any: systemd's stub alone, or the resolver's own default. */
const NO_NAME_SERVERS = new Set(["", "127.0.0.53", "127.0.0.1"]);

/** Follows the references as they change. */
export function followReferences(options: ReferenceOptions): () => References {
  const { referenceTargets, resolvers, resolvConf, stubResolvConf, timeoutMs = 1_000 } = options;
  if (referenceTargets.length > 0) {
    const ask = () => referenceTargets.map((target) => connect(target, timeoutMs));
    return () => ({ ask, names: referenceTargets.join() });
  }
  const servers = followNameServersInUse(resolvers, { resolvConf, stubResolvConf });
  return () => {
    const present = servers();
    const names = present.toSorted().join();
    const ask = () => present.map((server) => askForRoot(server, timeoutMs));
    return { ask, names: NO_NAME_SERVERS.has(names) ? null : names };
  };
}

/** Rejects when nobody answers in time; a refusal is an answer. */
function connect(target: string, timeoutMs: number): Promise<boolean> {
  const split = target.lastIndexOf(":");
  const host = bareHost(target.slice(0, split));
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port: Number(target.slice(split + 1)) });
    const end = (error: NodeJS.ErrnoException | null) => {
      clearTimeout(timer);
      socket.destroy();
      if (error === null || error.code === "ECONNREFUSED") resolve(true);
      else reject(error);
    };
    const timer = setTimeout(() => end(new Error(`${target} does not answer`)), timeoutMs);
    socket.once("connect", () => end(null));
    socket.once("error", end);
  });
}

/**
 * Asks for the root's name servers. Resolves to false when the server refuses that. SERVFAIL is what a forwarder says
 * when it is cut off itself: not an answer.
 */
async function askForRoot(server: string, timeoutMs: number): Promise<boolean> {
  const resolver = new dns.promises.Resolver({ timeout: timeoutMs, tries: 1 });
  // One that is reached through a certain interface alone (`fe80::1%eth0`) is in the system's list, and cannot be set.
  if (!server.includes("%")) resolver.setServers([server]);
  try {
    await resolver.resolveNs(".");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EREFUSED") return false;
    if (code !== "ENODATA" && code !== "ENOTFOUND") throw error;
  }
  return true;
}
