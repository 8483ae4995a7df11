import type { TSchema } from "typebox";
import type { ResolvedAddress } from "../platform/formats/host.ts";
import type { MessageDescriptor } from "../platform/i18n/message.ts";
import type { Status } from "../platform/monitor-defaults.ts";
import type { CertificateReport } from "./certificate.ts";
import type { TimeLimit } from "./deadline.ts";
import type { HttpEvidence } from "./evidence.ts";
import type { Network } from "./network.ts";
import type { Verdict } from "./outcome.ts";
import type { Reason } from "./reasons.ts";

/**
 * In the order in which they happen; a kind measures some. `firstByte`: from the request sent to the answer's
 * first byte; `transfer`: from there to the last byte that was read.
 */
export const PHASES = ["dns", "connect", "tls", "firstByte", "transfer"] as const;
export type Phase = (typeof PHASES)[number];

/**
 * Integer microseconds each (not: since the start), summed over redirects. Null: did not happen, or not
 * `Measured`. `total` is null where no check took place, or its length would reveal too much about a name.
 */
export type Phases<Measured extends Phase = Phase> = Record<`${Measured}Us` | "totalUs", number | null> &
  Record<`${Exclude<Phase, Measured>}Us`, null>;

/** Of a check that did not take place. */
export const NO_PHASES: Readonly<Phases<never>> = {
  dnsUs: null,
  connectUs: null,
  tlsUs: null,
  firstByteUs: null,
  transferUs: null,
  totalUs: null,
};

/** The result of a check that reached no server. */
export const NOTHING_SEEN = { statusCode: null, address: null, protocol: null, phases: NO_PHASES } as const;

/** One redirect that was followed. `url` is where it led. */
export interface RedirectStep {
  statusCode: number;
  url: string;
}

/** What one check saw. Never thrown: a failed check is an outcome. */
export interface CheckOutcome<Measured extends Phase = Phase> {
  verdict: Verdict;
  /** Why it did not pass, safe to show to the monitor's owner; null when all is well. */
  reason: Reason | null;
  /** What a passed check has to say, e.g. a version; absent where there is nothing. */
  message?: MessageDescriptor;
  statusCode: number | null;
  /** The address that was connected to last. */
  address: string | null;
  /** Negotiated protocol, e.g. `http/1.1`, `h2`. */
  protocol: string | null;
  phases: Phases<Measured>;
  /** Of the last TLS hop; null without TLS. */
  certificate: CertificateReport | null;
  /** The redirects followed, in order; absent when there were none. */
  redirects?: readonly RedirectStep[];
  /** What a failed check saw beside that, made when it is wanted; absent where there is nothing. */
  evidence?: () => HttpEvidence;
}

/** What a check is given beside its configuration. The signal ends it at once (shutdown, monitor deleted). */
export interface CheckEnvironment extends TimeLimit {
  network: Network;
  /**
   * Names are resolved again unless that was done since (`performance.now`): after a failure, the addresses
   * may have been the cause.
   */
  resolveSinceMs?: number | undefined;
}

/** What a new monitor of a kind has where nothing is said, as far as it differs from the usual. */
export interface KindDefaults {
  timeoutSeconds?: number;
  confirmations?: number;
  recoveries?: number;
}

interface KindDetails<Config, Measured extends readonly Phase[]> {
  type: string;
  /** What its response time is made of, in the order of PHASES; its checks report no others. */
  phases: Measured;
  /**
   * Of `monitors.config` with its secrets; forms, OpenAPI and docs/checks.md come from it. The title is the
   * kind's name for people, the description says what it finds out.
   */
  configSchema: TSchema;
  /** What lists show of a configuration: an address, in one line and without secrets. */
  target(config: Config): string;
  defaults?: KindDefaults;
  /** Adds what is made where it is not given. `stored`: the configuration so far, `{}` for a new monitor. */
  complete?(config: Config, stored: Partial<Config>): object;
}

