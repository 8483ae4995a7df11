import { createThread, ThreadEnded } from "../thread.ts";
import type { Assertion } from "./assertion-config.ts";
import { type AnswerDetails, type Evaluation, evaluateAssertions } from "./assertions.ts";
import { bodyText } from "./contains-text.ts";

/** An answer as far as assertions ask, in a form that can be handed to a thread. */
export interface EvaluationRequest {
  assertions: readonly Assertion[];
  statusCode: number;
  /** Those that assertions need, by their names in lower case. */
  headers: ReadonlyMap<string, string | undefined>;
  contentType: string | undefined;
  body: Uint8Array;
  bodyCut: boolean;
  totalUs: number;
}

/** Reading so much takes less than a millisecond, whatever is in it. */
export const AT_ONCE_BYTES = 16 * 1024;
/** Who took longer than this last time waits in a line of their own. */
const SLOW_MS = 5;
const IDLE_MS = 30_000;
const STUCK_MS = 30_000;
const HEAP_MB = 128;
const YOUNG_MB = 16;

/** Started by the first large body that this thread of the server is to evaluate. */
const thread = createThread<EvaluationRequest>({
  entry: new URL("./body-thread.ts", import.meta.url),
  name: "vedette-assertions",
  workerData: null,
  limits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  idleMs: IDLE_MS,
  stuckMs: STUCK_MS,
});

/** What is being evaluated, one at a time, and who waits: those that were quick last time do not wait for all the others. */
const lines = { isBusy: false, isSlowTurn: false, quick: [] as (() => void)[], slow: [] as (() => void)[] };
const tookMs = new WeakMap<object, number>();

/**
 * Evaluates an answer with a large body in a thread of its own: what a monitored page costs must not be measured in the checks of
 * others. `owner`: on whose behalf, the same object each time. Never throws for what is in the body.
 */
export async function evaluateLargeBody(owner: object, request: EvaluationRequest): Promise<Evaluation> {
  await enterLine((tookMs.get(owner) ?? 0) > SLOW_MS);
  const begun = performance.now();
  try {
    return (await thread.run(request)) as Evaluation;
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    return evaluateBody(request);
  } finally {
    tookMs.set(owner, performance.now() - begun);
    leaveLine();
  }
}

/** Evaluates it here and now. */
export function evaluateBody({
  assertions,
  headers,
  contentType,
  body,
  ...facts
}: EvaluationRequest): Evaluation {
  const text = bodyText(Buffer.from(body.buffer, body.byteOffset, body.byteLength), contentType);
  const answer: AnswerDetails = { ...facts, header: (name) => headers.get(name), body: text };
  return evaluateAssertions(assertions, answer);
}

function enterLine(isSlow: boolean): Promise<void> | undefined {
  if (!lines.isBusy) {
    lines.isBusy = true;
    return undefined;
  }
  return new Promise((resolve) => lines[isSlow ? "slow" : "quick"].push(resolve));
}

function leaveLine(): void {
  const { quick, slow } = lines;
  const isSlow = slow.length > 0 && (lines.isSlowTurn || quick.length === 0);
  lines.isSlowTurn = !isSlow;
  const next = isSlow ? slow.shift() : quick.shift();
  if (next) next();
  else lines.isBusy = false;
}
