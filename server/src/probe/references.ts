import net from "node:net";
import { followNameServersInUse, makeDnsResolver } from "../check/name-servers.ts";
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

/** Tries every reference there is at the moment of the call, all at once; each rejects that does not answer in time. */
export function followReferences(options: ReferenceOptions): () => Promise<void>[] {
  const { referenceTargets, resolvers, resolvConf, stubResolvConf, timeoutMs = 1_000 } = options;
  if (referenceTargets.length > 0) return () => referenceTargets.map((target) => connect(target, timeoutMs));
  const servers = followNameServersInUse(resolvers, { resolvConf, stubResolvConf });
  return () => servers().map((server) => askForRoot(server, timeoutMs));
}

/** Rejects when nobody answers in time; a refusal is an answer. */
function connect(target: string, timeoutMs: number): Promise<void> {
  const split = target.lastIndexOf(":");
  const host = bareHost(target.slice(0, split));
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port: Number(target.slice(split + 1)) });
    const end = (error: NodeJS.ErrnoException | null) => {
      clearTimeout(timer);
      socket.destroy();
      if (error === null || error.code === "ECONNREFUSED") resolve();
      else reject(error);
    };
    const timer = setTimeout(() => end(new Error(`${target} does not answer`)), timeoutMs);
    socket.once("connect", () => end(null));
    socket.once("error", end);
  });
}

/** Asks for the root's name servers. SERVFAIL is what a forwarder says that is cut off itself: no answer. */
async function askForRoot(server: string, timeoutMs: number): Promise<void> {
  const resolver = makeDnsResolver([server], { timeout: timeoutMs, tries: 1 });
  try {
    await resolver.resolveNs(".");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENODATA" && code !== "ENOTFOUND") throw error;
  }
}
