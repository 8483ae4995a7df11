/** What one check may come to: the number that is stored of it, and what it says of its monitor. */
export const OUTCOMES = {
  ok: { stored: 0, state: "up" },
  /** It works, but slower than the monitor's own limit. */
  degraded: { stored: 2, state: "degraded" },
  failed: { stored: 1, state: "down" },
  /** A problem of the checking machine, which says nothing of the monitor. */
  probe_fault: { stored: 3, state: "unknown" },
} as const;

export type Outcome = keyof typeof OUTCOMES;
export type Verdict = Exclude<Outcome, "probe_fault">;
export type StoredOutcome = (typeof OUTCOMES)[Outcome]["stored"];

/** In the order in which the API lists them. */
export const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];

/** By the number that is stored. */
const STORED = OUTCOME_NAMES.toSorted((a, b) => OUTCOMES[a].stored - OUTCOMES[b].stored);

/** The states that results may have, as the API lists them. */
export const RESULT_STATES = STORED.map((outcome) => OUTCOMES[outcome].state);

export const resultState = (stored: StoredOutcome) => OUTCOMES[STORED[stored] as Outcome].state;

export const isStoredOutcome = (stored: number): stored is StoredOutcome => stored in STORED;
