import { exportMonitors } from "../../import/export-monitors.ts";
import { importMonitors } from "../../import/import-monitors.ts";
import { EXPORT_FILE, exportFile } from "../../wire/exports.ts";
import { IMPORT_BODY_BYTES } from "../../wire/imports.ts";
import { spellImport } from "../../wire/v2/imports.ts";
import type { DefineBoth } from "../both-families.ts";

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
    v2: { respell: spellImport },
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
