import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { fetchTitle } from "../../monitor/fetch-title.ts";
import { getDomainIcon } from "../../monitor/get-domain-icon.ts";
import { DomainIcon, TitleLookup, TitleQuery } from "../../wire/domain-page.ts";
import { IdParams, parseId } from "../../wire/id.ts";
import { defineRoute } from "../define-route.ts";
import { ownAddress } from "../origin.ts";

/** What a domain's own page tells: its title and its icon. Both really ask the site. */
export function registerDomainPage(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    method: "GET",
    url: "/api/domains/fetch-title",
    family: "legacy",
    resource: "domains",
    limit: "toolbox",
    summary: "The title of a page, to suggest a name for it",
    description: "Fetches the page now, following redirects. 422 says why when it cannot be read.",
    querystring: TitleQuery,
    response: TitleLookup,
    handler: async (own, { query, raw }) => ({
      data: await fetchTitle(own, { url: query.url, signal: raw.signal }),
    }),
  });
  defineRoute(app, ctx, {
    method: "GET",
    url: "/api/domains/:id/icon",
    family: "legacy",
    resource: "domains",
    summary: "Where a domain's icon is",
    description:
      "Looks for the site's icon if none is known or the known one is a week old, which may take some seconds.",
    params: IdParams,
    response: DomainIcon,
    async handler(own, { params, raw }) {
      const path = await getDomainIcon(own, parseId(params.id), raw.signal);
      return { data: { iconUrl: ownAddress(own.config, raw) + path } };
    },
  });
}
