import { domainLimits } from "../../monitor/domain-limits.ts";
import { DomainLimits, projectDomainLimits } from "../../wire/legacy/domain-limits.ts";
import { snakeSchema } from "../../wire/v2/snake-case.ts";
import type { DefineBoth } from "../both-families.ts";

/** What may be set of domains, beside what their schemas say. */
export function describeDomainLimits(define: DefineBoth): void {
  define({
    ...{ resource: "domains", method: "GET", url: "/api/domains/limits" },
    summary: "What the plan and the installation allow",
    description: "The smallest interval, how many domains, and the locations to check from.",
    response: DomainLimits,
    v2: { url: "/v2/domains/limits", response: snakeSchema(DomainLimits) },
    handler: async (own) => ({ data: projectDomainLimits(await domainLimits(own)) }),
  });
}
