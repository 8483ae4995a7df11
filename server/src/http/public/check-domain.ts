import { checkDomain } from "../../toolbox/check-domain.ts";
import type { DefineBoth } from "../both-families.ts";

/** The public domain check. */
export function describeCheckDomain(define: DefineBoth): void {
  define({
    verb: checkDomain,
    assistant: true,
    only: "legacy",
    method: "GET",
    url: "/check-domain",
    aliases: ["/api/check-domain"],
    limit: { group: "check-domain", perMinute: 30 },
    summary: "Check whether a domain is registered and reachable",
    description:
      "Asks the DNS whether the domain is registered, and its web server for an answer. `available` is always false in this version, since only a registry can say that a name is free, and none is asked yet. `message` says whether the name is registered or not known.",
    message: ({ message }) => message,
  });
}
