import type { ResolvedAddress } from "./address.ts";
import type { CertificateReport } from "./certificate-report.ts";
import type { Phases } from "./check.ts";

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

/**
 * What one check has seen so far, summed over its connections; times in milliseconds, null where a phase did not
 * happen. See Phases.
 */
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

/** Of a check that begins. */
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
