import type { TSchema } from "typebox";
import type { Fact } from "../texts/fact.ts";
import type { CertificateReport } from "./certificate-report.ts";
import type { TimeLimit } from "./deadline.ts";
import type { Network } from "./network.ts";
import type { Verdict } from "./outcome.ts";
import type { Reason } from "./reasons.ts";

/**
 * Integer microseconds a phase took (not: since the start), summed over redirects; `firstByte` is
 * from the request sent to the answer's first byte, `transfer` from there to the last byte that was read
 * of it. Null where the phase did not happen. `total` is the whole check, null only where
 * none took place, or its length would tell too much of a name.
 */
export interface Phases {
  dnsUs: number | null;
  connectUs: number | null;
  tlsUs: number | null;
  firstByteUs: number | null;
  transferUs: number | null;
  totalUs: number | null;
}

/** Of a check that did not take place. */
export const NO_PHASES: Readonly<Phases> = {
  dnsUs: null,
  connectUs: null,
  tlsUs: null,
  firstByteUs: null,
  transferUs: null,
  totalUs: null,
};

/** One redirect that was followed. `url` is where it led. */
export interface RedirectStep {
  statusCode: number;
  url: string;
}

/** What one check saw. Never thrown: a failed check is an outcome. */
export interface CheckOutcome {
  verdict: Verdict;
  /** Why it did not pass, safe to show to the monitor's owner; null when all is well. */
  reason: Reason | null;
  /** What a passed check has to say, e.g. a version; absent where there is nothing. */
  message?: Fact;
  statusCode: number | null;
  /** The address that was connected to last. */
  address: string | null;
  /** Negotiated protocol, e.g. `http/1.1`, `h2`. */
  protocol: string | null;
  phases: Phases;
  /** Of the last TLS hop; null without TLS. */
  certificate: CertificateReport | null;
  /** The redirects followed, in order; absent when there were none. */
  redirects?: readonly RedirectStep[];
}

/** What a check is given beside its configuration. The signal ends it at once (shutdown, monitor deleted). */
export interface CheckEnvironment extends TimeLimit {
  network: Network;
  /**
   * Names are asked for again unless that was done since (`performance.now`): a check that follows a failure
   * must not trust the addresses that misled the one before.
   */
  resolveSinceMs?: number | undefined;
}

/** What a new monitor of a kind has where nothing is said, as far as it differs from the usual. */
export interface KindDefaults {
  timeoutSeconds?: number;
  confirmations?: number;
  recoveries?: number;
}

interface KindFacts<Config> {
  type: string;
  /**
   * Validates `monitors.config` with its secrets; the forms, OpenAPI and docs/checks.md come from it. Its title
   * is the kind's name for people, its description says what a check of this kind finds out.
   */
  configSchema: TSchema;
  /** What lists show of a configuration: an address, in one line and without secrets. */
  target(config: Config): string;
  defaults?: KindDefaults;
  /** Adds what is made where it is not given. `stored`: the configuration so far, `{}` for a new monitor. */
  complete?(config: Config, stored: Partial<Config>): object;
}

/** A kind that asks: probes run it. */
export interface ActiveKind<Config = never> extends KindFacts<Config> {
  run(config: Config, environment: CheckEnvironment): Promise<CheckOutcome>;
}

/** A kind that is told, and down when it has not been told for too long. No probe is given one. */
export interface PassiveKind<Config = never> extends KindFacts<Config> {
  passive: {
    /** How much longer than the interval it may be silent. Stored as the monitor's timeout: a vote is fresh by both. */
    graceSeconds(config: Config): number;
    /** Whoever knows it may tell. */
    token(config: Config): string;
  };
}

/** One kind of check: a file each, listed in registry.ts. `Config` follows `configSchema`. */
export type CheckKind<Config = never> = ActiveKind<Config> | PassiveKind<Config>;
