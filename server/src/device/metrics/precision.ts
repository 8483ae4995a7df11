/** The largest number of steps; the distance between two of them is still a whole number. */
const MOST_STEPS = 2 ** 51;

/** What a number is stored in, and up to which size: hundredths, as agents send them, only where somebody may miss them. */
const STEPS = [
  { per: 100, of: 1, upTo: 100_000 },
  { per: 1, of: 1, upTo: MOST_STEPS },
  { per: 1, of: 1_000, upTo: Infinity },
] as const;

/** Which of the steps a number of that size is stored in, and with it whatever shares its column. */
export const stepFor = (size: number): number => STEPS.findIndex(({ upTo }) => size <= upTo);

/** The number as a whole number of steps; what has more than there can be counts as the largest. */
export function inSteps(value: number, step: number): number {
  const { per, of } = STEPS[step] as (typeof STEPS)[number];
  // No -0, which no reader could tell from 0.
  return Math.max(-MOST_STEPS, Math.min(MOST_STEPS, Math.round((value * per) / of))) || 0;
}

/** The number again. Throws a RangeError on a step that there is not. */
export function fromSteps(steps: number, step: number): number {
  const known = STEPS[step];
  if (!known) throw new RangeError(`there is no step ${step}`);
  return (steps * known.of) / known.per;
}

/** The number as it comes back from where it is stored. */
export function asStored(value: number): number {
  const step = stepFor(Math.abs(value));
  return fromSteps(inSteps(value, step), step);
}
