import { arrangePage } from "../../page/arrange-page.ts";
import { deviceComponents, domainComponents, serviceComponents } from "../../page/components.ts";
import { getPublicPage } from "../../page/get-public-page.ts";
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  listStatusPages,
  updateStatusPage,
} from "../../page/status-pages.ts";
import { authenticate } from "../authenticate.ts";
import type { DefineBoth } from "../both-families.ts";
import { visitorOf } from "../visitor.ts";

const tag = "status-pages";
const collection = { url: "/api/status-pages", tag };
const item = { url: "/api/status-pages/:id", tag };

/** What the world sees of what is monitored. */
export function describeStatusPages(define: DefineBoth): void {
  define({
    ...collection,
    verb: listStatusPages,
    method: "GET",
    summary: "List status pages",
    description: "Oldest first, each with what it shows.",
  });
  define({
    ...collection,
    verb: createStatusPage,
    method: "POST",
    status: 201,
    summary: "Create a status page",
    description:
      "It shows nothing yet: link domains and services to it. 422 on `slug` where that is taken or reserved. An organization can have 100.",
    message: "Status page created.",
  });
  define({
    ...item,
    verb: getStatusPage,
    method: "GET",
    summary: "Get a status page",
    description: "Its settings, its groups, and the components that it shows.",
  });
  define({
    ...item,
    verb: updateStatusPage,
    method: "PUT",
    summary: "Change a status page",
    description: "Any subset of the fields; what is not sent stays. Visitors see it within 20 seconds.",
    message: "Status page updated.",
  });
  define({
    ...item,
    verb: deleteStatusPage,
    method: "DELETE",
    summary: "Delete a status page",
    description: "Its address is free again; what it showed stays as it is.",
    message: "Status page deleted.",
  });
  define({
    ...item,
    url: `${item.url}/layout`,
    verb: arrangePage,
    method: "PUT",
    summary: "Arrange a status page",
    description:
      "All groups and the order of everything, at once. Groups that are not named are removed; what was in them stays on the page.",
    message: "Status page arranged.",
  });
  describeComponents(define);
  define({
    ...collection,
    url: `${collection.url}/:slug/public`,
    verb: getPublicPage,
    method: "GET",
    summary: "Get what visitors of a status page see",
    description:
      "Without credentials, for pages that are public; for the others 404 to whoever is not a member of the organization. Nothing in it tells what is checked, where, or who works on it.",
    async visitor(input, http) {
      const { ctx, request, reply } = http;
      const signedIn = () => authenticate(ctx, request, reply);
      return { ...(await visitorOf(input, http)), signedIn };
    },
  });
}

/** What a page shows, each kind of thing at its own address. */
function describeComponents(define: DefineBoth): void {
  for (const [kind, verbs] of [
    ["domain", domainComponents],
    ["service", serviceComponents],
    ["device", deviceComponents],
  ] as const) {
    const links = { url: `${item.url}/${kind}s`, tag };
    const link = { url: `${links.url}/:linkId`, tag };
    define({
      ...links,
      verb: verbs.addToPage,
      method: "POST",
      status: 201,
      summary: `Show a ${kind} on a status page`,
      description:
        kind === "device"
          ? "There are no devices in this version, so it answers 422."
          : "Under the name that visitors are to read, and with the figures that they may see. A page can have 200 components, and shows each once.",
      message: "Added to the status page.",
    });
    define({
      ...link,
      verb: verbs.changeOnPage,
      method: "PUT",
      summary: `Change how a status page shows a ${kind}`,
      description:
        "Any subset of the fields; what is not sent stays. `linkId` is the component's id or uuid.",
      message: "Status page updated.",
    });
    define({
      ...link,
      verb: verbs.removeFromPage,
      method: "DELETE",
      summary: `Take a ${kind} off a status page`,
      description: "It is monitored on; visitors see it no more.",
      message: "Taken off the status page.",
    });
  }
}
