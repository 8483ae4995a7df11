import { deleteOrganization, keepOrganization } from "../../account/delete-organization.ts";
import { foundOrganization } from "../../account/found-organization.ts";
import { getOrganizationUsage } from "../../account/get-organization-usage.ts";
import { getOrganization, listOrganizations } from "../../account/organizations.ts";
import { renameOrganization } from "../../account/rename-organization.ts";
import { transferOrganization } from "../../account/transfer-organization.ts";
import { exportAuditLog } from "../../report/export-audit-log.ts";
import { listAuditLog } from "../../report/list-audit-log.ts";
import { AUDIT_LOG_CSV, auditLogFile } from "../../wire/audit-log.ts";
import type { DefineBoth } from "../both-families.ts";

const collection = { url: "/api/organizations" };
const item = { url: "/api/organizations/:id", params: { id: "organization" } };

/** The organizations a person belongs to. A path takes id, uuid or slug. */
export function describeOrganizations(define: DefineBoth): void {
  define({
    ...collection,
    verb: listOrganizations,
    assistant: true,
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
    url: `${item.url}/usage`,
    verb: getOrganizationUsage,
    method: "GET",
    summary: "What an organization's plan allows, and how much of it is used",
    description:
      "Monitors, members, invitations and API keys, each with its limit, and what else the plan says.",
  });
  describeEndOfOrganizations(define);
  describeAuditLog(define);
}

/** Given away, deleted, kept after all. */
function describeEndOfOrganizations(define: DefineBoth): void {
  define({
    ...item,
    url: `${item.url}/transfer`,
    verb: transferOrganization,
    method: "POST",
    limit: { group: "password", perMinute: 10, by: "session" },
    summary: "Hand an organization over to another member",
    description:
      "The member becomes an owner and you become an admin. Needs your password. Only for owners who have signed in; other owners stay what they are.",
    message: "Organization handed over.",
  });
  define({
    ...item,
    verb: deleteOrganization,
    method: "DELETE",
    failures: [409],
    summary: "Delete an organization in seven days",
    description:
      "Its monitors are paused at once and it is removed with everything in it after `deletesAt`; until then an owner can keep it. Needs its name. Only for owners who have signed in; 409 for your only organization, and when it is to be deleted already.",
    message: "The organization will be deleted.",
  });
  define({
    ...item,
    url: `${item.url}/keep`,
    verb: keepOrganization,
    method: "POST",
    failures: [409],
    summary: "Keep an organization that is to be deleted",
    description:
      "The monitors that were watched before are watched again. Only for owners who have signed in; 409 when it is not to be deleted, and once `deletesAt` has passed.",
    message: "The organization stays.",
  });
}

/** Who did what. */
function describeAuditLog(define: DefineBoth): void {
  define({
    ...item,
    url: `${item.url}/audit-log`,
    verb: listAuditLog,
    method: "GET",
    summary: "List who did what in an organization",
    description:
      "Every change, newest first, kept for 400 days: who made it, when, with which API key and from where. Only for owners and admins.",
  });
  define({
    ...item,
    url: `${item.url}/audit-log.csv`,
    verb: exportAuditLog,
    method: "GET",
    summary: "The audit log as a CSV file",
    description:
      "What the same filters of `audit-log` list, newest first, under a head of the fields' names. 422 for more than 100,000 entries. Only for owners and admins.",
    file: { ...AUDIT_LOG_CSV, of: auditLogFile },
  });
}
