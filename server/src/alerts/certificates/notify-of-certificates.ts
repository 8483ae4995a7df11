import { randomUUIDv7 } from "node:crypto";
import { shownHost } from "../../checks/reasons.ts";
import {
  listCertificatesToWarn,
  readCertificates,
  type SeenCertificateOf,
} from "../../engine/queries/certificates.ts";
import type { ClockWatch } from "../../engine/results/clock-watch.ts";
import type { StopReason } from "../../engine/status/pause.ts";
import {
  certificateStatus,
  commonName,
  EXPIRING_SOON_DAYS,
  issuerName,
} from "../../monitors/certificate-status.ts";
import { listMessageMonitors, type MessageMonitor } from "../../monitors/queries/monitor-names.ts";
import type { Context } from "../../platform/context.ts";
import { appendEvents } from "../../platform/database/events.ts";
import type { Db } from "../../platform/database/schema.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { inSlices } from "../../platform/turns.ts";
import type { CertificateEvent } from "../channels/filter.ts";
import { type Message, type MessageCertificate, newMessage } from "../channels/message.ts";
import { notificationEvents } from "../live-events.ts";
import { notePosts } from "../note.ts";
import type { Audience } from "../queries/alert-events.ts";
import { insertNotifications } from "../queries/notifications.ts";
import {
  type AlertedMonitor,
  certificateKey,
  claimCertificateEnds,
  claimCertificateEvents,
  forgetCertificateEvents,
  listAlertedMonitors,
  listWarnedMonitors,
  readCertificateEvents,
  readNotifiedFingerprints,
  type WarnedMonitor,
} from "../queries/warnings.ts";
import type { LiveNotification } from "../schemas/live.ts";
import { type CertificateLevel, certificateLevel, LEVEL_SEVERITIES } from "./levels.ts";

const ROUND = 500;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Notifies channels, people and the app of certificates that expire soon, or are invalid though the check accepts them: once
 * each, and not while the monitor is paused, down or in maintenance; then that they are OK again or no longer checked. Any
 * number of replicas may run this. Stops while the clock may be skewed, because nothing is sent twice.
 */
export async function notifyOfCertificates(
  ctx: Context,
  watch: Pick<ClockWatch, "isSkewSuspected">,
): Promise<void> {
  if (watch.isSkewSuspected) return;
  const now = ctx.clock.now();
  const before = now + EXPIRING_SOON_DAYS * DAY_MS;
  for (let afterId = 0; ; ) {
    const round = await listCertificatesToWarn(ctx.store.db, { afterId, before, limit: ROUND });
    await warn(ctx, round, now);
    if (round.length < ROUND) break;
    afterId = round.at(-1)?.monitorId ?? afterId;
  }
  await endOver(ctx, now);
  await ringForEnds(ctx, now);
}

async function warn(ctx: Context, certificates: readonly SeenCertificateOf[], now: number): Promise<void> {
  const warnings = certificates.flatMap((certificate) => {
    const level = certificateLevel(certificate, now);
    return level === null ? [] : [{ ...certificate, level }];
  });
  if (warnings.length === 0) return;
  const notified = await readCertificateEvents(
    ctx.store.db,
    warnings.map(({ monitorId }) => monitorId),
  );
  const pending = warnings.filter((one) => !notified.has(certificateKey(one)));
  if (pending.length === 0) return;
  await ctx.store.transaction(async (trx) => {
    const claimed = await claimCertificateEvents(trx, pending, now);
    const own = pending.filter((one) => claimed.has(certificateKey(one)));
    await noteWarnings(trx, own, now);
  });
  ctx.live.wake();
}

async function noteWarnings(
  trx: Db,
  warnings: readonly (SeenCertificateOf & { level: CertificateLevel })[],
  now: number,
): Promise<void> {
  const monitors = await listMessageMonitors(
    trx,
    warnings.map(({ monitorId }) => monitorId),
  );
  const pending = warnings.flatMap((certificate) => {
    const { monitorId, organizationId, level } = certificate;
    const monitor = monitors.get(monitorId);
    if (!monitor) return [];
    const message = warningOf(certificate, level, monitor, now);
    return { organizationId, subject: `certificate ${monitorId}`, message, tags: monitor.tags };
  });
  const post = { audience: { is: "all" as const }, slot: "certificate", says: "open" as const };
  await notePosts(
    trx,
    pending.map((one) => ({ ...one, ...post })),
    now,
  );
  await ringFor(trx, pending, now);
}

