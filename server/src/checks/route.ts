import { isIP } from "node:net";
import { type Static, Type } from "typebox";
import type { ResolvedAddress } from "../platform/formats/host.ts";
import { assertAllowed, isPublicAddress, type TargetPolicy } from "./guard.ts";
import { type PingProblem, pingResult, runPing } from "./icmp.ts";

/** How long one hop may take to answer. */
const WAIT_SECONDS = 1;
/** After that the program ends by itself; it is ended where it does not. */
const KILL_MS = 3_000;
/** What took longer is no round trip: the clock was set. */
const MAX_MS = 10_000;

/** Who answered a packet that may pass so many routers and no more. */
interface HopAnswer {
  address: string;
  /** About how long it took; null where the program does not print it. */
  ms: number | null;
  /** `passing`: a router on the way. `target`: the address itself. `barred`: a router that reports no way on. */
  as: "passing" | "target" | "barred";
}

/**
 * One echo request that passes `hop - 1` routers; calls back with what answered (null: nothing), or why none
 * was sent. Returns the function that ends it.
 */
function startHop(
  to: ResolvedAddress,
  hop: number,
  done: (answer: HopAnswer | PingProblem | null) => void,
): () => void {
  const args = hopArgs(to, hop, process.platform);
  if (args === null) {
    done("missing");
    return () => {};
  }
  const stop = runPing(args, KILL_MS, (problem, output) => done(problem ?? readHop(output, sentMs)));
  // The program has been loaded by now, and sends within a few milliseconds.
  const sentMs = Date.now();
  return stop;
}

/**
 * `-D` makes iputils write the time of an answer; busybox does not know it. Null for a system whose program
 * is not known to print routers.
 */
export function hopArgs(
  { address, family }: ResolvedAddress,
  hop: number,
  platform: string,
): string[] | null {
  const once = ["-n", "-c", "1"];
  if (platform === "linux") {
    return [`-${family}`, ...once, "-D", "-t", `${hop}`, "-W", `${WAIT_SECONDS}`, address];
  }
  const isBsd = platform === "darwin" && family === 4;
  return isBsd ? [...once, "-m", `${hop}`, "-W", `${WAIT_SECONDS * 1000}`, address] : null;
}

const ADDRESS = "([0-9a-fA-F.:]{2,45}?)(?:%[\\w.-]{1,16})?";
const REPLY = new RegExp(`^(?:\\[[\\d.]{1,24}\\] )?\\d{1,6} bytes from ${ADDRESS}: icmp_seq=(.{1,100})`, "m");
const TIME = /time[=<]([\d.]{1,12}) ms/;
/** By iputils, with the time of the answer, and by BSD. */
const OTHERS = new RegExp(
  `^(?:(?:\\[([\\d.]{1,24})\\] )?From ${ADDRESS}:? icmp_seq=\\d{1,9}|\\d{1,6} bytes from ${ADDRESS}:) (Time|Dest|Packet filtered)`,
  "m",
);

/** What the program wrote of one hop. `sentMs`: when it was started. */
export function readHop(output: string, sentMs: number): HopAnswer | PingProblem | null {
  const reply = REPLY.exec(output);
  if (reply) return answerOf(reply[1], Number(TIME.exec(reply[2] ?? "")?.[1] ?? Number.NaN), "target");
  const other = OTHERS.exec(output);
  if (other) {
    const [, at, iputils, bsd, what] = other;
    const ms = Math.round(Number(at) * 1000 - sentMs);
    return answerOf(iputils ?? bsd, ms, what === "Time" ? "passing" : "barred");
  }
  const result = pingResult(output);
  return typeof result === "string" ? result : null;
}

function answerOf(address = "", ms: number, as: HopAnswer["as"]): HopAnswer | null {
  if (isIP(address) === 0) return null;
  return { address, ms: ms >= 0 && ms <= MAX_MS ? ms : null, as };
}

const MAX_HOPS = 30;
const WITHIN_MS = 10_000;
/** One program after the other: starting one takes a millisecond or two of this thread. */
const SPACING_MS = 150;
/** After so many silent hops in a row, no later one will answer. */
const MAX_SILENT = 8;

/** In place of a private address. */
const PRIVATE = "private";

