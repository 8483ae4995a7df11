import type { ResolvedAddress } from "./address.ts";
import type { CertificateReport } from "./certificate-report.ts";
import type { Phases } from "./check.ts";

/**
 * What one check has seen so far, summed over its connections; times in milliseconds, null where a phase did not
 * happen. See Phases.
 */
export interface Trace {
  address: string | null;
  /** Those of the last name that might be connected to; the guard has approved them. */
  addresses: readonly ResolvedAddress[];
  protocol: string | null;
  certificate: CertificateReport | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  transferMs: number | null;
}

/** Of a check that begins. */
export const newTrace = (): Trace => ({
  address: null,
  addresses: [],
  protocol: null,
  certificate: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  transferMs: null,
});

/** Whole microseconds. */
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
