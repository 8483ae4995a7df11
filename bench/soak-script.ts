/** What every target of the soak does when: the truth that the program's results are compared with. */

import { seeded } from "../server/test/harness/seeded.ts";

/** `half` announces a body and closes after a byte of it; `stuck` announces one and stops in the middle. */
export type Mode = "up" | "slow" | "down" | "reset" | "hang" | "half" | "stuck";

/** From `fromMs` (of the soak) to the next one's beginning a target behaves like this. */
export interface Phase {
  fromMs: number;
  mode: Mode;
}

export interface ScriptOptions {
  targets: number;
  durationMs: number;
  intervalMs: number;
  seed: number;
}

const BAD: readonly Mode[] = ["down", "reset", "hang", "half", "stuck"];
/** No check of these ends before its timeout. */
const WAITED_FOR: readonly Mode[] = ["hang", "stuck"];
/** A fifth of the targets never fails: nothing may be said about them. */
const STEADY_SHARE = 0.2;
/** Outages in intervals. The short ones may be over before anybody looks. */
const SHORTEST_OUTAGE = 0.3;
const LONGEST_OUTAGE = 3;
/** Between outages, in intervals: so far apart that nobody may call it flapping. */
const SHORTEST_PEACE = 10;
const LONGEST_PEACE = 15;

export const isWaitedFor = (mode: Mode): boolean => WAITED_FOR.includes(mode);

/** What an answer is asked to hold by the monitors of every other site; the others take any body. */
export const KEYWORD = "well";
export const hasAssertion = (site: number): boolean => site % 2 === 1;

export const isBad = (mode: Mode): boolean => BAD.includes(mode);

/** The phases of every target, in order of time; each begins with one at 0. */
export function writeScript({ targets, durationMs, intervalMs, seed }: ScriptOptions): Phase[][] {
  const random = seeded(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  return Array.from({ length: targets }, () => {
    const well: Mode = random() < 0.1 ? "slow" : "up";
    const phases: Phase[] = [{ fromMs: 0, mode: well }];
    if (random() < STEADY_SHARE) return phases;
    let atMs = between(1, SHORTEST_PEACE) * intervalMs;
    while (atMs < durationMs) {
      const mode = BAD[Math.floor(random() * BAD.length)] as Mode;
      phases.push({ fromMs: Math.round(atMs), mode });
      atMs += between(SHORTEST_OUTAGE, LONGEST_OUTAGE) * intervalMs;
      phases.push({ fromMs: Math.round(atMs), mode: well });
      atMs += between(SHORTEST_PEACE, LONGEST_PEACE) * intervalMs;
    }
    return phases;
  });
}

/** What a target does at a time of the soak; before its beginning it is as in its first phase. */
export function modeAt(phases: readonly Phase[], atMs: number): Mode {
  const phase = phases.findLast(({ fromMs }) => fromMs <= atMs);
  return (phase ?? (phases[0] as Phase)).mode;
}
