import { domainToUnicode } from "node:url";
import { type Code, type MessageDescriptor, msg, type ParamsOf } from "../platform/i18n/message.ts";

/** The kinds of reasons, for machines: what precedes the first dot of a reason's code. */
export const REASON_CLASSES = [
  "dns",
  "refused",
  "unreachable",
  "timeout",
  "tls",
  "certificate",
  "protocol",
  "body",
  "redirect",
  "status",
  "assertion",
  "slow",
  "members",
  "guard",
  "job",
  "health",
  "internal",
] as const;
export type ReasonClass = (typeof REASON_CLASSES)[number];

/** Of a reason; one that ends in `text` was written by a person (its only param). */
type ReasonCode = Extract<Code, ReasonClass | `${ReasonClass}.${string}`> | `${ReasonClass}.text`;

/** Why a check, or a fetch, came to nothing, for the monitor's owner. */
export type Reason = MessageDescriptor<ReasonCode>;

/** A reason but for the server that it is about: readers of bytes do not know whose they are. */
export type ReasonAt = (where: string) => Reason;

/** How a server ended what was not whole. */
export type Ended = Pick<ParamsOf<"body.none">, "ended" | "error">;

export const classOf = ({ code }: { code: string }): ReasonClass => code.split(".", 1)[0] as ReasonClass;

/** A host as people write it: `bücher.example`, which the DNS knows as `xn--bcher-kva.example`. */
export const shownHost = (host: string): string =>
  host.includes("xn--") ? domainToUnicode(host) || host : host;

/** What was going on when the time was up, or the connection ended. */
export type Stage = "dns" | "connect" | "tls" | "answer" | "body";

/**
 * Where anonymous clients choose targets, a missing name and one that points inside fail alike: otherwise
 * they could map the network behind this server, also by the time it takes (isUntimed).
 */
export const noPublicAddress = (host: string): Reason => msg("dns.not_public", { host });

/** Whether the time that it took would reveal what the reason does not. */
export const isUntimed = (reason: Reason | null): boolean => reason?.code === "dns.not_public";

export const STOPPED: Reason = msg("internal.stopped");

/** The time was up. `where` is the host, and address and port once they are known. */
export const timedOut = (stage: Stage, where: string, timeoutMs: number): Reason =>
  msg(`timeout.${stage}`, { seconds: timeoutMs / 1000, where });

const HUNG_UP = {
  dns: "protocol.unused",
  connect: "protocol.unused",
  tls: "tls.closed",
  answer: "protocol.incomplete",
  body: "protocol.in_body",
} as const;

/** The other side closed the connection in an orderly way, too early. */
export const hungUp = (stage: Stage, where: string): Reason => msg(HUNG_UP[stage], { where });

const CONNECT_FAILURES = {
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "unreachable.host",
  ENETUNREACH: "unreachable.network",
  EADDRNOTAVAIL: "unreachable.address",
  EACCES: "unreachable.forbidden",
  ETIMEDOUT: "timeout.unanswered",
} as const;

const TLS_FAILURES = {
  ERR_SSL_WRONG_VERSION_NUMBER: "tls.not_tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "tls.not_tls",
  ERR_SSL_HTTP_REQUEST: "tls.not_tls",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "tls.old_version",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "tls.version_refused",
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: "tls.no_cipher",
  ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE: "tls.no_cipher",
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: "tls.unknown_name",
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: "tls.no_protocol",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "tls.client_certificate",
  ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED: "tls.legacy_renegotiation",
  ERR_SSL_DH_KEY_TOO_SMALL: "tls.weak_dh",
} as const;

const known = <Table extends object>(table: Table, code: string): Table[keyof Table] | null =>
  Object.hasOwn(table, code) ? table[code as keyof Table] : null;

/** An OpenSSL or HTTP/2 error's name in words. */
export const inWords = (name: string): string => name.toLowerCase().replaceAll("_", " ");

/** Whether the other side reset the connection, or had done so before it was written to. */
export const isReset = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ECONNRESET" || code === "EPIPE" || code === "ECONNABORTED";

/** A socket's error as a reason. Node's own text never gets out: it may say more than the owner should see. */
export function socketFailed(error: NodeJS.ErrnoException, stage: Stage, where: string): Reason {
  const code = error.code ?? "";
  if (stage === "connect") {
    if (code === "EMFILE") return msg("internal.connections");
    const connect = known(CONNECT_FAILURES, code);
    if (connect !== null) return msg(connect, { where });
  }
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") {
    // OpenSSL writes `ssl/tls alert …` since version 3.2, and Node makes the code of that.
    const tls = known(TLS_FAILURES, code.replaceAll("/", "_"));
    if (tls !== null) return msg(tls, { where });
    // What the server says comes as an alert; everything else is what OpenSSL found wrong here.
    const isAlert = code === "EPROTO" || /ALERT|^ERR_SSL_TLSV1_/.test(code);
    return msg(isAlert ? "tls.other" : "tls.rejected", {
      where,
      error: inWords(code.replace("ERR_SSL_", "")),
    });
  }
  if (isReset(error)) return msg(stage === "tls" ? "tls.reset" : "protocol.reset", { where });
  if (code === "ETIMEDOUT") return msg("timeout.stalled", { where });
  return msg("unreachable.other", { where, error: code || "unknown error" });
}

/** A failed dialogue: thrown by its reads, and by kinds that do not accept what was read. */
export class DialogueError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.code);
    this.name = "DialogueError";
    this.reason = reason;
  }
}
