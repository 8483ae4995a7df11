import { randomUUIDv7 } from "node:crypto";
import type { Context } from "../../context.ts";
import { certificateStatus } from "../../monitor/certificate-status.ts";
import type { Db } from "../../store/db.ts";
import {
  claimNoticeEnds,
  forgetNotices,
  listNoticedMonitors,
  type NoticedMonitor,
  readCertificates,
  type SeenCertificateOf,
} from "../../store/queries/certificates.ts";
import { appendEvents } from "../../store/queries/events.ts";
import { listMessageMonitors } from "../../store/queries/monitor-names.ts";
import { insertNotifications } from "../../store/queries/notifications.ts";
import { inEnglish } from "../../texts/english.ts";
import { inSlices } from "../../turns.ts";
import type { MessageMonitor } from "../channel/message.ts";
import { noticeEvents } from "../live-events.ts";
import type { LiveNotice } from "../live-notice.ts";
import { type CertificateMessage, noticeFactOf, renewalOf } from "./messages.ts";

const ROUND = 500;

/** What is told of a monitor's certificate. */
interface CertificateNews {
  organizationId: number;
  message: CertificateMessage;
}

/** Writes into the bell of the app what channels are told of certificates, in the same transaction. The caller wakes the live stream. */
export async function ringFor(trx: Db, news: readonly CertificateNews[], now: number): Promise<void> {
  const notices = news.flatMap((one) => noticeOf(one, one.message.monitor, now) ?? []);
  if (notices.length === 0) return;
  await insertNotifications(trx, notices);
  appendEvents(trx, noticeEvents(notices), now);
}

function noticeOf(
  { organizationId, message }: CertificateNews,
  monitor: MessageMonitor | null,
  now: number,
): LiveNotice | null {
  if (!monitor) return null;
  const { event, type, at, certificate } = message;
  const { id: monitorId, uuid, kind, name: monitorName } = monitor;
  const said = noticeFactOf(message, monitorName);
  return {
    ...{ uuid: randomUUIDv7(), organizationId, monitorId, kind, monitorName, incidentId: null },
    ...{ event, type, at, fact: said, message: inEnglish(said), reason: said.because ?? null },
    ...{ outageMs: null, isQuiet: false, outageStartedAt: null, togetherFact: null },
    idempotencyKey: `${event}:${uuid}:${certificate?.fingerprint}:${now}`,
    createdAt: now,
  };
}

/** Says in the bell of which certificates all is well again; what nobody watches any more is told again once somebody does. */
export async function ringForEnds(ctx: Context, now: number): Promise<void> {
  await inSlices(await listNoticedMonitors(ctx.store.db), ROUND, async (monitors) => {
    const ids = monitors.map(({ monitorId }) => monitorId);
    const certificates = await readCertificates(ctx.store.db, ids);
    const isGone = ({ monitorId, unwatched }: NoticedMonitor) =>
      unwatched !== null || !certificates.has(monitorId);
    const gone = monitors.filter(isGone).map(({ monitorId }) => monitorId);
    const well = monitors.flatMap((one) => {
      const certificate = certificates.get(one.monitorId);
      if (!certificate || isGone(one) || one.isInMaintenance) return [];
      return certificateStatus(certificate, now) === "valid" ? certificate : [];
    });
    if (gone.length + well.length > 0) await end(ctx, { gone, well }, now);
  });
}

async function end(
  ctx: Context,
  { gone, well }: { gone: readonly number[]; well: readonly SeenCertificateOf[] },
  now: number,
): Promise<void> {
  await ctx.store.transaction(async (trx) => {
    await forgetNotices(trx, gone);
    const ids = well.map(({ monitorId }) => monitorId);
    const ended = await claimNoticeEnds(trx, ids, now);
    const monitors = await listMessageMonitors(trx, [...ended]);
    const news = well.flatMap((certificate) => {
      const monitor = monitors.get(certificate.monitorId);
      if (!monitor) return [];
      const { organizationId } = certificate;
      return { organizationId, message: renewalOf(certificate, monitor, now) };
    });
    await ringFor(trx, news, now);
  });
  ctx.live.wake();
}
