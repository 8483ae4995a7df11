import { verb } from "../verb/verb.ts";
import { DomainIcon } from "../wire/domains.ts";
import { IdParams } from "../wire/field.ts";
import { findIcon } from "./find-icon.ts";
import { findOfKind } from "./require-monitor.ts";

/** The path on this server of a domain's icon, looked for now when nothing fresh is known. Throws 404. */
export const getDomainIcon = verb({
  resource: "domains",
  action: "read",
  input: IdParams,
  output: DomainIcon,
  find: findOfKind("domain"),
  async run(ctx, _, domain) {
    const { token, fetchedAt } = await findIcon(ctx, { ...domain, url: domain.target }, ctx.signal?.());
    // The time in the address makes browsers ask again once a new icon was found.
    return { iconUrl: `/icons/${token}?v=${fetchedAt}` };
  },
});
