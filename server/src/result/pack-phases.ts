import type { StoredResult } from "../store/queries/results.ts";
import { type BitReader, type BitWriter, takeBits } from "./bits.ts";
import { putIntegers, takeIntegers } from "./pack-numbers.ts";
import { nearestRank, rankOfUs, usOfRank } from "./precision.ts";

/** The durations of a result. The total is last, as it is foretold from the others. */
export const PHASES = ["dnsUs", "connectUs", "tlsUs", "firstByteUs", "totalUs"] as const;
type Phase = (typeof PHASES)[number];
const PARTS = PHASES.slice(0, 4);
/** The total's bit (see phasesOf). */
const TOTAL = 1 << PHASES.indexOf("totalUs");
/** Where a column holds ranks (precision.ts) instead of microseconds: all its durations are of that precision. */
const AS_RANKS = 1;
const AS_MICROSECONDS = 0;

/** A bit for each phase that a result has. */
export function phasesOf(result: StoredResult): number {
  let bits = 0;
  for (const [i, phase] of PHASES.entries()) if (result[phase] !== null) bits |= 1 << i;
  return bits;
}

/**
 * Writes the durations, a column a phase. The total is written as its distance from what the other
 * phases add up to, the body's time as a rule, which is short and steady.
 */
export function putPhases(writer: BitWriter, results: readonly StoredResult[]): void {
  for (const phase of PHASES) {
    const column: number[] = [];
    const sums: number[] = [];
    for (const result of results) {
      const us = result[phase];
      if (us === null) continue;
      column.push(us);
      if (phase === "totalUs") sums.push(PARTS.reduce((sum, part) => sum + (result[part] ?? 0), 0));
    }
    const ranks = column.map(rankOfUs);
    const ranked = !ranks.includes(-1);
    writer.put(ranked ? AS_RANKS : AS_MICROSECONDS, 1);
    const values = ranked ? ranks : column;
    // Sums are near enough to be worth it only where ranks keep everything small.
    const foretold = ranked && phase === "totalUs" ? sums.map(nearestRank) : [];
    putIntegers(
      writer,
      values.map((value, i) => value - (foretold[i] ?? 0)),
    );
  }
}

/** Microseconds by phase and result; 0 where the result's shape says that the phase is not there. */
export type PhaseColumns = Record<Phase, number[]>;

/** Reads what `putPhases` has written for as many results as there are `shapes`. */
export function takePhases(reader: BitReader, shapes: readonly { phases: number }[]): PhaseColumns {
  const columns = {} as PhaseColumns;
  const sums = new Array<number>(shapes.length).fill(0);
  for (const [i, phase] of PHASES.entries()) {
    columns[phase] = takeColumn(reader, shapes, { bit: 1 << i, sums, isTotal: phase === "totalUs" });
  }
  return columns;
}

/** One phase of all results; adds it to their `sums`, which foretell the total. */
function takeColumn(
  reader: BitReader,
  shapes: readonly { phases: number }[],
  { bit, sums, isTotal }: { bit: number; sums: number[]; isTotal: boolean },
): number[] {
  let count = 0;
  for (const shape of shapes) if ((shape.phases & bit) !== 0) count += 1;
  const ranked = takeBits(reader, 1) === AS_RANKS;
  const values = takeIntegers(reader, count);
  if (ranked && !isTotal) for (let i = 0; i < count; i += 1) values[i] = usOf(values[i] as number);
  // As a rule all have a phase or none has.
  const column = count === shapes.length ? values : spread(values, shapes, bit);
  if (ranked && isTotal) addForetold(column, shapes, sums);
  else if (!isTotal && count > 0) addTo(sums, column);
  return column;
}

/** To the ranks of totals those of what is foretold, and so to microseconds. */
function addForetold(column: number[], shapes: readonly { phases: number }[], sums: readonly number[]): void {
  for (let i = 0; i < column.length; i += 1) {
    if (((shapes[i] as { phases: number }).phases & TOTAL) === 0) continue;
    column[i] = usOf((column[i] as number) + nearestRank(sums[i] as number));
  }
}

function addTo(sums: number[], column: readonly number[]): void {
  for (let i = 0; i < sums.length; i += 1) sums[i] = (sums[i] as number) + (column[i] as number);
}

/** The values in the places of those that have one, 0 in the others. */
function spread(values: readonly number[], shapes: readonly { phases: number }[], bit: number): number[] {
  let next = 0;
  return shapes.map(({ phases }) => ((phases & bit) === 0 ? 0 : (values[next++] as number)));
}

function usOf(rank: number): number {
  const us = usOfRank(rank);
  if (us === undefined) throw new RangeError("a duration is out of range");
  return us;
}
