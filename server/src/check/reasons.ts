import type { ReasonCode } from "./check.ts";

/** Why a check, or a fetch, came to nothing. `reason` is a sentence for the monitor's owner. */
export interface Failure {
  reasonCode: ReasonCode;
  reason: string;
  /** Set if the time it took would reveal what the sentence does not. */
  isUntimed?: true;
}

const MAX_QUOTE_LENGTH = 80;
/** How much is looked at to make one: a body may be a megabyte of characters that are left out. */
const MAX_READ_LENGTH = 8 * MAX_QUOTE_LENGTH;

/** Foreign text within a sentence: short, and without anything that a terminal or a log would obey. */
export function quoted(text: string): string {
  const clean = text
    .slice(0, MAX_READ_LENGTH)
    .replace(/[^\x20-\x7e\u00a0-\u{10ffff}]/gu, "\ufffd")
    .replace(/\p{Cf}/gu, "");
  return clean.length > MAX_QUOTE_LENGTH ? `"${clean.slice(0, MAX_QUOTE_LENGTH)}…"` : `"${clean}"`;
}

/** What was going on when the time was up, or the connection ended. */
export type Stage = "dns" | "connect" | "tls" | "answer" | "body";

const WAITING_FOR: Record<Stage, (host: string) => string> = {
  dns: (host) => `the DNS did not answer for ${host}`,
  connect: (host) => `the TCP connection to ${host} was not established`,
  tls: (host) => `the TLS handshake with ${host} did not finish`,
  answer: (host) => `${host} accepted the connection but sent no complete answer`,
  body: (host) => `${host} did not finish sending the body`,
};

/**
 * If strangers choose the targets, a name that does not exist and one that points inside fail alike. Otherwise, name
 * by name, they could map the network behind this server.
 */
export const noPublicAddress = (host: string): Failure => ({
  reasonCode: "dns",
  reason: `The name ${host} does not exist in the DNS, or has no public address.`,
  isUntimed: true,
});

/** The signal to stop came. */
export const STOPPED: Failure = {
  reasonCode: "internal",
  reason: "The check was stopped before it finished.",
};

/** The time was up. `where` is the host, or address and port. */
export const timedOut = (stage: Stage, where: string, timeoutMs: number): Failure => ({
  reasonCode: "timeout",
  reason: `Timed out after ${timeoutMs / 1000} s: ${WAITING_FOR[stage](where)}.`,
});

/** The other side closed the connection in an orderly way, too early. */
export const hungUp = (stage: Stage, where: string): Failure =>
  stage === "tls"
    ? { reasonCode: "tls", reason: `${where} closed the connection during the TLS handshake.` }
    : { reasonCode: "protocol", reason: `${where} closed the connection ${CUT_SHORT[stage]}.` };

const CUT_SHORT: Record<Exclude<Stage, "tls">, string> = {
  dns: "before it was used",
  connect: "before it was used",
  answer: "without a complete answer",
  body: "in the middle of the body",
};

const CONNECT_FAILURES: Record<string, (where: string) => Failure> = {
  ECONNREFUSED: (where) => ({ reasonCode: "refused", reason: `${where} refused the connection.` }),
  EHOSTUNREACH: (where) => ({
    reasonCode: "unreachable",
    reason: `There is no way to the host of ${where}.`,
  }),
  ENETUNREACH: (where) => ({
    reasonCode: "unreachable",
    reason: `There is no route to the network of ${where}.`,
  }),
  EADDRNOTAVAIL: (where) => ({ reasonCode: "unreachable", reason: `${where} cannot be reached from here.` }),
  EACCES: (where) => ({ reasonCode: "unreachable", reason: `The system forbids connections to ${where}.` }),
  ETIMEDOUT: (where) => ({ reasonCode: "timeout", reason: `${where} did not answer the TCP connection.` }),
  EMFILE: () => ({ reasonCode: "internal", reason: "The probe has too many connections open." }),
};

const TLS_FAILURES: Record<string, string> = {
  ERR_SSL_WRONG_VERSION_NUMBER: "does not speak TLS on this port",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "does not speak TLS on this port",
  ERR_SSL_HTTP_REQUEST: "does not speak TLS on this port",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "speaks only TLS versions that are too old (before 1.2)",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "refused every TLS version offered (1.2 and 1.3)",
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: "found no cipher or setting in common",
  ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE: "found no cipher or setting in common",
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: "has no certificate for this host name",
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: "speaks neither HTTP/1.1 nor HTTP/2",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "asks for a client certificate",
};

/** Whether the other side reset the connection, or had done so before it was written to. */
export const isReset = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ECONNRESET" || code === "EPIPE" || code === "ECONNABORTED";

/** A socket's error as a sentence. Node's own text never gets out: it may say more than the owner should see. */
export function socketFailed(error: NodeJS.ErrnoException, stage: Stage, where: string): Failure {
  const code = error.code ?? "";
  const known = stage === "connect" ? CONNECT_FAILURES[code] : undefined;
  if (known !== undefined) return known(where);
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") {
    const what =
      TLS_FAILURES[code] ??
      `broke off TLS (${code.replace("ERR_SSL_", "").toLowerCase().replaceAll("_", " ")})`;
    return { reasonCode: "tls", reason: `${where} ${what}.` };
  }
  if (isReset(error)) {
    const during = stage === "tls" ? "during the TLS handshake" : "before the answer was complete";
    return {
      reasonCode: stage === "tls" ? "tls" : "protocol",
      reason: `${where} reset the connection ${during}.`,
    };
  }
  if (code === "ETIMEDOUT") return { reasonCode: "timeout", reason: `${where} stopped answering.` };
  return {
    reasonCode: "unreachable",
    reason: `The connection to ${where} failed (${code || "unknown error"}).`,
  };
}
