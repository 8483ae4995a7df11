import type { StoredResult } from "../store/queries/results.ts";
import { type BitReader, type BitWriter, takeBits } from "./bits.ts";
import { putIntegers, takeIntegers } from "./pack-numbers.ts";
import { nearestRank, rankOfUs, usOfRank } from "./precision.ts";

/** The durations of a result. The total is last, as it is foretold from the others. */
export const PHASES = ["dnsUs", "connectUs", "tlsUs", "firstByteUs", "totalUs"] as const;
type Phase = (typeof PHASES)[number];
const PARTS = PHASES.slice(0, 4);
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
  const [first] = shapes;
  // As a rule all have the same phases, and then no result needs to be looked at.
  const common = shapes.every((shape) => shape === first) ? (first?.phases ?? 0) : null;
  for (const [i, phase] of PHASES.entries()) {
    const bit = 1 << i;
    const count = common === null ? countWith(shapes, bit) : (common & bit) === 0 ? 0 : shapes.length;
    const column = { count, bit, sums, isTotal: phase === "totalUs" };
    columns[phase] = takeColumn(reader, shapes, column);
  }
  return columns;
}

function countWith(shapes: readonly { phases: number }[], bit: number): number {
  let count = 0;
  for (const shape of shapes) if ((shape.phases & bit) !== 0) count += 1;
  return count;
}

interface Column {
  /** Results that have the phase. */
  count: number;
  bit: number;
  /** Of each result what its phases before this one add up to. */
  sums: number[];
  isTotal: boolean;
}

/** One phase of all results; adds it to their `sums`, which foretell the total. */
function takeColumn(
  reader: BitReader,
  shapes: readonly { phases: number }[],
  { count, bit, sums, isTotal }: Column,
): number[] {
  const ranked = takeBits(reader, 1) === AS_RANKS;
  const values = takeIntegers(reader, count);
  if (isTotal) {
    const own = count === shapes.length ? sums : sums.filter((_, i) => hasPhase(shapes[i], bit));
    if (ranked) addForetold(values, own);
  } else if (ranked) for (let i = 0; i < count; i += 1) values[i] = usOf(values[i] as number);
  const column = count === shapes.length ? values : spread(values, shapes, bit);
  if (!isTotal && count > 0) addTo(sums, column);
  return column;
}

const hasPhase = (shape: { phases: number } | undefined, bit: number): boolean =>
  ((shape?.phases ?? 0) & bit) !== 0;

/** Makes microseconds of the ranks of totals, which are distances from what is foretold. */
function addForetold(values: number[], sums: readonly number[]): void {
  for (let i = 0; i < values.length; i += 1) {
    values[i] = usOf((values[i] as number) + nearestRank(sums[i] as number));
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
