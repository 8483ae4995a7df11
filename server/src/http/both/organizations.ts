import { foundOrganization } from "../../account/found-organization.ts";
import { getOrganization, listOrganizations } from "../../account/organizations.ts";
import { renameOrganization } from "../../account/rename-organization.ts";
import { listAuditLog } from "../../report/list-audit-log.ts";
import type { DefineBoth } from "../both-families.ts";

const collection = { url: "/api/organizations" };
const item = { url: "/api/organizations/:id", params: { id: "organization" } };

/** The organizations a person belongs to. A path takes id, uuid or slug. */
export function describeOrganizations(define: DefineBoth): void {
  define({
    ...collection,
    verb: listOrganizations,
    method: "GET",
    summary: "List your organizations",
    description: "Those you belong to, oldest first, each with your role in it.",
  });
  define({
    ...collection,
    verb: foundOrganization,
    method: "POST",
    status: 201,
    summary: "Found an organization, which you then own",
    description:
      "It starts on this installation's default plan, and its slug is made from the name. An API key must be one for all of your organizations.",
  });
  define({
    ...item,
    verb: getOrganization,
    method: "GET",
    summary: "Get one of your organizations",
    description: "By id, uuid or slug. One you do not belong to answers 404.",
  });
  define({
    ...item,
    verb: renameOrganization,
    method: "PUT",
    summary: "Rename one of your organizations",
    description: "Only for owners and admins. The slug stays as it is, so that addresses keep working.",
    message: "Organization renamed.",
  });
  define({
    ...item,
    url: `${item.url}/audit-log`,
    verb: listAuditLog,
    method: "GET",
    summary: "List who did what in an organization",
    description:
      "Every change, newest first, kept for 400 days: who made it, when, with which API key and from where. Only for owners and admins.",
  });
}
