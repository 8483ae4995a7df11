import { Type } from "typebox";
import { notFound } from "../errors.ts";
import {
  countNotifications,
  findNotificationId,
  markAllRead,
  markRead,
  listNotifications as queryNotifications,
} from "../store/queries/notification-reads.ts";
import { verb } from "../verb/verb.ts";
import { IdParams, parseId } from "../wire/id.ts";
import {
  AllRead,
  Notification,
  NotificationMark,
  NotificationsQuery,
  projectNotice,
} from "../wire/notifications.ts";
import { pageIn, pagingOf } from "../wire/page.ts";

const USUAL_LIMIT = 50;

/** What the people of the caller's organization were told, newest first, and what of it the caller has read. */
export const listNotifications = verb({
  resource: "notifications",
  action: "read",
  input: NotificationsQuery,
  output: Type.Array(Notification),
  paged: true,
  async run({ db, caller }, { page, limit = USUAL_LIMIT }) {
    const paging = pagingOf({ page, limit });
    const items = (await queryNotifications(db, caller, paging)).map(projectNotice);
    // Nobody counts a year of them for those who want the newest only.
    if (page === undefined) return { items };
    return { items, page: pageIn(paging, await countNotifications(db, caller.organizationId)) };
  },
});

/** The caller has read it: their own affair, which a viewer's role permits too. Throws 404 for one of others. */
export const readNotification = verb({
  resource: null,
  action: "write",
  audit: null,
  input: IdParams,
  output: NotificationMark,
  async run({ db, caller, clock }, input) {
    const id = await findNotificationId(db, caller.organizationId, parseId(input.id));
    if (id === undefined) throw notFound();
    await markRead(db, caller, id, clock.now());
    return { id, isRead: true as const };
  },
});

/** The caller has read all that there are. */
export const readAllNotifications = verb({
  resource: null,
  action: "write",
  audit: null,
  input: Type.Object({}),
  output: AllRead,
  async run({ db, caller, clock }) {
    await markAllRead(db, caller, clock.now());
    return { isRead: true as const };
  },
});
