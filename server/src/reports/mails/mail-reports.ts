import { ownFooter } from "../../alerts/channels/message-words.ts";
import { sendMail, sendsMail } from "../../alerts/mail/send-mail.ts";
import {
  lastReport,
  REPORT_MAILS,
  type ReportMailKind,
  type ReportTimes,
} from "../../alerts/people/settings.ts";
import { requiresConfirmedAddress } from "../../alerts/people/trusted-address.ts";
import {
  claimReportMail,
  listMissingReports,
  listReportReaders,
  type MissingReport,
  type ReportReader,
} from "../../alerts/queries/notification-settings.ts";
import type { ClockWatch } from "../../engine/results/clock-watch.ts";
import type { Context } from "../../platform/context.ts";
import { readerOf } from "../../platform/i18n/reader.ts";
import { type CollectedReport, collectReport } from "./collect.ts";
import { reportWords } from "./words.ts";

/** A later report is useless: no server ran, or no mail could be sent. */
const LATE_MS = 3 * 86_400_000;

interface Due {
  kind: ReportMailKind;
  times: ReportTimes;
  readers: ReadonlyMap<number, ReportReader>;
}

/**
 * By each person's time zone, of each organization with reports, once: the mail's transaction records it.
 * Safe on several replicas; overdue reports are sent late. Nothing is sent while the clock cannot be right.
 */
export async function mailReports(
  given: Context,
  watch: Pick<ClockWatch, "isSkewSuspected" | "aheadMs">,
): Promise<void> {
  if (watch.isSkewSuspected || !sendsMail(given.config)) return;
  // A server that is ahead would report on an unfinished week.
  const ctx = { ...given, clock: { now: () => given.clock.now() - watch.aheadMs() } };
  for (const kind of REPORT_MAILS) {
    for (const due of await listDue(ctx, kind)) await sendDue(ctx, due);
  }
}

/** By zone. */
async function listDue({ store, clock, config }: Context, kind: ReportMailKind): Promise<Due[]> {
  const now = clock.now();
  const readers = await listReportReaders(store.db, kind);
  const known = readers.filter((reader) => isKnown(config, reader));
  return [...Map.groupBy(known, (person) => readerOf(person).timeZone)].flatMap(([timeZone, people]) => {
    const times = lastReport(kind, timeZone, now);
    // Later subscribers wait for the next one.
    const own = people.filter(({ since }) => since <= times.dueAt);
    if (now - times.dueAt > LATE_MS || own.length === 0) return [];
    return [{ kind, times, readers: new Map(own.map((person) => [person.userId, person])) }];
  });
}

const isKnown = (config: Context["config"], { isConfirmed }: ReportReader): boolean =>
  isConfirmed || !requiresConfirmedAddress(config);

async function sendDue(ctx: Context, due: Due): Promise<void> {
  const { kind, times, readers } = due;
  const missing = await listMissingReports(ctx.store.db, [...readers.keys()], { kind, ...times });
  for (const [organizationId, own] of Map.groupBy(missing, (one) => one.organizationId)) {
    try {
      const report = await collectReport(ctx, { organizationId, ...times });
      for (const one of own) await sendOne(ctx, due, one, report);
    } catch (error) {
      // Retried without blocking the others.
      ctx.log.error({ err: error, organizationId, kind }, "A report could not be sent by mail");
    }
  }
}

/** `report` null: nothing to report; counts as sent. */
async function sendOne(
  ctx: Context,
  { kind, times, readers }: Due,
  one: MissingReport,
  report: CollectedReport | null,
): Promise<void> {
  const { userId, organizationId, organization, organizationUuid } = one;
  await ctx.store.transaction(async (trx) => {
    // Without users who have left, unsubscribed, or changed to an unconfirmed address.
    const [isWanted] = await listReportReaders(trx, kind, { userId });
    const still = await listMissingReports(trx, [userId], { kind, ...times });
    if (!isWanted || !isKnown(ctx.config, isWanted)) return;
    if (!still.some((other) => other.organizationId === organizationId)) return;
    const person = readers.get(userId);
    const { period } = times;
    if (!(await claimReportMail(trx, { ...one, kind, period }, ctx.clock.now())) || !report || !person)
      return;
    const reader = readerOf(person);
    const { publicUrl } = ctx.config;
    const settings = `${publicUrl}/settings/notifications`;
    const words = reportWords(report, { kind, times, reader, organization });
    const footer = ownFooter(reader, organization, settings);
    await sendMail(
      { ...ctx, db: trx },
      {
        to: isWanted.email,
        organizationId,
        mail: {
          kind: "written",
          language: reader.language,
          words: { ...words, footer },
          link: `${publicUrl}/reports?range=custom&from=${period}&to=${times.lastDay}&organization=${organizationUuid}`,
          list: { id: organizationUuid, unsubscribe: settings },
        },
        worthMs: LATE_MS,
      },
    );
  });
}
