import { type Static, Type } from "typebox";
import { MONITOR_KINDS } from "../monitor/monitor-defaults.ts";
import { nameOfEvent } from "../notification/event-rules.ts";
import { NOTIFICATION_TYPES } from "../notification/rules.ts";
import type { ReadNotification } from "../store/queries/notification-reads.ts";
import { MessageSchema, sentenceOf } from "./fact.ts";
import { fromOutside, nullable, oneOf, shown, Timestamp, Uuid } from "./field.ts";
import { NewestFirstQuery } from "./page.ts";

/** GET /api/notifications. */
export const NotificationsQuery = Type.Object({
  page: NewestFirstQuery.page,
  sort: NewestFirstQuery.sort,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 50, description: "Items, newest first." }),
  ),
  grouped: Type.Optional(
    Type.Boolean({
      description:
        "True: monitors that went down together have one notification when the first goes down and one when all are up again. Default: false: each monitor has its own.",
    }),
  ),
});

/** So many of the newest are looked at to count the unread ones. */
export const COUNTED = 1_000;

/** What the list says beside its items. */
export const NotificationCounts = {
  unread: Type.Integer({
    minimum: 0,
    maximum: COUNTED,
    description: "How many of the newest 1,000 you have not read, whether or not they are in this answer.",
    examples: [3],
  }),
};

export const Notification = Type.Object(
  {
    id: Type.Integer({ examples: [7] }),
    uuid: Uuid,
    type: oneOf(NOTIFICATION_TYPES),
    event: Type.String({ description: "What happened.", examples: ["monitor.down"] }),
    message: fromOutside(
      Type.String({
        description: "In English and UTC.",
        examples: ["Shop has been down since 2026-11-21 09:30:00 UTC. The connection was refused."],
      }),
    ),
    fact: MessageSchema,
    reason: fromOutside(
      nullable(
        Type.String({ examples: ["The connection was refused."] }),
        "The last sentence of `message`, where it says why; the fact of it is `fact.because`.",
      ),
    ),
    isRead: Type.Boolean({
      description: "Whether you have read it. What people were told before you joined counts as read.",
    }),
    monitorId: nullable(
      Type.Integer(),
      "The domain, service or device it is about; null once that is deleted.",
    ),
    monitorKind: nullable(oneOf(MONITOR_KINDS), "Which of them it is."),
    incidentId: nullable(Type.Integer(), "The incident it is about."),
    createdAt: Timestamp,
  },
  { title: "Notification" },
);

/** What marking all as read answers. */
export const AllRead = Type.Object({ isRead: Type.Literal(true) }, { title: "AllRead" });

/** What marking one as read answers. */
export const NotificationMark = Type.Object(
  { id: Type.Integer({ examples: [7] }), isRead: Type.Literal(true) },
  { title: "NotificationMark" },
);

export const projectReadNotification = (notification: ReadNotification): Static<typeof Notification> =>
  shown(Notification, {
    ...notification,
    event: nameOfEvent(notification.event, { kind: notification.monitorKind, fact: notification.fact }),
    reason: sentenceOf(notification.fact?.because),
  });
