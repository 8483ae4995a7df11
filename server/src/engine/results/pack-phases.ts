import { type BitReader, type BitWriter, putIntegers, takeBits, takeIntegers } from "./pack-numbers.ts";
import { nearestRank, rankAfter, rankOfUs, usAfter, usOfRank } from "./precision.ts";
import type { StoredResult } from "./stored-result.ts";

/** The durations of a result and the bit that says of each that it is there. Transfer came with format 2. */
const BITS = { dnsUs: 1, connectUs: 2, tlsUs: 4, firstByteUs: 8, totalUs: 16, transferUs: 32 } as const;
type Phase = keyof typeof BITS;

/** As they are written: what ends the check is foretold from what comes before it. */
const PHASES = ["dnsUs", "connectUs", "tlsUs", "firstByteUs", "transferUs", "totalUs"] as const;
const PHASES_OF_FORMAT_1: readonly Phase[] = PHASES.filter((phase) => phase !== "transferUs");

const phasesOfFormat = (format: number): readonly Phase[] => (format === 1 ? PHASES_OF_FORMAT_1 : PHASES);

/** How many bits say which phases there are. */
export const phaseBitsOf = (format: number): number => phasesOfFormat(format).length;

/** Where a column holds ranks (precision.ts) instead of microseconds: all its durations are of that precision. */
const AS_RANKS = 1;
const AS_MICROSECONDS = 0;

/** A bit for each phase that a result has. */
export function phasesOf(result: StoredResult): number {
  let bits = 0;
  for (const phase of PHASES) if (result[phase] !== null) bits |= BITS[phase];
  return bits;
}

/** A duration in ranks, -1 where it has none; `beforeUs` is what the phases before it add up to. */
const rankOf = (phase: Phase, us: number, beforeUs: number): number =>
  phase === "transferUs" ? rankAfter(beforeUs, us) : rankOfUs(us);

/**
 * Writes the durations, a column a phase. The transfer and the total are written as their distance from
 * what the phases before them add up to, which is short and steady.
 */
export function putPhases(writer: BitWriter, results: readonly StoredResult[]): void {
  const sums = new Array<number>(results.length).fill(0);
  for (const phase of PHASES) {
    const column: number[] = [];
    const before: number[] = [];
    for (const [i, result] of results.entries()) {
      const us = result[phase];
      if (us === null) continue;
      column.push(us);
      before.push(sums[i] as number);
      sums[i] = (sums[i] as number) + us;
    }
    const ranks = column.map((us, i) => rankOf(phase, us, before[i] as number));
    const ranked = !ranks.includes(-1);
    writer.put(ranked ? AS_RANKS : AS_MICROSECONDS, 1);
    const values = ranked ? ranks : column;
    // Sums are near enough to be worth it only where ranks keep everything small.
    const foretold = ranked && phase === "totalUs" ? before.map(nearestRank) : [];
    putIntegers(
      writer,
      values.map((value, i) => value - (foretold[i] ?? 0)),
    );
  }
}

/** Microseconds by phase and result; 0 where the result's shape says that the phase is not there. */
export type PhaseColumns = Record<Phase, number[]>;

/** Reads what `putPhases` of that format has written for as many results as there are `shapes`. */
export function takePhases(
  reader: BitReader,
  shapes: readonly { phases: number }[],
  format: number,
): PhaseColumns {
  const columns = {} as PhaseColumns;
  const sums = new Array<number>(shapes.length).fill(0);
  const [first] = shapes;
  // As a rule all have the same phases, and then no result needs to be looked at.
  const common = shapes.every((shape) => shape === first) ? (first?.phases ?? 0) : null;
  for (const phase of phasesOfFormat(format)) {
    const bit = BITS[phase];
    const count = common === null ? countWith(shapes, bit) : (common & bit) === 0 ? 0 : shapes.length;
    columns[phase] = takeColumn(reader, shapes, { phase, count, sums });
  }
  columns.transferUs ??= [];
  return columns;
}

function countWith(shapes: readonly { phases: number }[], bit: number): number {
  let count = 0;
  for (const shape of shapes) if ((shape.phases & bit) !== 0) count += 1;
  return count;
}

interface Column {
  phase: Phase;
  /** Results that have the phase. */
  count: number;
  /** Of each result what its phases before this one add up to. */
  sums: number[];
}

/** One phase of all results; adds it to their `sums`, which foretell the transfer and the total. */
function takeColumn(
  reader: BitReader,
  shapes: readonly { phases: number }[],
  { phase, count, sums }: Column,
): number[] {
  const ranked = takeBits(reader, 1) === AS_RANKS;
  const values = takeIntegers(reader, count);
  const bit = BITS[phase];
  if (ranked && (phase === "totalUs" || phase === "transferUs")) {
    const own = count === shapes.length ? sums : sums.filter((_, i) => hasPhase(shapes[i], bit));
    if (phase === "totalUs") addForetold(values, own);
    else endAfter(values, own);
  } else if (ranked) for (let i = 0; i < count; i += 1) values[i] = known(usOfRank(values[i] as number));
  const column = count === shapes.length ? values : spread(values, shapes, bit);
  if (phase !== "totalUs" && count > 0) addTo(sums, column);
  return column;
}

const hasPhase = (shape: { phases: number } | undefined, bit: number): boolean =>
  ((shape?.phases ?? 0) & bit) !== 0;

/** Makes microseconds of the ranks of totals, which are distances from what is foretold. */
function addForetold(values: number[], sums: readonly number[]): void {
  for (let i = 0; i < values.length; i += 1) {
    values[i] = known(usOfRank((values[i] as number) + nearestRank(sums[i] as number)));
  }
}

/** Makes microseconds of distances from what comes before. */
function endAfter(values: number[], sums: readonly number[]): void {
  for (let i = 0; i < values.length; i += 1) {
    values[i] = known(usAfter(sums[i] as number, values[i] as number));
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

function known(us: number | undefined): number {
  if (us === undefined) throw new RangeError("a duration is out of range");
  return us;
}
