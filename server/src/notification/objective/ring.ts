import { randomUUIDv7 } from "node:crypto";
import type { Db } from "../../store/db.ts";
import { appendEvents } from "../../store/queries/events.ts";
import { insertNotifications } from "../../store/queries/notifications.ts";
import { inEnglish } from "../../texts/english.ts";
import { noticeEvents } from "../live-events.ts";
import type { LiveNotice } from "../live-notice.ts";
import { noticeFactOf, type ObjectiveMessage } from "./messages.ts";

/** Writes into the bell of the app what channels are told of objectives, in the same transaction. The caller wakes the live stream. */
export async function ringForObjectives(
  trx: Db,
  news: readonly { organizationId: number; message: ObjectiveMessage }[],
  now: number,
): Promise<void> {
  const notices = news.flatMap((one) => noticeOf(one, now) ?? []);
  if (notices.length === 0) return;
  await insertNotifications(trx, notices);
  appendEvents(trx, noticeEvents(notices), now);
}

function noticeOf(
  { organizationId, message }: { organizationId: number; message: ObjectiveMessage },
  now: number,
): LiveNotice | null {
  const { event, type, at, monitor } = message;
  if (!monitor) return null;
  const { id: monitorId, uuid, kind, name: monitorName } = monitor;
  const said = noticeFactOf(message, monitorName);
  return {
    ...{ uuid: randomUUIDv7(), organizationId, monitorId, kind, monitorName, incidentId: null },
    ...{ event, type, at, fact: said, message: inEnglish(said), reason: said.because ?? null },
    ...{ outageMs: null, isQuiet: false, outageStartedAt: null, togetherFact: null },
    idempotencyKey: `${event}:${uuid}:${now}`,
    createdAt: now,
  };
}
