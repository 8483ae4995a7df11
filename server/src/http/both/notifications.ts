import { askOwnAddress } from "../../channel/ask-own-address.ts";
import {
  getNotificationSettings,
  testOwnNotifications,
  updateNotificationSettings,
} from "../../channel/own-settings.ts";
import { listNotifications, readAllNotifications, readNotification } from "../../report/notifications.ts";
import type { DefineBoth } from "../both-families.ts";

const own = { tag: "notifications" };
const SETTINGS = "/api/notifications/settings";
const TESTS_A_MINUTE = 10;

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
    description: "For you and this organization only; later ones are unread.",
    message: "All notifications marked as read.",
  });
  define({
    ...own,
    verb: readNotification,
    method: "PUT",
    url: "/api/notifications/:id/read",
    summary: "Mark a notification as read",
    description: "For you only; doing it again changes nothing.",
    message: "Notification marked as read.",
  });
  define({
    ...own,
    verb: getNotificationSettings,
    method: "GET",
    url: SETTINGS,
    summary: "Get your notification settings",
    description: "What you are told and how, in each of your organizations.",
  });
  define({
    ...own,
    verb: updateNotificationSettings,
    method: "PUT",
    url: SETTINGS,
    summary: "Change your notification settings",
    description:
      "Any subset of the fields; what is not sent stays. They apply in all of your organizations, so a key made for only one of them is refused (403). If a channel of the organization writes to your mailbox, you get no second mail about the same event.",
    message: "Notification settings updated.",
  });
  define({
    ...own,
    verb: askOwnAddress,
    assistant: false,
    method: "POST",
    url: `${SETTINGS}/confirmation`,
    failures: [403, 409],
    summary: "Ask again whether your address is yours",
    description:
      "By mail, with a link that works once, within seven days. 403 if this installation sends no mail with links, 409 if there is nothing to confirm, 429 if the address, or too many addresses of the organization, have been asked within a day.",
    message: "The question is on its way.",
  });
  define({
    ...own,
    verb: testOwnNotifications,
    method: "POST",
    url: `${SETTINGS}/test`,
    limit: { group: "test-channels", perMinute: TESTS_A_MINUTE },
    summary: "Send yourself a test message",
    description:
      "By mail, to Slack or to your webhook. Waits for the other side and returns what it answered, or why it could not be reached: `accepted` says which.",
  });
}
