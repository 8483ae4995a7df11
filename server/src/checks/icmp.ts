import { type ChildProcess, spawn } from "node:child_process";
import { type Static, Type } from "typebox";
import { normaliseHost, type ResolvedAddress } from "../platform/formats/host.ts";
import { msg } from "../platform/i18n/message.ts";
import { ADDRESS_PHASES, type AddressRun, checkAddresses, type OngoingExchange } from "./address-check.ts";
import type { ProbedKind } from "./check.ts";
import { guarded } from "./deadline.ts";
import { hostField } from "./peer.ts";
import { shownHost } from "./reasons.ts";

/** Between two requests; less is only for the superuser. */
const SPACING_MS = 200;
/** How much of the time is for sending; the rest, for the last answer to come. */
const SENDING_PART = 0.5;
/** Of the program's output. */
const MAX_OUTPUT = 16_384;

interface PingResult {
  sent: number;
  received: number;
  /** The average round trip; null without an answer. */
  averageMs: number | null;
}

/** Why none was sent: there is no such program or none that knows our options, it may not, or the system knew no way. */
export type PingProblem = "missing" | "forbidden" | "unsent";

/**
 * By the system's program, as many of `count` as there is time for; calls back once, after `withinMs` at the
 * latest. Returns the function that ends it at once.
 */
function startPing(
  { address, family }: ResolvedAddress,
  { count, withinMs }: { count: number; withinMs: number },
  done: (result: PingResult | PingProblem) => void,
): () => void {
  const waitSeconds = `${Math.ceil(withinMs / 1000)}`;
  const sent = Math.min(count, 1 + Math.floor((withinMs * SENDING_PART) / SPACING_MS));
  const args = ["-n", "-c", `${sent}`, "-i", `${SPACING_MS / 1000}`, "-W", waitSeconds, address];
  return runPing([`-${family}`, ...args], withinMs, (problem, output) => done(problem ?? pingResult(output)));
}

/**
 * For `withinMs` at the longest; calls back with the output, or why it could not start. Returns the function
 * that ends it.
 */
export function runPing(
  args: readonly string[],
  withinMs: number,
  done: (problem: PingProblem | null, output: string) => void,
): () => void {
  const child = spawned(args);
  if (child === null) {
    const failed = setImmediate(() => done("forbidden", ""));
    return () => clearImmediate(failed);
  }
  // On that signal it prints what it has so far.
  const timer = setTimeout(() => child.kill("SIGINT"), withinMs);
  let output = "";
  const take = (bytes: Buffer) => {
    if (output.length < MAX_OUTPUT) output += bytes.toString("latin1");
  };
  // Where the system has no more files to open, there are no such streams.
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  const end = (problem: PingProblem | null) => {
    clearTimeout(timer);
    child.removeAllListeners("close");
    done(problem, output);
  };
  child.on("error", ({ code }: NodeJS.ErrnoException) => end(code === "ENOENT" ? "missing" : "forbidden"));
  child.on("close", () => end(null));
  return () => {
    clearTimeout(timer);
    child.kill("SIGKILL");
  };
}

/** Null where the system starts no program, as without memory: Node throws then. */
function spawned(args: readonly string[]): ChildProcess | null {
  try {
    return spawn("ping", args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
    });
  } catch {
    return null;
  }
}

const TALLY = /(\d{1,9}) packets transmitted, (\d{1,9}) (?:packets )?received/;
const AVERAGE = /(?:rtt|round-trip) min\/avg\/max\S* = [\d.]{1,20}\/([\d.]{1,20})\//;
const USAGE = /(?:invalid|illegal|unrecogni[sz]ed|unknown) option|invalid number|^usage:/im;
const FORBIDDEN = /not permitted|permission denied|must be root|lacking privilege/i;

/** What the program wrote, by iputils, busybox and BSD alike. */
export function pingResult(output: string): PingResult | PingProblem {
  const [, sent, received] = TALLY.exec(output) ?? [];
  if (sent === undefined || Number(sent) === 0) {
    if (FORBIDDEN.test(output)) return "forbidden";
    return USAGE.test(output) ? "missing" : "unsent";
  }
  const average = AVERAGE.exec(output)?.[1];
  return {
    sent: Number(sent),
    received: Number(received),
    averageMs: average === undefined ? null : Number(average),
  };
}

const COUNT = 3;
const MOST_LOSS = 99;

const icmpConfigSchema = Type.Object(
  {
    host: hostField,
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        default: COUNT,
        description: "How many echo requests to send.",
      }),
    ),
    maxLoss: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_LOSS,
        default: MOST_LOSS,
        description: "Down when more than this percentage of them goes unanswered.",
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Ping (ICMP)",
    description:
      "Sends echo requests with the system's `ping`, over IPv4 or IPv6. The response time is the average round trip. A host that is down looks like one that drops pings.",
  },
);

type IcmpConfig = Static<typeof icmpConfigSchema>;

const hostOf = ({ host }: IcmpConfig) => normaliseHost(host) ?? host;

export const checkIcmp: ProbedKind<IcmpConfig, typeof ADDRESS_PHASES> = {
  type: "icmp",
  phases: ADDRESS_PHASES,
  configSchema: icmpConfigSchema,
  target: hostOf,
  run: (config, environment) =>
    checkAddresses(hostOf(config), environment, (addresses, run) => ping(config, addresses, run)),
};

/** How much of the timeout is for waiting; the rest, for the program to end. */
const WAITED_PART = 0.9;

/** One address after the other, until one answers; the last one's failure is the host's. */
function ping(config: IcmpConfig, addresses: readonly ResolvedAddress[], run: AddressRun): OngoingExchange {
  const { count = COUNT } = config;
  const host = hostOf(config);
  const withinMs = (run.environment.timeoutMs * WAITED_PART) / addresses.length;
  let where = shownHost(host);
  let stop = () => {};
  const next = ([to, ...others]: readonly ResolvedAddress[]) => {
    if (to === undefined) return;
    where = to.address === host ? host : `${shownHost(host)} (${to.address})`;
    run.trace.address = to.address;
    const done = guarded(run.fault, (result: PingResult | PingProblem) => {
      if (run.isOver()) return;
      const isSilent = result === "unsent" || (typeof result === "object" && result.received === 0);
      if (isSilent && others.length > 0) next(others);
      else conclude(result, config, where, run);
    });
    stop = startPing(to, { count, withinMs }, done);
  };
  next(addresses);
  return {
    late: (timeoutMs) => msg("timeout.ping", { where, seconds: timeoutMs / 1000 }),
    stop: () => stop(),
  };
}

function conclude(
  result: PingResult | PingProblem,
  { maxLoss = MOST_LOSS }: IcmpConfig,
  where: string,
  { end, trace, environment }: AddressRun,
): void {
  if (result === "missing") return end(msg("internal.no_ping"));
  if (result === "forbidden") return end(msg("internal.ping_forbidden"));
  if (result === "unsent") return end(msg("unreachable.ping", { where }));
  const { sent, received, averageMs } = result;
  if (received === 0) return end(msg("timeout.ping", { where, seconds: environment.timeoutMs / 1000 }));
  trace.firstByteMs = averageMs;
  const loss = Math.round(((sent - received) / sent) * 100);
  const reason = loss > maxLoss ? msg("assertion.loss", { where, loss, most: maxLoss }) : null;
  // What counts is how far away the host is, not how many requests were sent.
  end(reason, (trace.dnsMs ?? 0) + (averageMs ?? 0));
}
