import { LONG_TEXTS } from "../../platform/http/answer.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import { SUBSCRIBE_LIMIT } from "../../platform/http/rate-limits.ts";
import { visitorOf } from "../../platform/http/visitor.ts";
import { pageVisitor } from "../http/send.ts";
import { SUBSCRIBERS_BODY_BYTES, SUBSCRIBERS_CSV, subscribersFile } from "../schemas/subscribers.ts";
import { importSubscribers } from "../subscriber/import-subscribers.ts";
import { subscribe } from "../subscriber/subscribe.ts";
import {
  addSubscriber,
  exportSubscribers,
  listSubscribers,
  removeSubscriber,
} from "../subscriber/subscribers.ts";
import { draftIncidentUpdate } from "../update/draft-update.ts";
import {
  createUpdateTemplate,
  deleteUpdateTemplate,
  getUpdateTemplate,
  listBuiltInTemplates,
  listUpdateTemplates,
  updateUpdateTemplate,
} from "../update/templates.ts";

const tag = "status-pages";
const collection = { url: "/api/status-pages/:id/subscribers", tag };
const item = { url: "/api/status-pages/:id/subscribers/:subscriberId", tag };

export function describeSubscribers(define: DefineBoth): void {
  define({
    ...collection,
    verb: listSubscribers,
    method: "GET",
    summary: "List the subscribers of a status page",
    description: "Newest first, for those who may change the page.",
  });
  define({
    ...collection,
    verb: addSubscriber,
    method: "POST",
    status: 201,
    summary: "Add a subscriber to a status page",
    description:
      "An e-mail address has to be confirmed first, unless its owner has `agreed` elsewhere. A webhook or Slack is notified from now on. A page can have 20,000 subscribers.",
    message: "Subscriber added.",
  });
  define({
    ...collection,
    url: `${collection.url}/import`,
    verb: importSubscribers,
    assistant: false,
    method: "POST",
    bodyLimitBytes: SUBSCRIBERS_BODY_BYTES,
    summary: "Import e-mail addresses as subscribers of a status page",
    description:
      "Either `addresses` or `content`, at most 5,000 of them. Lines without a valid address are skipped and reported; subscribers that exist stay as they are. Confirmation requests go out one after the other, unless all have `agreed` elsewhere.",
    message: "List imported.",
  });
  define({
    ...collection,
    url: `${collection.url}/export`,
    verb: exportSubscribers,
    method: "GET",
    summary: "Export the subscribers of a status page as CSV",
    description: "The whole list, newest first, for those who may change the page.",
    file: { ...SUBSCRIBERS_CSV, of: subscribersFile },
  });
  define({
    url: "/api/status-pages/:slug/subscriptions",
    tag,
    verb: subscribe,
    method: "POST",
    limit: SUBSCRIBE_LIMIT,
    failures: [401, 403, 404, 429],
    summary: "Subscribe to a status page",
    description:
      "Without credentials, for everybody who may see the page. The address gets one message with a link to confirm, and nothing else before somebody has followed it. The answer is the same whether the address is new, received a request within a day, or is subscribed already. 403 if this installation cannot send that way, 429 if too many requests were sent.",
    message: "If this address may be written to, a confirmation request is sent to it now.",
    async visitor(input, http) {
      const { ctx, request, reply } = http;
      return { ...(await visitorOf(input, http)), atPage: pageVisitor(ctx, request, reply, input.slug) };
    },
  });
  define({
    ...item,
    verb: removeSubscriber,
    method: "DELETE",
    summary: "Remove a subscriber from a status page",
    description: "Their address is deleted, and they are sent nothing more.",
    message: "Subscriber removed.",
  });
}

const TEMPLATES_ROUTE = { url: "/api/status-pages/templates", tag };
const TEMPLATE_ROUTE = { url: "/api/status-pages/templates/:id", tag };

export function describeUpdateTemplates(define: DefineBoth): void {
  define({
    ...TEMPLATES_ROUTE,
    verb: listUpdateTemplates,
    method: "GET",
    summary: "List update templates",
    description: "The organization's own, oldest first.",
  });
  define({
    ...TEMPLATES_ROUTE,
    ...LONG_TEXTS,
    verb: createUpdateTemplate,
    method: "POST",
    status: 201,
    summary: "Create an update template",
    description:
      "Markdown with placeholders, in up to three languages. 422 for an unknown placeholder. An organization can have 100.",
    message: "Template created.",
  });
  define({
    url: "/api/status-pages/built-in-templates",
    tag,
    verb: listBuiltInTemplates,
    method: "GET",
    summary: "List the built-in update templates",
    description: "In every language: one for each state of an incident, and one for maintenance.",
  });
  define({
    ...TEMPLATE_ROUTE,
    verb: getUpdateTemplate,
    method: "GET",
    summary: "Get an update template",
    description: "What it is called, and its texts in each language.",
  });
  define({
    ...TEMPLATE_ROUTE,
    ...LONG_TEXTS,
    verb: updateUpdateTemplate,
    method: "PUT",
    summary: "Change an update template",
    description: "Any subset of the fields; what is not sent stays.",
    message: "Template updated.",
  });
  define({
    ...TEMPLATE_ROUTE,
    verb: deleteUpdateTemplate,
    method: "DELETE",
    summary: "Delete an update template",
    description: "Updates that were made from it stay.",
    message: "Template deleted.",
  });
  define({
    url: "/api/incidents/:id/draft-update",
    verb: draftIncidentUpdate,
    method: "POST",
    summary: "Draft an update of an incident",
    description:
      "A text in the languages of the status pages that it is for, made only from what each of these pages shows, and the pages that show what is affected. Publishes and stores nothing: post what you approve as an update. Needs `read:status-pages` too.",
  });
}
