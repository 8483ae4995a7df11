import { TOOLS, type ToolName } from "../../checks/toolbox/registry.ts";
import type { Tool } from "../../checks/toolbox/tool.ts";
import { TOOL_VERBS } from "../../checks/toolbox/tool-verbs.ts";
import { exportMonitors } from "../../monitors/import/export-monitors.ts";
import { importMonitors } from "../../monitors/import/import-monitors.ts";
import { serializeImport } from "../../monitors/schemas/domain-fields.ts";
import { EXPORT_FILE, exportFile, IMPORT_BODY_BYTES } from "../../monitors/schemas/imports.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import type { Verb } from "../../platform/operations/operation.ts";
import { getDashboardStats, listRecentActivity } from "../../reports/list-recent-activity.ts";
import { search } from "../../reports/search.ts";
import { getKey, listKeys, mintKey, renameKey, revokeKey } from "../keys.ts";

const collection = { url: "/api-keys", aliases: ["/api/api-keys"] };
const item = { url: "/api-keys/:id", aliases: ["/api/api-keys/:id"] };

/** `/api-keys`, also at `/api/api-keys`, and `/v2/api-keys`. Legacy has no route for one key. */
export function describeApiKeys(define: DefineBoth): void {
  define({
    ...collection,
    verb: listKeys,
    method: "GET",
    summary: "List API keys",
    description:
      "Owners and admins see the organization's keys, others their own. Tokens are never shown again.",
  });
  define({
    ...collection,
    verb: mintKey,
    method: "POST",
    status: 201,
    summary: "Create an API key",
    description:
      "The token is in this answer only. A key can grant no more than its own scopes, and cannot make a key that outlives it. It acts in its own organization unless `allOrganizations` says otherwise.",
    message: "API key created. Its token is not shown again.",
  });
  define({
    ...item,
    verb: getKey,
    only: "v2",
    method: "GET",
    summary: "Get an API key",
    description: "Everything about it except the token, which nobody can read again.",
  });
  define({
    ...item,
    verb: renameKey,
    only: "v2",
    method: "PUT",
    summary: "Rename an API key",
    description: "Scopes and expiry never change: make a new key for those.",
  });
  define({
    ...item,
    verb: revokeKey,
    method: "DELETE",
    summary: "Delete an API key",
    description: "Programs that use it are refused from then on, and their live streams end.",
    message: "API key deleted.",
  });
}

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
      "Domains and services with every setting that is not the usual one, as `POST` to `imports` reads them. Secrets are not in it: `${NAME}` stands in their place. Services are in it for those who may read them.",
    file: { ...EXPORT_FILE, of: exportFile },
  });
}

export function describeDashboard(define: DefineBoth): void {
  define({
    verb: getDashboardStats,
    method: "GET",
    url: "/api/dashboard/stats",
    summary: "Figures of everything together",
    description:
      "Counts of domains, devices, services and open incidents, and the open incidents that nobody has been notified of.",
  });
  define({
    verb: listRecentActivity,
    method: "GET",
    url: "/api/dashboard/recent-activity",
    summary: "What happened last",
    description: "Status changes, incidents, and what people changed, newest first.",
  });
  define({
    verb: search,
    method: "GET",
    url: "/api/search",
    summary: "Find something by its name",
    description:
      "Domains, services and incidents by name, tag, URL or other address, number or uuid; of these what you may read (`read:domains`, `read:services`, `read:incidents`). The best first: that very number or uuid, names that start with the words, a word of theirs that does, other names, tags, addresses.",
  });
}

export function describeToolbox(define: DefineBoth): void {
  for (const [name, { name: path, title, description, message }] of Object.entries<Tool>(TOOLS)) {
    define({
      verb: TOOL_VERBS[name as ToolName] as unknown as Verb,
      method: "POST",
      url: `/api/toolbox/${path}`,
      limit: "toolbox",
      failures: [502],
      summary: title,
      description,
      ...(message && { message }),
    });
  }
}
