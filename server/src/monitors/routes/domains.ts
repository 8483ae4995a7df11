import { Type } from "typebox";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import { ownAddress } from "../../platform/http/security-headers.ts";
import { mapInTurns } from "../../platform/turns.ts";
import {
  changeDomains,
  createDomain,
  deleteDomain,
  domainChecks,
  getDomain,
  listDomains,
  updateDomain,
} from "../domains.ts";
import { fetchTitle, getDomainIcon } from "../find-icon.ts";
import { listHeartbeats } from "../heartbeats.ts";
import { exportMonitors } from "../import/export-monitors.ts";
import { importMonitors } from "../import/import-monitors.ts";
import {
  serializeDomain,
  serializeDomainDetail,
  serializeImport,
  serializeService,
  serializeServiceDetail,
  V2DomainCreate,
  V2DomainDetail,
  V2DomainListItem,
  V2ServiceDetail,
  V2ServiceListItem,
} from "../schemas/domain-fields.ts";
import { EXPORT_FILE, exportFile, IMPORT_BODY_BYTES } from "../schemas/imports.ts";
import {
  changeServices,
  createService,
  deleteService,
  getService,
  listServices,
  serviceChecks,
  updateService,
} from "../services.ts";
import { describeBulk, describeChecks } from "./monitor-metrics.ts";

/** The specification's words for a domain in v2. */
const detail = { response: V2DomainDetail, serialize: serializeDomainDetail };

/** Domains: list, create, read, update, delete, one or many. */
export function describeDomains(define: DefineBoth): void {
  define({
    verb: listDomains,
    method: "GET",
    url: "/api/domains",
    summary: "List domains",
    description:
      "One page of them, newest first unless sorted otherwise, each with its status and last metrics.",
    v2: { response: Type.Array(V2DomainListItem), serialize: (items) => mapInTurns(items, serializeDomain) },
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

/** What a domain's own page shows: its title and its icon. Both send the site a request. */
export function describeDomainPage(define: DefineBoth): void {
  define({
    verb: fetchTitle,
    method: "GET",
    url: "/api/domains/fetch-title",
    limit: "toolbox",
    summary: "The title of a page, to suggest a name for it",
    description: "Fetches the page now, following redirects. 422 says why when it cannot be read.",
  });
  define({
    verb: getDomainIcon,
    assistant: false,
    method: "GET",
    url: "/api/domains/:id/icon",
    summary: "Where a domain's icon is",
    description:
      "Looks for the site's icon if none is known or the known one is a week old, which may take some seconds.",
    finish: ({ iconUrl }, { ctx, request }) => ({ iconUrl: ownAddress(ctx.config, request) + iconUrl }),
  });
}

/** The specification's words for a service in v2. */
const detailOfServices = { response: V2ServiceDetail, serialize: serializeServiceDetail };

/** Services: list, create, read, update, delete, one or many. */
export function describeServices(define: DefineBoth): void {
  define({
    verb: listServices,
    method: "GET",
    url: "/api/services",
    summary: "List services",
    description: "Newest first unless sorted otherwise, each with its status and last metrics.",
    v2: {
      response: Type.Array(V2ServiceListItem),
      serialize: (items) => mapInTurns(items, serializeService),
    },
  });
  define({
    verb: createService,
    method: "POST",
    url: "/api/services",
    status: 201,
    failures: [409],
    summary: "Monitor a service",
    description:
      "`protocol` decides what `protocolConfig` holds. The first check runs at once. 403 when the plan's number of monitors is reached.",
    v2: detailOfServices,
    message: "Service created.",
  });
  define({
    verb: getService,
    method: "GET",
    url: "/api/services/:id",
    summary: "Get a service",
    description: "Its settings, status and last check. Credentials are never shown.",
    v2: detailOfServices,
  });
  define({
    verb: updateService,
    method: "PUT",
    url: "/api/services/:id",
    failures: [409],
    summary: "Change a service",
    description:
      "Any subset of the fields; what is not sent stays. `protocolConfig` is replaced as a whole, except for credentials that are not sent again. `enabled` false pauses it.",
    v2: detailOfServices,
    message: "Service updated.",
  });
  define({
    verb: deleteService,
    method: "DELETE",
    url: "/api/services/:id",
    summary: "Stop monitoring a service",
    description:
      "Checks stop and an open outage ends. Name and target can be used again at once; the history is removed with time.",
    message: "Service deleted.",
  });
  define({
    verb: listHeartbeats,
    method: "GET",
    url: "/api/services/:id/heartbeats",
    summary: "What the job of a heartbeat has sent, newest first",
    description:
      "For services of protocol heartbeat: each start, end, failure and line of the log, with what was sent along, and each time that nothing came. What was sent along is shown to those who may change the service.",
  });
  describeBulk(define, { url: "/api/services", noun: "service", verb: changeServices });
  describeChecks(define, {
    url: "/api/services",
    noun: "service",
    verbs: serviceChecks,
  });
}

/** Monitors from files, and into one. */
export function describeImports(define: DefineBoth): void {
  define({
    verb: importMonitors,
    assistant: false,
    method: "POST",
    url: "/api/imports",
    limit: { group: "imports", perMinute: 60 },
    bodyLimitBytes: IMPORT_BODY_BYTES,
    failures: [409],
    summary: "Import monitors from a file",
    description:
      "A list of addresses, CSV, the backup of Uptime Kuma, the configuration of Gatus, or what the export wrote. By default a dry run, which says of each entry what would become of it. Otherwise each is made for itself, as creating it alone would; what is there already is left alone, so that a file can be imported again. Services need the scope `write:services` besides.",
    v2: { serialize: serializeImport },
    message: ({ dryRun }) => (dryRun ? "File checked." : "File imported."),
  });
  define({
    verb: exportMonitors,
    method: "GET",
    url: "/api/exports",
    summary: "Export all monitors as YAML",
    description:
      "Domains and services with every setting that is not the usual one, as `POST` to `imports` reads them. Secrets are not in it: `${NAME}` is in their place. Services are in it for those who may read them.",
    file: { ...EXPORT_FILE, of: exportFile },
  });
}
