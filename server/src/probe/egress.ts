import dns from "node:dns";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import type { CheckOutcome, ReasonCode } from "../check/check.ts";
import { assertAllowed } from "../check/guard.ts";

/**
 * The egress guard (decisions §6): when checks fail for reasons of the network, is it the probe's own
 * line that is down? Then they say nothing about their targets.
 */
export interface EgressGuard {
  /** Whether this failure could be the probe's own. */
  concerns(outcome: CheckOutcome): boolean;
  /** Whether no reference target answers though one did earlier; one test serves everybody for 2 s. */
  isCutOff(): Promise<boolean>;
}

export interface EgressOptions {
  /** `address:port` each, tried with a TCP connection; empty: the name servers; ["off"]: no guard. */
  referenceTargets: readonly string[];
  /** Name servers as configured, `address` or `address:port`; empty: the system's. */
  resolvers: readonly string[];
  /** How long a reference may take; default 1000. */
  timeoutMs?: number;
  /** How long the answer of a test counts; default 2000. */
  sharedMs?: number;
  /** A file that is made once a reference has answered, for the next start of the probe. */
  markFile?: string;
  /** How long a new start is given to find its line again when an earlier one had it; default an hour. */
  recallMs?: number;
}

type Attempt = () => Promise<unknown>;

/** Failures without any answer from the target. A refused connection is an answer. */
const NETWORK_FAILURES = new Set<ReasonCode | null>(["dns", "unreachable", "timeout"]);

const RECALL_MS = 3_600_000;

/**
 * The first test is made at once. An installation none of whose references ever answered is taken
 * for an isolated one and judges its targets without the guard; one that had its line before a
 * restart is taken to be cut off for up to an hour, because machines start before their network does.
 */
export function createEgressGuard(options: EgressOptions): EgressGuard {
  const { timeoutMs = 1_000, sharedMs = 2_000 } = options;
  if (options.referenceTargets[0] === "off") return { concerns: () => false, isCutOff: async () => false };
  const attempts = attemptsOf(options, timeoutMs);
  const recallUntilMs = performance.now() + (options.recallMs ?? RECALL_MS);
  const hadLine = options.markFile !== undefined && existsSync(options.markFile);
  let hasAnswered = false;
  let latest: Promise<boolean> = Promise.resolve(false);
  let sharedUntilMs = Number.NEGATIVE_INFINITY;
  const test = async () => {
    const answered = await Promise.any(attempts.map((attempt) => attempt())).then(
      () => true,
      () => false,
    );
    if (answered && !hasAnswered && !hadLine) leaveMark(options.markFile);
    hasAnswered ||= answered;
    return !answered && (hasAnswered || (hadLine && performance.now() < recallUntilMs));
  };
  const isCutOff = () => {
    if (performance.now() >= sharedUntilMs) {
      sharedUntilMs = performance.now() + sharedMs;
      latest = test();
    }
    return latest;
  };
  void isCutOff();
  return { concerns, isCutOff };
}

/** Without it the next start judges as the first one did: no reason to fail. */
function leaveMark(file: string | undefined): void {
  try {
    if (file !== undefined) writeFileSync(file, "");
  } catch {
    // A full disk, for one; the next start tries again.
  }
}

function concerns({ verdict, reasonCode, address }: CheckOutcome): boolean {
  if (verdict !== "failed" || !NETWORK_FAILURES.has(reasonCode)) return false;
  return address === null || isPublic(address);
}

function isPublic(address: string): boolean {
  try {
    assertAllowed(address, "public");
    return true;
  } catch {
    return false;
  }
}

function attemptsOf({ referenceTargets, resolvers }: EgressOptions, timeoutMs: number): Attempt[] {
  if (referenceTargets.length > 0) return referenceTargets.map((target) => () => connect(target, timeoutMs));
  const servers = resolvers.length > 0 ? resolvers : systemServers();
  return servers.map((server) => () => askForRoot(server, timeoutMs));
}

/** systemd's local stub answers from its cache without any network: look behind it. */
function systemServers(): string[] {
  const servers = dns.getServers();
  if (servers.join() !== "127.0.0.53") return servers;
  try {
    const text = readFileSync("/run/systemd/resolve/resolv.conf", "utf8");
    const behind = [...text.matchAll(/^nameserver\s+([0-9a-fA-F:.]+)\s*$/gm)].map((match) => match[1] ?? "");
    return behind.length > 0 ? behind : servers;
  } catch {
    return servers;
  }
}

/** Rejects when nobody answers in time; a refusal is an answer. */
function connect(target: string, timeoutMs: number): Promise<void> {
  const split = target.lastIndexOf(":");
  const host = target.slice(0, split).replace(/^\[|\]$/g, "");
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
  const resolver = new dns.promises.Resolver({ timeout: timeoutMs, tries: 1 });
  resolver.setServers([net.isIP(server) === 6 ? `[${server}]` : server]);
  try {
    await resolver.resolveNs(".");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENODATA" && code !== "ENOTFOUND") throw error;
  }
}
