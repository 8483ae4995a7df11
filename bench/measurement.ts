import { loadavg } from "node:os";

/** One measured number. */
export interface Measurement {
  name: string;
  value: number;
  unit: string;
  /** What it should be; absent for baselines and for what explains a figure. */
  target?: { atMost: number } | { atLeast: number };
}

/** How a bench hands its numbers to run.ts. A line on standard output, because nothing else is printed there. */
export function report(measurements: readonly Measurement[]): void {
  console.log(JSON.stringify(measurements));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value that the given share (0…1) of the values stays at or below, by the nearest rank; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** How busy the machine was besides: figures of a busy machine are worth less. */
export const machineLoad = (): number => loadavg()[0] ?? 0;
