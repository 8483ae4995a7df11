import {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  updateChannel,
} from "../../channel/channels.ts";
import { askAgain } from "../../channel/confirm-channel.ts";
import { listChannelDeliveries, resendDelivery } from "../../channel/deliveries.ts";
import { testChannel } from "../../channel/test-channel.ts";
import type { DefineBoth } from "../both-families.ts";
import { LONG_TEXTS } from "../long-texts.ts";

const collection = { url: "/api/notifications/channels", tag: "notifications" };
const item = { url: "/api/notifications/channels/:id", tag: "notifications" };
const TESTS_A_MINUTE = 10;

/** Where the organization's people are told. */
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
      "`type` decides what `config` holds. From now on the channel is sent every event that its filter lets through. An organization can have 50. An e-mail address that is not known to be a member's has to be confirmed first (`confirmed`); 429 if it, or too many addresses, have been asked within a day.",
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
    verb: askAgain,
    assistant: false,
    method: "POST",
    failures: [403, 409],
    summary: "Ask a channel's address again whether it may be written to",
    description:
      "By mail, with a link that works once, within seven days. 403 if this installation sends no mail with links, 409 for a channel that is `confirmed`, 429 if the address, or too many addresses, have been asked within a day.",
    message: "The question is on its way.",
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
      "At once, and for another day if that fails. It keeps its id, so receivers can tell that they have it already. 409 while it is waiting to be sent anyway, for a channel that is turned off or not `confirmed`, and for a `confirmation`.",
    message: "The message is sent again.",
  });
}
