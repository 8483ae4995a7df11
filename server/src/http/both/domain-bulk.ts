import { changeDomains } from "../../monitor/change-domains.ts";
import type { DefineBoth } from "../both-families.ts";

/** Many domains changed by one request. */
export function describeDomainBulk(define: DefineBoth): void {
  define({
    verb: changeDomains,
    method: "POST",
    url: "/api/domains/bulk",
    summary: "Pause, resume, delete or tag many domains",
    description:
      "Runs in one transaction and counts as one write for the rate limit. Changes domains of one organization: the one that `organization` names, by default that of your key or session. Domains that cannot be changed are listed in `failed`, with the error that changing them alone in that organization would return; the others are changed. Ids that are unknown there are a 404, also those of your other organizations: send a request for each.",
  });
}
