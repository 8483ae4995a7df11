import { getDomainLimits } from "../../monitor/domain-figures.ts";
import type { DefineBoth } from "../both-families.ts";

/** What may be set of domains, beside what their schemas say. */
export function describeDomainLimits(define: DefineBoth): void {
  define({
    verb: getDomainLimits,
    method: "GET",
    url: "/api/domains/limits",
    summary: "What the plan and the installation allow",
    description: "The smallest interval, how many domains, and the locations to check from.",
  });
}
