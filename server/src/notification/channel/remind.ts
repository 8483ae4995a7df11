import type { Context } from "../../context.ts";
import { partition } from "../../partition.ts";
import { lockClaims } from "../../store/queries/claim-deliveries.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import {
  type DueReminder,
  hasDueReminders,
  listDueReminders,
  listRemindedOutages,
  type RemindedOutage,
  setReminders,
} from "../../store/queries/reminders.ts";
import { fact } from "../../texts/fact.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { type Message, type MessageMonitor, newMessage } from "./message.ts";
import { failingFrom } from "./telling.ts";

const ROUND = 1_000;

/**
 * Reminds channels that want it of outages that nobody has acknowledged. One that was, or that is over, ends its reminders;
 * in a maintenance window, while people say that it is resolved, and while something else about it waits to be sent, they
 * pause. Any number of replicas may do so.
 */
export async function remindChannels(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  if (!(await hasDueReminders(ctx.store.db, now))) return;
  await ctx.store.transaction(async (trx) => {
    await lockClaims(trx);
    const due = await listDueReminders(trx, now, ROUND);
    const outages = await listRemindedOutages(trx, threadsOf(due));
    const byThread = Map.groupBy(outages, ({ threadId }) => threadId);
    const [open, over] = partition(due, ({ threadId }) => byThread.has(threadId));
    await setReminders(trx, threadsOf(over), null);
    for (const [everyMs, own] of Map.groupBy(open, (one) => one.everyMs)) {
      await setReminders(trx, threadsOf(own), everyMs === 0 ? null : now + everyMs);
    }
    const wanted = open
      .filter(({ everyMs, isBusy }) => everyMs > 0 && !isBusy)
      .flatMap((one) => firstOfEach(byThread.get(one.threadId) ?? []).map((outage) => ({ one, outage })));
    const monitors = await listMessageMonitors(
      trx,
      wanted.map(({ outage }) => outage.monitorId),
    );
    const deliveries = wanted.flatMap(({ one, outage }) => {
      const monitor = monitors.get(outage.monitorId);
      if (!monitor) return [];
      const to = { ...toChannel({ ...one, id: one.channelId }), threadId: one.threadId };
      return deliveryOf(to, reminderOf(outage, monitor, now), now);
    });
    await insertChannelDeliveries(trx, deliveries, { now });
  });
}

const threadsOf = (due: readonly DueReminder[]): number[] => due.map(({ threadId }) => threadId);

/** What of each incident is named. */
const firstOfEach = (outages: readonly RemindedOutage[]): RemindedOutage[] => {
  const told = outages.filter(({ isOnHold }) => !isOnHold);
  return [...new Map(told.toReversed().map((one) => [one.incidentId, one])).values()].toReversed();
};

function reminderOf(
  { startedAt: at, incidentId, state }: RemindedOutage,
  monitor: MessageMonitor,
  now: number,
): Message {
  const locations = failingFrom(state);
  const reason = locations.map((code) => state?.locations[code]?.reason).find(Boolean) ?? null;
  const code = monitor.kind === "device" ? "notice.reminder_device" : "notice.reminder";
  const said = fact(code, { name: monitor.name, lasted: now - at });
  const told = { at, fact: { ...said, ...(reason && { because: reason }) }, reason, locations };
  return newMessage({ event: "reminder", type: "error", ...told, monitor, incidentId });
}
