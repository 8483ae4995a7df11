import { type Static, Type } from "typebox";
import type { ResolvedAddress } from "./address.ts";
import { assertAllowed, isPublicAddress, type TargetPolicy } from "./guard.ts";
import { type HopAnswer, startHop } from "./hop.ts";
import type { PingTrouble } from "./ping.ts";

const MAX_HOPS = 30;
const WITHIN_MS = 10_000;
/** One program after the other: starting one takes a millisecond or two of this thread. */
const SPACING_MS = 150;
/** After so many hops in a row that nobody answers, nobody will. */
const MAX_SILENT = 8;

/** In place of an address inside that is nobody's business. */
const PRIVATE = "private";

/** The way of packets to an address, as far as those on it answer. Bounded, whoever made it. */
export const routeSchema = Type.Object(
  {
    hops: Type.Array(
      Type.Object(
        {
          hop: Type.Integer({ minimum: 1, maximum: MAX_HOPS }),
          /** Null: nobody answered. */
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
    /** Why there is none: as with PingTrouble, or too many were asked for at once. */
    trouble: Type.Union([
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
export const noRoute = (trouble: Route["trouble"]): Route => ({ hops: [], isReached: false, trouble });

/**
 * Follows the way to an address by pings that pass one router more each time: at most 30 hops and 10 s. Null: the signal
 * ended it. Throws GuardError when the address must not be contacted.
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
  /** The last hop that is worth asking. */
  let last = MAX_HOPS;
  const next = () => {
    if (stops.length >= last) return clearInterval(spacing);
    const index = stops.length;
    stops.push(startHop(to, index + 1, (answer) => heard(index, answer)));
  };
  const heard = (index: number, answer: HopAnswer | PingTrouble | null) => {
    if (typeof answer === "string") {
      const isFirst = answers.every((one) => one === null);
      return resolve(isFirst ? noRoute(answer) : routeOf(answers, last, policy));
    }
    answers[index] ??= answer;
    if (answer !== null && answer.as !== "passing") last = Math.min(last, index + 1);
    last = Math.min(last, endOfSilence(answers));
    if (isKnown(answers, last)) resolve(routeOf(answers, last, policy));
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

/** Where so many hops in a row are known to be silent; the end of what may be asked where none are. */
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
  return { hops, isReached: known[count - 1]?.as === "target", trouble: null };
}

/** Strangers who choose the targets must not map the network behind this machine. */
const shownAddress = (address: string, policy: TargetPolicy): string =>
  policy === "public" && !isPublicAddress(address) ? PRIVATE : address;