/** Certificates that are OK again, no longer used by the monitor, or no longer checked. */
async function endOver(ctx: Context, now: number): Promise<void> {
  await inSlices(await listAlertedMonitors(ctx.store.db), ROUND, async (warned) => {
    const certificates = await readCertificates(
      ctx.store.db,
      warned.map(({ monitorId }) => monitorId),
    );
    const isOver = ({ monitorId, unwatched, isInMaintenance }: AlertedMonitor) => {
      const certificate = certificates.get(monitorId);
      if (unwatched || !certificate) return true;
      return !isInMaintenance && certificateStatus(certificate, now) === "valid";
    };
    const over = warned.filter(isOver);
    if (over.length > 0) await end(ctx, over, certificates, now);
  });
}

async function end(
  ctx: Context,
  warned: readonly AlertedMonitor[],
  certificates: ReadonlyMap<number, SeenCertificateOf>,
  now: number,
): Promise<void> {
  await ctx.store.transaction(async (trx) => {
    const ids = warned.map(({ monitorId }) => monitorId);
    const monitors = await listMessageMonitors(trx, ids);
    const known = await readNotifiedFingerprints(trx, ids);
    const posts = warned.flatMap(({ monitorId, organizationId, unwatched }) => {
      const [monitor, certificate] = [monitors.get(monitorId), certificates.get(monitorId)];
      const fingerprint = known.get(monitorId);
      // Without it, this end was noted before, and is on its way.
      if (!monitor || fingerprint === undefined) return [];
      const isRenewed = certificate !== undefined && unwatched === null;
      const last = { expiresAt: null, issuer: "", fingerprint };
      const message = isRenewed
        ? renewalOf(certificate, monitor, now)
        : unwatchedOf(certificate ?? last, monitor, { why: unwatched ?? "changed", now });
      // Who stopped that knows; an alert that a pager has open would stay so.
      const audience: Audience = { is: isRenewed ? "all" : "programs" };
      const post = { subject: `certificate ${monitorId}`, message, tags: monitor.tags, audience };
      return [{ organizationId, ...post, slot: "certificate", says: "over" as const, isForNotified: true }];
    });
    await notePosts(trx, posts, now);
    // Once it is watched again, or led to again, its channels are notified again of its state then.
    const left = warned.filter(({ monitorId, unwatched }) => unwatched || !certificates.has(monitorId));
    await forgetCertificateEvents(
      trx,
      left.map(({ monitorId }) => monitorId),
    );
  });
}

/** A notification about a monitor's certificate. */
interface CertificateNotification {
  organizationId: number;
  message: CertificateMessage;
}

/**
 * Stores the app's notifications about certificates in the same transaction as the channels'. The caller wakes the live stream.
 */
async function ringFor(trx: Db, pending: readonly CertificateNotification[], now: number): Promise<void> {
  const notifications = pending.flatMap((one) => notificationOf(one, one.message.monitor, now) ?? []);
  if (notifications.length === 0) return;
  await insertNotifications(trx, notifications);
  appendEvents(trx, notificationEvents(notifications), now);
}

function notificationOf(
  { organizationId, message }: CertificateNotification,
  monitor: MessageMonitor | null,
  now: number,
): LiveNotification | null {
  if (!monitor) return null;
  const { event, type, at, certificate } = message;
  const { id: monitorId, uuid, kind, name: monitorName } = monitor;
  const said = notificationMessageOf(message, monitorName);
  return {
    ...{ uuid: randomUUIDv7(), organizationId, monitorId, kind, monitorName, incidentId: null },
    ...{ event, type, at, descriptor: said, message: inEnglish(said), reason: said.because ?? null },
    ...{ outageMs: null, isQuiet: false, outageStartedAt: null, togetherMessage: null },
    idempotencyKey: `${event}:${uuid}:${certificate?.fingerprint}:${now}`,
    createdAt: now,
  };
}

/**
 * Stores the app's notification of certificates that are OK again; those no longer checked are notified again when checks
 * resume.
 */
async function ringForEnds(ctx: Context, now: number): Promise<void> {
  await inSlices(await listWarnedMonitors(ctx.store.db), ROUND, async (monitors) => {
    const ids = monitors.map(({ monitorId }) => monitorId);
    const certificates = await readCertificates(ctx.store.db, ids);
    const isGone = ({ monitorId, unwatched }: WarnedMonitor) =>
      unwatched !== null || !certificates.has(monitorId);
    const gone = monitors.filter(isGone).map(({ monitorId }) => monitorId);
    const well = monitors.flatMap((one) => {
      const certificate = certificates.get(one.monitorId);
      if (!certificate || isGone(one) || one.isInMaintenance) return [];
      return certificateStatus(certificate, now) === "valid" ? certificate : [];
    });
    if (gone.length + well.length > 0) await endOfRing(ctx, { gone, well }, now);
  });
}

