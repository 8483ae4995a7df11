import { ownFooter } from "../../alerts/channels/words.ts";
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

/** Later than this it is of no use: for so long no server ran, or no mail could be sent. */
const LATE_MS = 3 * 86_400_000;

/** Whose report of which time is due. */
interface Due {
  kind: ReportMailKind;
  times: ReportTimes;
  readers: ReadonlyMap<number, ReportReader>;
}

/**
 * Sends people the reports that are due in their time zone, of each of their organizations that has reports, each once: a row
 * records that a reader got one, in the transaction that writes the mail. Any number of replicas may do so, and what was due while
 * none ran is sent late. Nothing on the word of a clock that cannot be right.
 */
export async function mailReports(
  given: Context,
  watch: Pick<ClockWatch, "isSkewSuspected" | "aheadMs">,
): Promise<void> {
  if (watch.isSkewSuspected || !sendsMail(given.config)) return;
  // A server that is ahead of the others would report on a week that is not over.
  const ctx = { ...given, clock: { now: () => given.clock.now() - watch.aheadMs() } };
  for (const kind of REPORT_MAILS) {
    for (const due of await listDue(ctx, kind)) await sendDue(ctx, due);
  }
}

/** What is due of a kind, zone by zone. */
async function listDue({ store, clock, config }: Context, kind: ReportMailKind): Promise<Due[]> {
  const now = clock.now();
  const readers = await listReportReaders(store.db, kind);
  const known = readers.filter((reader) => isKnown(config, reader));
  return [...Map.groupBy(known, (person) => readerOf(person).timeZone)].flatMap(([timeZone, people]) => {
    const times = lastReport(kind, timeZone, now);
    // Who wants them since then waits for the next one.
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
      // The others get theirs; this one is tried again.
      ctx.log.error({ err: error, organizationId, kind }, "A report could not be sent by mail");
    }
  }
}

/** `report` null: there is nothing to report, so that it counts as sent. */
async function sendOne(
  ctx: Context,
  { kind, times, readers }: Due,
  one: MissingReport,
  report: CollectedReport | null,
): Promise<void> {
  const { userId, organizationId, organization, organizationUuid } = one;
  await ctx.store.transaction(async (trx) => {
    // Users who have left, want none any more, or have another, unconfirmed address by now, get none.
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
