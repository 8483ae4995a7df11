import type { ProbeResult, ResultSink } from "./link.ts";

/** Refusals without any success after which the store itself is taken to be the trouble. */
const REFUSALS_WITHOUT_SUCCESS = 12;

/**
 * Stores what can be stored, halving what is refused, and answers the results that were refused one
 * by one while others were taken; null when nothing was taken: then the store is at fault, not they.
 * Parts that are stored here and again later change nothing.
 */
export async function storePart(
  sink: ResultSink,
  results: readonly ProbeResult[],
  sequence: number,
): Promise<ProbeResult[] | null> {
  const refused: ProbeResult[] = [];
  const open: ProbeResult[][] = [[...results]];
  let taken = 0;
  let refusals = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    try {
      await sink.accept({ sequence, results: part });
      taken += part.length;
    } catch {
      refusals += 1;
      if (taken === 0 && refusals >= REFUSALS_WITHOUT_SUCCESS) return null;
      if (part.length === 1) refused.push(...part);
      else {
        const middle = part.length >> 1;
        open.push(part.slice(middle), part.slice(0, middle));
      }
    }
  }
  return taken === 0 ? null : refused;
}
