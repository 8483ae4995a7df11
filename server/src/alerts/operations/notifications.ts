import { Type } from "typebox";
import { findAnywhere } from "../../platform/access/check-access.ts";
import type { Db } from "../../platform/database/schema.ts";
import { findOwner } from "../../platform/database/sql.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { IdParams, parseId } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { pageIn, pagingOf } from "../../platform/operations/paging.ts";
import { readSharedIncidents, type SharedIncident } from "../queries/claim-deliveries.ts";
import {
  countNotifications,
  countUnread,
  findNotificationId,
  markAllRead,
  markRead,
  listNotifications as queryNotifications,
  type ReadNotification,
} from "../queries/notifications.ts";
import {
  AllRead,
  COUNTED,
  Notification,
  NotificationCounts,
  NotificationMark,
  NotificationsQuery,
  projectReadNotification,
} from "../schemas/notifications.ts";

/** Combines notifications of monitors that share an incident. */
async function sayTogether(db: Db, notifications: readonly ReadNotification[]): Promise<ReadNotification[]> {
  const speaking = notifications.filter(({ isOfGroup, event }) => isOfGroup && SAID.has(event));
  const shared = await readSharedIncidents(db, [
    ...new Set(speaking.flatMap(({ incidentId }) => incidentId ?? [])),
  ]);
  return notifications.map((one) => {
    const incident = speaking.includes(one) ? shared.get(one.incidentId ?? 0) : undefined;
    const said = incident && messageOf(one, incident);
    return said ? { ...one, descriptor: said, message: inEnglish(said) } : one;
  });
}

const SAID = new Set(["monitor.down", "monitor.up"]);

function messageOf(
  { event, descriptor: own, togetherMessage, monitorId }: ReadNotification,
  { leadId, leadName, others }: SharedIncident,
): MessageDescriptor | null {
  // It joined the incident, but a notification was sent all the same.
  if (event === "monitor.down" && togetherMessage && monitorId !== leadId) return togetherMessage;
  const since = own?.params?.["since"];
  if (typeof since !== "string") return null;
  const all = { name: leadName, others, since };
  if (event === "monitor.up") return msg("notification.recovered_together", all);
  return { ...msg("notification.down_together", all), ...(own?.because && { because: own.because }) };
}

const USUAL_LIMIT = 50;

/** Newest first, with what the caller has read. Grouped as channels send them. */
export const listNotifications = verb({
  resource: "notifications",
  action: "read",
  input: NotificationsQuery,
  output: Type.Array(Notification),
  paged: true,
  beside: NotificationCounts,
  async run({ db, caller }, { page, limit = USUAL_LIMIT, sort, grouped = false }) {
    const paging = pagingOf({ page, limit, sort });
    const listed = await queryNotifications(db, caller, { ...paging, grouped });
    const items = (grouped ? await sayTogether(db, listed) : listed).map(projectReadNotification);
    const beside = { unread: await countUnread(db, caller, { among: COUNTED, grouped }) };
    // Counting a year of them would be wasted on a client that wants only the newest.
    if (page === undefined) return { items, beside };
    return {
      items,
      beside,
      page: pageIn(paging, await countNotifications(db, caller.organizationId, { grouped })),
    };
  },
});

/** Private to the user, so that viewers may mark them, too. */
const marking = { resource: "notifications", action: "write", role: "viewer", audit: null } as const;

/** In any of their organizations. Throws 404 for another's. */
export const readNotification = verb({
  ...marking,
  input: IdParams,
  output: NotificationMark,
  async find(ctx, input) {
    const { db } = ctx.store;
    const ref = parseId(input.id);
    const find = (organizationId: number) => findNotificationId(db, organizationId, ref);
    return findAnywhere(ctx, find, () => findOwner(db, "notifications", ref));
  },
  async run({ db, caller, clock }, _, id) {
    await markRead(db, caller, id, clock.now());
    return { id, isRead: true as const };
  },
});

export const readAllNotifications = verb({
  ...marking,
  input: Type.Object({}),
  output: AllRead,
  async run({ db, caller, clock }) {
    await markAllRead(db, caller, clock.now());
    return { isRead: true as const };
  },
});