/** The way of packets to an address, as far as those on it answer. Bounded, also when a remote probe sends it. */
export const routeSchema = Type.Object(
  {
    hops: Type.Array(
      Type.Object(
        {
          hop: Type.Integer({ minimum: 1, maximum: MAX_HOPS }),
          /** Null: no answer. */
          address: Type.Union([
            Type.String({ maxLength: 45, pattern: `^([0-9a-fA-F.:]+|${PRIVATE})$` }),
            Type.Null(),
          ]),
          ms: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
        },
        { additionalProperties: false },
      ),
      { maxItems: MAX_HOPS },
    ),
    /** Whether the last hop is the address itself. */
    isReached: Type.Boolean(),
    /** Why there is none: as with PingProblem, or too many were requested at once. */
    problem: Type.Union([
      Type.Null(),
      Type.Literal("missing"),
      Type.Literal("forbidden"),
      Type.Literal("unsent"),
      Type.Literal("busy"),
    ]),
  },
  { additionalProperties: false },
);

export type Route = Static<typeof routeSchema>;

/** None, and why. */
export const noRoute = (problem: Route["problem"]): Route => ({
  hops: [],
  isReached: false,
  problem,
});

/**
 * By pings that pass one router more each time: at most 30 hops and 10 s. Null: aborted. Throws GuardError
 * when the address must not be contacted.
 */
export async function traceRoute(
  to: ResolvedAddress,
  { policy, signal }: { policy: TargetPolicy; signal: AbortSignal },
): Promise<Route | null> {
  assertAllowed(to.address, policy);
  if (signal.aborted) return null;
  const { promise, resolve } = Promise.withResolvers<Route | null>();
  const answers: (HopAnswer | null)[] = [];
  const stops: (() => void)[] = [];
  /** The last hop that is worth probing. */
  let last = MAX_HOPS;
  /** Why no more packets are sent. */
  let problem: PingProblem | null = null;
  const next = () => {
    if (stops.length >= last) return clearInterval(spacing);
    const index = stops.length;
    stops.push(startHop(to, index + 1, (answer) => recordHop(index, answer)));
  };
  const recordHop = (index: number, answer: HopAnswer | PingProblem | null) => {
    if (typeof answer === "string") {
      problem = answer;
      last = Math.min(last, index);
    } else {
      answers[index] ??= answer;
      if (answer !== null && answer.as !== "passing") last = Math.min(last, index + 1);
      last = Math.min(last, endOfSilence(answers));
    }
    if (!isKnown(answers, last)) return;
    const isSilent = answers.slice(0, last).every((one) => one === null);
    resolve(problem !== null && isSilent ? noRoute(problem) : routeOf(answers, last, policy));
  };
  const abort = () => resolve(null);
  const spacing = setInterval(next, SPACING_MS);
  const limit = setTimeout(() => resolve(routeOf(answers, last, policy)), WITHIN_MS);
  signal.addEventListener("abort", abort);
  next();
  const route = await promise;
  clearInterval(spacing);
  clearTimeout(limit);
  signal.removeEventListener("abort", abort);
  for (const stop of stops) stop();
  return route;
}

/** Where so many hops in a row are known to be silent; the end of what may be probed where none are. */
function endOfSilence(answers: readonly (HopAnswer | null)[]): number {
  let silent = 0;
  for (const [index, answer] of answers.entries()) {
    if (answer === undefined) break;
    silent = answer === null ? silent + 1 : 0;
    if (silent === MAX_SILENT) return index + 1;
  }
  return MAX_HOPS;
}

/** Whether each of the first so many hops has answered, or has had its time. */
const isKnown = (answers: readonly (HopAnswer | null)[], last: number): boolean =>
  Array.from({ length: last }, (_, index) => answers[index]).every((answer) => answer !== undefined);

function routeOf(answers: readonly (HopAnswer | null)[], last: number, policy: TargetPolicy): Route {
  const known = Array.from({ length: last }, (_, index) => answers[index] ?? null);
  const count = known.findLastIndex((answer) => answer !== null) + 1;
  const hops = known.slice(0, count).map((answer, index) => ({
    hop: index + 1,
    address: answer && shownAddress(answer.address, policy),
    ms: answer && answer.ms,
  }));
  return { hops, isReached: known[count - 1]?.as === "target", problem: null };
}

/** Anonymous clients who choose the targets must not map the network behind this machine. */
const shownAddress = (address: string, policy: TargetPolicy): string =>
  policy === "public" && !isPublicAddress(address) ? PRIVATE : address;
