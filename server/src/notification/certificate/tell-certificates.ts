import type { Context } from "../../context.ts";
import { certificateStatus, EXPIRING_SOON_DAYS } from "../../monitor/certificate-status.ts";
import type { ClockWatch } from "../../result/clock-watch.ts";
import type { Db } from "../../store/db.ts";
import {
  type CertificateThread,
  claimNotices,
  forgetNotices,
  listCertificatesToWarn,
  listCertificateThreads,
  noticeKey,
  readCertificates,
  readToldFingerprints,
  readToldNotices,
  type SeenCertificateOf,
} from "../../store/queries/certificate-notices.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { inSlices } from "../../turns.ts";
import { isProgram } from "../channel/registry.ts";
import { endThreadsOf, tellOfSubjects } from "../channel/tell-subject.ts";
import { mailingOf } from "../person/known-address.ts";
import { type CertificateLevel, certificateLevel } from "./levels.ts";
import { renewalOf, unwatchedOf, warningOf } from "./messages.ts";
import { ringFor, ringForEnds } from "./ring.ts";

const ROUND = 500;
const DAY_MS = 86_400_000;

/**
 * Tells channels and people, and the bell of the app, what time alone makes true: that a certificate expires soon, or is not valid though the check
 * accepts it, once each, and not while the monitor is paused, down or in a maintenance window; and that it is OK again, or not
 * watched any more. Any number of replicas may do so. Nothing on the word of a clock that cannot be right: what is told is not told again.
 */
export async function tellCertificates(ctx: Context, watch: Pick<ClockWatch, "isDoubtful">): Promise<void> {
  if (watch.isDoubtful) return;
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
  const told = await readToldNotices(
    ctx.store.db,
    warnings.map(({ monitorId }) => monitorId),
  );
  const news = warnings.filter((one) => !told.has(noticeKey(one)));
  if (news.length === 0) return;
  await ctx.store.transaction(async (trx) => {
    const claimed = await claimNotices(trx, news, now);
    const own = news.filter((one) => claimed.has(noticeKey(one)));
    await tellWarnings(ctx, trx, own, now);
  });
  ctx.live.wake();
}

async function tellWarnings(
  { config }: Pick<Context, "config">,
  trx: Db,
  warnings: readonly (SeenCertificateOf & { level: CertificateLevel })[],
  now: number,
): Promise<void> {
  const monitors = await listMessageMonitors(
    trx,
    warnings.map(({ monitorId }) => monitorId),
  );
  const news = warnings.flatMap((certificate) => {
    const { monitorId, organizationId, level } = certificate;
    const monitor = monitors.get(monitorId);
    if (!monitor) return [];
    const message = warningOf(certificate, level, monitor, now);
    return { organizationId, about: monitorId, message, tags: monitor.tags, isFor: () => true };
  });
  await tellOfSubjects(trx, "certificate_of", news, { now, mailing: mailingOf(config) });
  await ringFor(trx, news, now);
}

/** Threads of certificates that are OK again, that the monitor does not lead to any more, or that nobody watches. */
async function endOver(ctx: Context, now: number): Promise<void> {
  const open = await listCertificateThreads(ctx.store.db);
  await inSlices(open, ROUND, async (threads) => {
    const certificates = await readCertificates(
      ctx.store.db,
      threads.map(({ about }) => about),
    );
    const isOver = ({ about, unwatched, isInMaintenance }: CertificateThread) => {
      const certificate = certificates.get(about);
      if (unwatched || !certificate) return true;
      return !isInMaintenance && certificateStatus(certificate, now) === "valid";
    };
    const over = threads.filter(isOver);
    if (over.length > 0) await end(ctx, over, certificates, now);
  });
}

async function end(
  ctx: Context,
  threads: readonly CertificateThread[],
  certificates: ReadonlyMap<number, SeenCertificateOf>,
  now: number,
): Promise<void> {
  await ctx.store.transaction(async (trx) => {
    const ids = threads.map(({ about }) => about);
    const monitors = await listMessageMonitors(trx, ids);
    const told = await readToldFingerprints(trx, ids);
    const reasons = new Map(threads.map(({ id, unwatched }) => [id, unwatched]));
    const messageFor = ({ id, about }: CertificateThread, { type }: { type: string }) => {
      const [monitor, certificate] = [monitors.get(about), certificates.get(about)];
      if (!monitor) return null;
      const unwatched = reasons.get(id);
      if (certificate && !unwatched) return renewalOf(certificate, monitor, now);
      // Who stopped that knows; an alert that a pager has open would stay so.
      if (!isProgram(type)) return null;
      const known = { expiresAt: null, issuer: "", fingerprint: told.get(about) ?? "" };
      return unwatchedOf(certificate ?? known, monitor, { why: unwatched ?? "changed", now });
    };
    await endThreadsOf(trx, threads, { now, say: { messageFor, mailing: mailingOf(ctx.config) } });
    // Whoever watches it again, or leads to it again, is told again what is so then.
    const left = threads.filter(({ about, unwatched }) => unwatched || !certificates.has(about));
    await forgetNotices(
      trx,
      left.map(({ about }) => about),
    );
  });
}
