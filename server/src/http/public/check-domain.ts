import { checkDomain } from "../../toolbox/check-domain.ts";
import type { DefineBoth } from "../both-families.ts";

/** The public domain check. */
export function describeCheckDomain(define: DefineBoth): void {
  define({
    verb: checkDomain,
    assistant: true,
    method: "GET",
    url: "/check-domain",
    aliases: ["/api/check-domain"],
    limit: { group: "check-domain", perMinute: 30 },
    summary: "Check whether a domain is registered and reachable",
    description:
      "Asks the registry whether somebody holds the name (RDAP), and its web server for an answer. Without an answer of the registry a name that the DNS knows is registered, and anything else is an error: 503 while the registry does not answer, 422 where the suffix has no registry that could be asked. Answers are kept for a minute.",
    failures: [503],
    message: ({ message }) => message,
  });
}
