import dns from "node:dns";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import type { CheckOutcome } from "../../checks/check.ts";
import type { LostMs } from "../../checks/deadline.ts";
import { isPublicAddress } from "../../checks/guard.ts";
import { followNameServersInUse } from "../../checks/name-servers.ts";
import { classOf, type ReasonClass } from "../../checks/reasons.ts";
import { bareHost } from "../../platform/config-values.ts";

/** What the egress guard tests the probe's own connection against. */
interface ReferenceOptions {
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
interface References {
  /** Tries every one, all at once. Each resolves to whether the answer was no refusal, and rejects without one in time. */
  probe(): Promise<boolean>[];
  /** Null while they are not known: a machine that loses its line may lose its name servers with it. */
  names: string | null;
}

/** What is left of the system's list without any: systemd's stub alone, or the resolver's own default. */
const NO_NAME_SERVERS = new Set(["", "127.0.0.53", "127.0.0.1"]);

/** Follows the references as they change. */
function followReferences(options: ReferenceOptions): () => References {
  const { referenceTargets, resolvers, resolvConf, stubResolvConf, timeoutMs = 1_000 } = options;
  if (referenceTargets.length > 0) {
    const probe = () => referenceTargets.map((target) => connect(target, timeoutMs));
    return () => ({ probe, names: referenceTargets.join() });
  }
  const servers = followNameServersInUse(resolvers, { resolvConf, stubResolvConf });
  return () => {
    const present = servers();
    const names = present.toSorted().join();
    const probe = () => present.map((server) => queryRoot(server, timeoutMs));
    return { probe, names: NO_NAME_SERVERS.has(names) ? null : names };
  };
}

/** Rejects when no answer comes in time; a refusal is an answer. */
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
 * Queries the root's name servers. Resolves to false when the server refuses that. SERVFAIL is what a forwarder says
 * when it is cut off itself: not an answer.
 */
async function queryRoot(server: string, timeoutMs: number): Promise<boolean> {
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

/**
 * The egress guard: when checks fail for reasons of the network, is it the probe's own
 * line that is down? Then they say nothing about their targets.
 */
export interface EgressGuard {
  /** Whether this failure could be the probe's own. */
  concerns(outcome: CheckOutcome): boolean;
  /**
   * Whether no reference target answers though one of these did earlier. Only a test begun after the check ended can
   * say that the line is up; that it is down, a test begun while the check was under way may say too.
   */
  isCutOff(check: CheckSpan): Promise<boolean>;
}

/** When a check was under way; `performance.now`. */
export interface CheckSpan {
  startedMs: number;
  endedMs: number;
}

export interface EgressOptions extends ReferenceOptions {
  /** Of this thread: a test that it was blocked in is repeated. Absent: none. */
  lostMs?: LostMs;
  /** From the beginning of one test to that of the next at least; default 200. */
  spacingMs?: number;
  /** A file that is made once a reference has answered, for the next start of the probe. */
  markFile?: string;
  /** How long a new start is given to find its line again when an earlier one had it; default an hour. */
  recallMs?: number;
}

/** Failures without any answer from the target. A refused connection is an answer. */
const NETWORK_FAILURES = new Set<ReasonClass>(["dns", "unreachable", "timeout"]);

const RECALL_MS = 3_600_000;
const SPACING_MS = 200;

interface LineTest {
  /** Infinity until it begins. */
  begunMs: number;
  isCutOff: Promise<boolean>;
}

/**
 * One test at a time, shared by all whose check ended before it began; the others wait for the next. The
 * first one is made at once. An installation none of whose references ever answered is taken
 * for an isolated one and evaluates its targets without the guard; one that had its line before a
 * restart is taken to be cut off for up to an hour, because machines start before their network does.
 */
export function createEgressGuard(options: EgressOptions): EgressGuard {
  if (options.referenceTargets[0] === "off") return { concerns: () => false, isCutOff: async () => false };
  const answers = lineOf(options);
  const spacingMs = options.spacingMs ?? SPACING_MS;
  let lastBegunMs = Number.NEGATIVE_INFINITY;
  /** When the newest test began that found the line down. */
  let cutOffMs = Number.NEGATIVE_INFINITY;
  let current: LineTest | null = null;
  const run = async (test: LineTest) => {
    const waitMs = lastBegunMs + spacingMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    test.begunMs = lastBegunMs = performance.now();
    const isCutOff = !(await answers());
    if (isCutOff) cutOffMs = test.begunMs;
    current = null;
    return isCutOff;
  };
  const begin = () => {
    const test: LineTest = { begunMs: Number.POSITIVE_INFINITY, isCutOff: Promise.resolve(false) };
    current = test;
    test.isCutOff = run(test);
    return test.isCutOff;
  };
  const isCutOff = (check: CheckSpan): Promise<boolean> => {
    if (check.startedMs <= cutOffMs) return Promise.resolve(true);
    if (current === null) return begin();
    if (current.begunMs >= check.endedMs) return current.isCutOff;
    return current.isCutOff.then(() => isCutOff(check));
  };
  void begin();
  return { concerns, isCutOff };
}

/**
 * Tests the references. Resolves to whether the line is to be taken for up. What was answered before counts for
 * the very references that did: others may never answer. A refusal is an answer of those that gave no better one
 * so far; a router that answers otherwise refuses when its own line is down.
 */
function lineOf(options: EgressOptions): () => Promise<boolean> {
  const { markFile, recallMs = RECALL_MS, lostMs = () => 0 } = options;
  const references = followReferences(options);
  const recallUntilMs = performance.now() + recallMs;
  const marked = readMark(markFile);
  let names: string | null = null;
  let best: ReferenceReply = "silence";
  return async () => {
    const { probe, names: present } = references();
    if (present !== null && present !== names) [names, best] = [present, "silence"];
    const lostBeforeMs = lostMs();
    let reply = await listen(probe());
    if (reply !== "answer" && lostMs() > lostBeforeMs) reply = await listen(probe());
    if (reply === "answer") {
      if (best !== "answer" && marked !== names) leaveMark(markFile, names);
      best = reply;
      return true;
    }
    const isRecalled = marked !== null && (names === null || marked === names);
    if (best === "answer" || (isRecalled && performance.now() < recallUntilMs)) return false;
    if (reply === "refusal") best = reply;
    return reply === "refusal" || best === "silence";
  };
}

type ReferenceReply = "answer" | "refusal" | "silence";

async function listen(attempts: Promise<boolean>[]): Promise<ReferenceReply> {
  const answers = attempts.map(async (attempt) => (await attempt) || Promise.reject(new Error("Refused")));
  return Promise.any(answers).then(
    () => "answer" as const,
    async () => {
      const all = await Promise.allSettled(attempts);
      return all.some(({ status }) => status === "fulfilled") ? "refusal" : "silence";
    },
  );
}

/** Which references answered an earlier start; null: none did. */
function readMark(file: string | undefined): string | null {
  try {
    return file === undefined ? null : readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** Without it the next start behaves like the first: no reason to fail. */
function leaveMark(file: string | undefined, names: string | null): void {
  try {
    if (file !== undefined) writeFileSync(file, names ?? "");
  } catch {
    // A full disk, for one; the next start tries again.
  }
}

function concerns({ verdict, reason, address }: CheckOutcome): boolean {
  if (verdict !== "failed" || reason === null || !NETWORK_FAILURES.has(classOf(reason))) return false;
  return address === null || isPublicAddress(address);
}
