import { shownHost } from "../../check/reasons.ts";
import { commonName, issuerName } from "../../monitor/common-name.ts";
import type { StopReason } from "../../status/pause.ts";
import type { SeenCertificateOf } from "../../store/queries/certificates.ts";
import { type MessageDescriptor, msg } from "../../texts/message.ts";
import type { CertificateEvent } from "../channel/filter.ts";
import {
  type Message,
  type MessageCertificate,
  type MessageMonitor,
  newMessage,
} from "../channel/message.ts";
import { type CertificateLevel, LEVEL_SEVERITIES } from "./levels.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What lacks no more than this is said as a whole day: whoever looks does so some time after the step. */
const NEARLY_MS = HOUR_MS;

/** A message about a certificate. */
export type CertificateMessage = Message & { event: CertificateEvent };

/** That a certificate expires soon, or is not valid though the check accepts it. */
export function warningOf(
  certificate: SeenCertificateOf,
  level: CertificateLevel,
  monitor: MessageMonitor,
  now: number,
): CertificateMessage {
  const isInvalid = level === "expired" || level === "invalid";
  const reason = isInvalid ? whyInvalid(certificate, level) : whenItEnds(certificate, now);
  // The title says how long it is still valid.
  const known = { ...issuerOf(certificate), left: saidLeft((certificate.expiresAt ?? now) - now) };
  const said = msg(isInvalid ? "notice.certificate_invalid" : "notice.certificate_expiring", known);
  return messageAbout(certificate, {
    event: isInvalid ? "certificate.invalid" : "certificate.expiring",
    type: isInvalid ? "error" : "warning",
    fact: { ...said, because: reason },
    ...{ reason, severity: LEVEL_SEVERITIES[level], monitor, at: now },
  });
}

/** That all is well with it again: it was renewed, or what was wrong with it has been mended. */
export const renewalOf = (
  certificate: SeenCertificateOf,
  monitor: MessageMonitor,
  now: number,
): CertificateMessage =>
  messageAbout(certificate, {
    event: "certificate.renewed",
    type: "success",
    fact: msg("notice.certificate_renewed", {
      ...issuerOf(certificate),
      day: dayOf(certificate.expiresAt),
    }),
    ...{ severity: "low", monitor, at: now },
  });

/** That nobody watches it any more. */
export function unwatchedOf(
  certificate: MessageCertificate,
  monitor: MessageMonitor,
  { why, now }: { why: StopReason; now: number },
): Message {
  const reason = msg(`watch.${why}`);
  const said = msg("notice.certificate_unwatched", { name: monitor.name });
  return messageAbout(certificate, {
    ...{ event: "monitor.stopped", type: "info", fact: { ...said, because: reason } },
    ...{ reason, monitor, at: now },
  });
}

/** What the bell says of it: with the monitor's name, which is in the title elsewhere. */
export function notificationMessageOf(
  { event, fact: { params }, reason, certificate }: Message,
  name: string,
): MessageDescriptor {
  const day = dayOf(certificate?.expiresAt ?? null);
  if (event === "certificate.renewed") return msg("notice.certificate_ok", { name, day });
  // Who renews the server's own certificate where another one ends does so in vain.
  if (event === "certificate.expiring" && reason?.code === "certificate.path_expires")
    return { ...msg("notice.certificate_path_soon", { name }), because: reason };
  if (event === "certificate.expiring")
    return msg("notice.certificate_soon", { name, day, left: Number(params?.["left"]) });
  return { ...msg("notice.certificate_bad", { name }), ...(reason && { because: reason }) };
}

const messageAbout = <Known extends Parameters<typeof newMessage>[0]>(
  { expiresAt, issuer, fingerprint }: MessageCertificate,
  known: Known,
): Message & Pick<Known, "event"> => ({
  ...newMessage(known),
  event: known.event,
  certificate: { expiresAt, issuer, fingerprint },
});

/** Where another certificate of the chain ends first, who issued the server's own helps nobody. */
const issuerOf = ({ issuer, endsWith }: SeenCertificateOf) => ({
  issuer: issuerName(issuer),
  issued: issuer === "" || endsWith !== undefined ? ("unknown" as const) : ("by" as const),
});

function whenItEnds({ expiresAt, endsWith, host }: SeenCertificateOf, now: number): MessageDescriptor {
  const when = { day: dayOf(expiresAt), left: saidLeft((expiresAt ?? now) - now) };
  if (endsWith === undefined && host === undefined) return msg("certificate.expires", when);
  const { role = "leaf", name = "" } = endsWith ?? {};
  return msg("certificate.path_expires", {
    ...{ which: role, name: commonName(name), ...when },
    ...(host === undefined ? { whose: "own" } : { whose: "host", host: shownHost(host) }),
  });
}

function whyInvalid(
  { expiresAt, invalidReason, endsWith, host }: SeenCertificateOf,
  level: CertificateLevel,
): MessageDescriptor {
  const when = { day: dayOf(expiresAt) };
  const { role, name = "" } = endsWith ?? {};
  const expired =
    role === undefined || role === "leaf"
      ? msg("certificate.expired", when)
      : msg(`certificate.${role}_expired`, { name: commonName(name), ...when });
  const reason = level === "expired" ? expired : (invalidReason ?? msg("certificate.none"));
  return host === undefined
    ? reason
    : { ...msg("certificate.at_host", { host: shownHost(host) }), because: reason };
}

const dayOf = (at: number | null): string => (at === null ? "" : new Date(at).toISOString().slice(0, 10));

/** How long it is still valid, milliseconds, as people say it: in whole days, on the last day in hours. */
export function saidLeft(leftMs: number): number {
  const days = Math.floor((leftMs + NEARLY_MS) / DAY_MS);
  return days > 0 ? days * DAY_MS : Math.max(HOUR_MS, leftMs - (leftMs % HOUR_MS));
}
