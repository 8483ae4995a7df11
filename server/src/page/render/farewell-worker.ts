import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What has browsers forget the app where a host has become a page's own. */
export const FAREWELL_WORKER = readFileSync(join(import.meta.dirname, "farewell-worker.js"), "utf8");