async function endOfRing(
  ctx: Context,
  { gone, well }: { gone: readonly number[]; well: readonly SeenCertificateOf[] },
  now: number,
): Promise<void> {
  await ctx.store.transaction(async (trx) => {
    await forgetCertificateEvents(trx, gone);
    const ids = well.map(({ monitorId }) => monitorId);
    const ended = await claimCertificateEnds(trx, ids, now);
    const monitors = await listMessageMonitors(trx, [...ended]);
    const pending = well.flatMap((certificate) => {
      const monitor = monitors.get(certificate.monitorId);
      if (!monitor) return [];
      const { organizationId } = certificate;
      return { organizationId, message: renewalOf(certificate, monitor, now) };
    });
    await ringFor(trx, pending, now);
  });
  ctx.live.wake();
}

/** A remainder within this of a whole day counts as that day, because the job runs some time after the step. */
const NEARLY_MS = HOUR_MS;

/** A message about a certificate. */
type CertificateMessage = Message & { event: CertificateEvent };

/** That a certificate expires soon, or is not valid though the check accepts it. */
function warningOf(
  certificate: SeenCertificateOf,
  level: CertificateLevel,
  monitor: MessageMonitor,
  now: number,
): CertificateMessage {
  const isInvalid = level === "expired" || level === "invalid";
  const reason = isInvalid ? whyInvalid(certificate, level) : whenItEnds(certificate, now);
  // The title says how long it is still valid.
  const known = { ...issuerOf(certificate), left: saidLeft((certificate.expiresAt ?? now) - now) };
  const code = isInvalid ? "notification.certificate_invalid" : "notification.certificate_expiring";
  return messageAbout(certificate, {
    event: isInvalid ? "certificate.invalid" : "certificate.expiring",
    type: isInvalid ? "error" : "warning",
    descriptor: { ...msg(code, known), because: reason },
    ...{ reason, severity: LEVEL_SEVERITIES[level], monitor, at: now },
  });
}

/** That it is OK again: it was renewed, or its problem was fixed. */
const renewalOf = (
  certificate: SeenCertificateOf,
  monitor: MessageMonitor,
  now: number,
): CertificateMessage =>
  messageAbout(certificate, {
    event: "certificate.renewed",
    type: "success",
    descriptor: msg("notification.certificate_renewed", {
      ...issuerOf(certificate),
      day: dayOf(certificate.expiresAt),
    }),
    ...{ severity: "low", monitor, at: now },
  });

/** That it is no longer checked. */
function unwatchedOf(
  certificate: MessageCertificate,
  monitor: MessageMonitor,
  { why, now }: { why: StopReason; now: number },
): Message {
  const reason = msg(`watch.${why}`);
  const said = msg("notification.certificate_unwatched", { name: monitor.name });
  return messageAbout(certificate, {
    ...{ event: "monitor.stopped", type: "info", descriptor: { ...said, because: reason } },
    ...{ reason, monitor, at: now },
  });
}

/** What the bell says of it: with the monitor's name, which is in the title elsewhere. */
function notificationMessageOf(
  { event, descriptor: { params }, reason, certificate }: Message,
  name: string,
): MessageDescriptor {
  const day = dayOf(certificate?.expiresAt ?? null);
  if (event === "certificate.renewed") return msg("notification.certificate_ok", { name, day });
  // Who renews the server's own certificate where another one ends does so in vain.
  if (event === "certificate.expiring" && reason?.code === "certificate.path_expires")
    return { ...msg("notification.certificate_path_soon", { name }), because: reason };
  if (event === "certificate.expiring")
    return msg("notification.certificate_soon", { name, day, left: Number(params?.["left"]) });
  return { ...msg("notification.certificate_bad", { name }), ...(reason && { because: reason }) };
}

const messageAbout = <Known extends Parameters<typeof newMessage>[0]>(
  { expiresAt, issuer, fingerprint }: MessageCertificate,
  known: Known,
): Message & Pick<Known, "event"> => ({
  ...newMessage(known),
  event: known.event,
  certificate: { expiresAt, issuer, fingerprint },
});

/** Where another certificate of the chain expires first, the issuer of the server's own is of no help. */
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
