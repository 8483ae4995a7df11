import { listNotifications, readAllNotifications, readNotification } from "../../report/notifications.ts";
import type { DefineBoth } from "../both-families.ts";

const own = { tag: "notifications" };

/** What people were told, and who has read it. */
export function describeNotifications(define: DefineBoth): void {
  define({
    verb: listNotifications,
    method: "GET",
    url: "/api/notifications",
    summary: "List notifications",
    description: "What the organization's people were told, newest first, and whether you have read it.",
  });
  define({
    ...own,
    verb: readAllNotifications,
    method: "PUT",
    url: "/api/notifications/read",
    summary: "Mark all notifications as read",
    description: "For you and this organization only; what comes later is unread.",
    message: "All notifications marked as read.",
  });
  define({
    ...own,
    verb: readNotification,
    method: "PUT",
    url: "/api/notifications/:id/read",
    summary: "Mark a notification as read",
    description: "For you only; again changes nothing.",
    message: "Notification marked as read.",
  });
}
