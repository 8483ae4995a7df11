import { LONG_TEXTS } from "../../platform/http/answer.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import { limitMails } from "../../platform/http/rate-limits.ts";
import { getMailSettings, sendTestMail } from "../mail/external-mail.ts";
import {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  updateChannel,
} from "../operations/channels.ts";
import { resendConfirmation } from "../operations/confirm-channel.ts";
import { listChannelDeliveries, resendDelivery } from "../operations/deliveries.ts";
import { listIncidentDeliveries } from "../operations/list-incident-deliveries.ts";
import { listNotifications, readAllNotifications, readNotification } from "../operations/notifications.ts";
import { testChannel } from "../operations/test-channel.ts";
import {
  getNotificationSettings,
  requestOwnConfirmation,
  testOwnNotifications,
  updateNotificationSettings,
} from "../people/own-settings.ts";

const collection = { url: "/api/notifications/channels", tag: "notifications" };
const item = { url: "/api/notifications/channels/:id", tag: "notifications" };
const TESTS_A_MINUTE = 10;

/** Where the organization's people are notified. */
export function describeChannels(define: DefineBoth): void {
  define({
    ...collection,
    verb: listChannels,
    method: "GET",
    summary: "List notification channels",
    description: "Oldest first, each with the newest message to it. Credentials are never shown.",
  });
  define({
    ...collection,
    verb: createChannel,
    ...LONG_TEXTS,
    method: "POST",
    status: 201,
    failures: [409],
    summary: "Add a notification channel",
    description:
      "`type` decides what `config` holds. From now on the channel is sent every event that its filter lets through. An organization can have 50. An e-mail address that is not known to be a member's has to be confirmed first (`confirmed`); 429 if it, or too many addresses, received a confirmation request within a day.",
    message: "Channel added.",
  });
  define({
    ...item,
    verb: getChannel,
    method: "GET",
    summary: "Get a notification channel",
    description: "Its settings and the newest message to it. Credentials are never shown.",
  });
  define({
    ...item,
    verb: updateChannel,
    ...LONG_TEXTS,
    method: "PUT",
    failures: [409],
    summary: "Change a notification channel",
    description:
      "Any subset of the fields; what is not sent stays. `config` is replaced as a whole, except for secrets that you do not send. A channel that Vedette has turned off is used again once `enabled` is true. A new e-mail address has to be confirmed.",
    message: "Channel updated.",
  });
  define({
    ...item,
    verb: deleteChannel,
    method: "DELETE",
    summary: "Delete a notification channel",
    description: "With its log. Messages that are waiting for it are not sent.",
    message: "Channel deleted.",
  });
  define({
    ...item,
    url: `${item.url}/test`,
    verb: testChannel,
    method: "POST",
    limit: { group: "test-channels", perMinute: TESTS_A_MINUTE },
    summary: "Send a test message to a channel",
    description:
      "Waits for the other side and returns what it answered, or why it could not be reached: `accepted` says which. The log has it, too.",
  });
  define({
    ...item,
    url: `${item.url}/confirmation`,
    verb: resendConfirmation,
    assistant: false,
    method: "POST",
    failures: [403, 409],
    summary: "Send a channel's confirmation request again",
    description:
      "By mail, with a link that works once, within seven days. 403 if this installation sends no mail with links, 409 for a channel that is `confirmed`, 429 if the address, or too many addresses, received one within a day.",
    message: "The confirmation request is on its way.",
  });
  define({
    ...item,
    url: `${item.url}/deliveries`,
    verb: listChannelDeliveries,
    method: "GET",
    summary: "List what a channel was sent",
    description:
      "The last 30 days, newest first: each message with every attempt, what was sent and what was answered.",
  });
  define({
    ...item,
    url: `${item.url}/deliveries/:delivery/resend`,
    verb: resendDelivery,
    method: "POST",
    failures: [409],
    summary: "Send a message again",
    description:
      "It keeps its id, so receivers can recognize a repetition. A message that never arrived is sent as things are by then, and counts as received once it arrives. One that arrived is repeated once, word for word. Both only while what it says is so and no newer one about the same was sent or tried: otherwise 409, which says why, and nothing is sent. A webhook may have every event that it received repeated, with its original time, for up to a day if that fails; the order of events does not hold for it. 409 also while it is waiting to be sent anyway, for a channel that is turned off or not `confirmed`, and for a `confirmation`.",
    message: "The message is sent again.",
  });
}

/** What was sent of an incident. */
export function describeIncidentDeliveries(define: DefineBoth): void {
  define({
    verb: listIncidentDeliveries,
    method: "GET",
    url: "/api/incidents/:id/deliveries",
    summary: "List who was notified of an incident",
    description:
      "Of the last 30 days, newest first: what was sent to the organization's channels and to your own, when it got there, and what waits or failed and why; and `channels`: of each channel, what it was notified of, what it waits for, and why it is sent nothing. Other people's own channels are not shown.",
  });
}

const own = { tag: "notifications" };
const SETTINGS = "/api/notifications/settings";

/** What people were notified of, and who has read it. */
export function describeNotifications(define: DefineBoth): void {
  define({
    verb: listNotifications,
    method: "GET",
    url: "/api/notifications",
    summary: "List notifications",
    description: "Notifications of the organization's people, newest first, and whether you have read each.",
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
    description: "What you are notified of and how, in each of your organizations.",
  });
  define({
    ...own,
    verb: updateNotificationSettings,
    method: "PUT",
    url: SETTINGS,
    summary: "Change your notification settings",
    description:
      "Any subset of the fields; what is not sent stays. They apply in all of your organizations, so a key made for only one of them is refused (403). If a channel of the organization sends your mailbox all that you would get of an outage, you get no second mail about it.",
    message: "Notification settings updated.",
  });
  define({
    ...own,
    verb: requestOwnConfirmation,
    assistant: false,
    method: "POST",
    url: `${SETTINGS}/confirmation`,
    failures: [403, 409],
    summary: "Send the confirmation request for your address again",
    description:
      "By mail, with a link that works once, within seven days. 403 if this installation sends no mail with links, 409 if there is nothing to confirm, 429 if the address, or too many addresses of the organization, received one within a day.",
    message: "The confirmation request is on its way.",
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

const TEST_MAILS_AN_HOUR = 20;

/** The mail of this installation. */
export function describeMail(define: DefineBoth): void {
  define({
    verb: getMailSettings,
    method: "GET",
    url: "/api/mail",
    tag: "organization",
    summary: "Get the mail settings",
    description:
      "Only for owners. The operator of the installation sets it in the environment of the server: `SMTP_URL` (`smtp://user:password@smtp.example.org:587`, or `smtps://…:465`), `VEDETTE_MAIL_FROM` (`Vedette <vedette@example.org>`) and, for mail with links, `VEDETTE_PUBLIC_URL`; then the server is restarted. Without `SMTP_URL` no mail is sent.",
  });
  define({
    verb: sendTestMail,
    method: "POST",
    url: "/api/mail/test",
    tag: "organization",
    limit: { group: "test-mail", perMinute: 5 },
    before: async (_, http) => {
      // The address which they signed up with has not been confirmed.
      const to = `user:${http.ctx.caller?.userId}`;
      await limitMails(http, { group: "test-mails", to, anHour: TEST_MAILS_AN_HOUR });
    },
    summary: "Send a test mail to your own address",
    description:
      "Only for owners. Answers once the mail server has, with what it said, or why it could not be reached: `accepted` says which. Twenty an hour at most. 403 where no mail server is configured (`SMTP_URL`).",
  });
}