/** A kind that probes run. `Measured` is the type of its `phases`. */
export interface ProbedKind<Config, Measured extends readonly Phase[]> extends KindDetails<Config, Measured> {
  run(config: Config, environment: CheckEnvironment): Promise<CheckOutcome<Measured[number]>>;
}

export type ActiveKind = ProbedKind<never, readonly Phase[]>;

/** A cron expression, and the IANA time zone it is meant in. */
export interface CronSchedule {
  cron: string;
  timeZone: string;
}

/** A kind that receives signals, and is down after too long without one. No probe checks it. */
export interface PassiveKind<Config = never> extends KindDetails<Config, readonly []> {
  passive: {
    /** How much longer than the interval it may be silent. Stored as the monitor's timeout: a vote is fresh by both. */
    graceSeconds(config: Config, intervalSeconds: number): number;
    /** Clients that know it may send signals; null: its settings do not say which clients may. */
    token(config: Config): string | null;
    /** The cron expression of its expected signals, where they do not come once an interval. */
    cron(config: Config): CronSchedule | null;
    /** How long a run may take from its start on. */
    maxRunSeconds(config: Config): number;
  };
}

/** What a monitor that others are derived from is like. */
export interface MemberState {
  name: string;
  status: Status;
  /** Paused or in maintenance: it says nothing now. */
  isLeftOut: boolean;
}

/** What the states of others come to; `verdict` null: nothing can be said for the moment, for this reason. */
export interface Derived {
  verdict: Verdict | null;
  reason: Reason | null;
  message?: MessageDescriptor;
}

/** A kind that no probe runs: what it finds follows from the confirmed states of other monitors, its members. */
export interface DerivedKind<Config = never> extends KindDetails<Config, readonly []> {
  derived: {
    /** Uuids of the members. The user who sets them may see them, none appears twice, and they form no cycle. */
    members(config: Config): readonly string[];
    /** Without those that do not exist any longer. */
    withMembers(config: Config, members: string[]): object;
    /** What is wrong with a configuration beside what its schema says, by field. */
    problems(config: Config): Readonly<Record<string, MessageDescriptor>>;
    evaluate(config: Config, members: readonly MemberState[]): Derived;
  };
}

/** One kind of check: a file each, listed in registry.ts. `Config` follows `configSchema`. */
export type CheckKind<Config = never> =
  | ProbedKind<Config, readonly Phase[]>
  | PassiveKind<Config>
  | DerivedKind<Config>;

/** Of a check that leads over several hosts. */
export interface HostCertificate {
  host: string;
  report: CertificateReport;
}

/** Adds what a host showed: servers behind one name, or on other ports of it, may each have a certificate of their own. */
export function noteCertificate(trace: Trace, host: string, report: CertificateReport): void {
  trace.certificate = report;
  const isOther = (each: HostCertificate) =>
    each.host !== host || each.report.fingerprint !== report.fingerprint;
  trace.certificates = [...trace.certificates.filter(isOther), { host, report }];
}

/** Summed over connections; milliseconds, null where a phase did not happen. See Phases. */
export interface Trace {
  address: string | null;
  /** Those of the last name that might be connected to; the guard has approved them. */
  addresses: readonly ResolvedAddress[];
  protocol: string | null;
  /** The last that was shown. */
  certificate: CertificateReport | null;
  /** Those of all hosts that showed one, in order. */
  certificates: readonly HostCertificate[];
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  transferMs: number | null;
}

export const newTrace = (): Trace => ({
  address: null,
  addresses: [],
  protocol: null,
  certificate: null,
  certificates: [],
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  transferMs: null,
});

const us = (ms: number | null) => (ms === null ? null : Math.round(ms * 1000));

/** The times as results carry them; `totalMs` is the whole check. */
export const phasesOf = (trace: Trace, totalMs: number): Phases => ({
  dnsUs: us(trace.dnsMs),
  connectUs: us(trace.connectMs),
  tlsUs: us(trace.tlsMs),
  firstByteUs: us(trace.firstByteMs),
  transferUs: us(trace.transferMs),
  totalUs: us(totalMs),
});
