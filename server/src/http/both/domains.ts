import { Type } from "typebox";
import {
  changeDomains,
  createDomain,
  deleteDomain,
  domainChecks,
  getDomain,
  listDomains,
  updateDomain,
} from "../../monitor/domains.ts";
import { mapInTurns } from "../../turns.ts";
import {
  spellDomain,
  spellDomainDetail,
  V2DomainCreate,
  V2DomainDetail,
  V2DomainListItem,
} from "../../wire/v2/domains.ts";
import type { DefineBoth } from "../both-families.ts";
import { describeBulk } from "./monitor-bulk.ts";
import { describeChecks } from "./monitor-checks.ts";

/** The specification's words for a domain in v2. */
const detail = { response: V2DomainDetail, respell: spellDomainDetail };

/** Domains: list, create, read, update, delete, one or many. */
export function describeDomains(define: DefineBoth): void {
  define({
    verb: listDomains,
    method: "GET",
    url: "/api/domains",
    summary: "List domains",
    description:
      "One page of them, newest first unless sorted otherwise, each with its status and last figures.",
    v2: { response: Type.Array(V2DomainListItem), respell: (items) => mapInTurns(items, spellDomain) },
  });
  define({
    verb: createDomain,
    method: "POST",
    url: "/api/domains",
    status: 201,
    failures: [409],
    summary: "Monitor a URL",
    description: "The first check runs at once. 403 when the plan's number of monitors is reached.",
    v2: { ...detail, body: V2DomainCreate },
    message: "Domain created.",
  });
  define({
    verb: getDomain,
    method: "GET",
    url: "/api/domains/:id",
    summary: "Get a domain",
    description: "Its settings, status, last check and certificate. Credentials are never shown.",
    v2: detail,
  });
  define({
    verb: updateDomain,
    method: "PUT",
    url: "/api/domains/:id",
    failures: [409],
    summary: "Change a domain",
    description: "Any subset of the fields; what is not sent stays. `enabled` false pauses it.",
    v2: detail,
    message: "Domain updated.",
  });
  define({
    verb: deleteDomain,
    method: "DELETE",
    url: "/api/domains/:id",
    summary: "Stop monitoring a domain",
    description:
      "Checks stop and an open outage ends. Name and URL can be used again at once; the history is removed with time.",
    message: "Domain deleted.",
  });
  describeBulk(define, { url: "/api/domains", noun: "domain", verb: changeDomains });
  describeChecks(define, {
    url: "/api/domains",
    noun: "domain",
    verbs: domainChecks,
    v2: { body: V2DomainCreate },
  });
}
