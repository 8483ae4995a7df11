import type { AnonymousClient } from "../../platform/access/caller.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import type { HttpCall } from "../../platform/http/listing.ts";
import { visitorOf } from "../../platform/http/visitor.ts";
import { deviceComponents, domainComponents, serviceComponents } from "../contents/components.ts";
import { arrangePage } from "../contents/contents.ts";
import { getPublicPage } from "../document/read-public-page.ts";
import { checkCustomDomain } from "../domain/custom-domain.ts";
import { findFreeSlug } from "../free-slug.ts";
import { pageVisitor } from "../http/send.ts";
import { removePageLogo, setPageLogo } from "../look/logos.ts";
import { previewStatusPage } from "../preview-page.ts";
import { LOGO_BODY_BYTES } from "../schemas/page-look.ts";
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  listStatusPages,
  updateStatusPage,
} from "../status-pages.ts";
import { listPagesShowing } from "../update/pages-showing.ts";

const tag = "status-pages";
const collection = { url: "/api/status-pages", tag };
const item = { url: "/api/status-pages/:id", tag };

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
      "It shows nothing yet: add domains, services and devices to it. 422 on `slug` if it is taken, reserved, or was that of another organization's page less than 90 days ago; 409 if another page is served at `customDomain`. An organization can have 100.",
    failures: [409],
    message: "Status page created.",
  });
  define({
    ...collection,
    url: `${collection.url}/free-slug`,
    verb: findFreeSlug,
    assistant: false,
    method: "GET",
    summary: "Find a slug for a status page",
    description:
      "With `slug`: whether a page can have it, else 422. With `name`: a slug that fits it and that no page has, nor had. Nothing is reserved.",
  });
  define({
    ...collection,
    url: `${collection.url}/showing`,
    verb: listPagesShowing,
    assistant: false,
    method: "GET",
    summary: "List the status pages that show some monitors",
    description:
      "The pages of your organization that show any of the monitors in `ids`, and how many subscribers an incident of them would reach there.",
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
    failures: [409],
    summary: "Change a status page",
    description:
      "Any subset of the fields; what is not sent stays. `contents` is the whole of what it shows. 409 if another page is served at `customDomain`, or if the page has changed since `unchangedSince`. Visitors see it within 20 seconds.",
    message: "Status page updated.",
  });
  define({
    ...item,
    verb: deleteStatusPage,
    method: "DELETE",
    summary: "Delete a status page",
    description:
      "Its slug is free again, and so are its former ones. The monitors that it showed stay as they are.",
    message: "Status page deleted.",
  });
  define({
    ...item,
    url: `${item.url}/layout`,
    verb: arrangePage,
    assistant: false,
    method: "PUT",
    summary: "Arrange a status page",
    description:
      "All groups and the order of everything, at once. Groups that you do not list are removed; what was in them stays on the page.",
    message: "Status page arranged.",
  });
  define({
    ...item,
    url: `${item.url}/preview`,
    verb: previewStatusPage,
    assistant: false,
    method: "POST",
    summary: "Preview a change of a status page",
    description:
      "The page as visitors would see it with the change that you send, as for PUT, and which of its names reveal what is checked. Stores nothing.",
  });
  describeLook(define);
  describeComponents(define);
  describeVisits(define);
}

function describeVisits(define: DefineBoth): void {
  define({
    ...collection,
    url: `${collection.url}/:slug/public`,
    verb: getPublicPage,
    method: "GET",
    summary: "Get what visitors of a status page see",
    description:
      "Without credentials, for pages that are public; for the others, and from where a page is not for, 404 to anyone who is not a member of the organization. 401 for a page with a password, which the scheme Basic takes, whatever the name. Nothing in it reveals what is checked, where, or who works on it. 308 from a slug that the page had before. It may be 15 seconds old; with `If-None-Match` 304 where it is the same as before.",
    failures: [401],
    visitor: visitorOfPage,
  });
}

function describeLook(define: DefineBoth): void {
  const logo = { ...item, url: `${item.url}/logo` };
  define({
    ...logo,
    verb: setPageLogo,
    assistant: false,
    method: "PUT",
    bodyLimitBytes: LOGO_BODY_BYTES,
    summary: "Set a status page's logo",
    description: "In the place of its name. Visitors see it within 20 seconds.",
    message: "Logo set.",
  });
  define({
    ...logo,
    verb: removePageLogo,
    assistant: false,
    method: "DELETE",
    summary: "Remove a status page's logo",
    description: "Visitors read the page's name instead.",
    message: "Logo removed.",
  });
  define({
    ...item,
    url: `${item.url}/custom-domain/check`,
    verb: checkCustomDomain,
    method: "POST",
    limit: { group: "custom-domains", perMinute: 10 },
    summary: "Check a status page's own domain",
    description:
      "Queries the DNS now; Vedette does so by itself every few minutes while a domain is not verified. 422 for a page without one.",
    message: "Domain checked.",
  });
}

async function visitorOfPage(input: { slug: string }, http: HttpCall): Promise<AnonymousClient> {
  const { ctx, request, reply } = http;
  const readPage = async (slug: string) => (request.pageShown = await request.server.statusPages.find(slug));
  const atPage = pageVisitor(ctx, request, reply, input.slug);
  return { ...(await visitorOf(input, http)), atPage, readPage };
}

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
        "Under the name that visitors are to read, and with the metrics that they may see. A page can have 200 components, and shows each once.",
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
      description: "It is still monitored; visitors no longer see it.",
      message: "Taken off the status page.",
    });
  }
}
