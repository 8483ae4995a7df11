import { fetchTitle } from "../../monitor/fetch-title.ts";
import { getDomainIcon } from "../../monitor/get-domain-icon.ts";
import type { DefineBoth } from "../both-families.ts";
import { ownAddress } from "../origin.ts";

/** What a domain's own page tells: its title and its icon. Both really ask the site. */
export function describeDomainPage(define: DefineBoth): void {
  define({
    verb: fetchTitle,
    method: "GET",
    url: "/api/domains/fetch-title",
    limit: "toolbox",
    summary: "The title of a page, to suggest a name for it",
    description: "Fetches the page now, following redirects. 422 says why when it cannot be read.",
  });
  define({
    verb: getDomainIcon,
    assistant: false,
    method: "GET",
    url: "/api/domains/:id/icon",
    summary: "Where a domain's icon is",
    description:
      "Looks for the site's icon if none is known or the known one is a week old, which may take some seconds.",
    finish: ({ iconUrl }, { ctx, request }) => ({ iconUrl: ownAddress(ctx.config, request) + iconUrl }),
  });
}
