import { readFileSync, writeFileSync } from "node:fs";
import { buildOpenApi } from "../server/src/http/build-openapi.ts";

const FILE = new URL("../openapi/openapi.json", import.meta.url);

/**
 * Writes openapi/openapi.json from the routes' schemas; with `--check`, only says whether the
 * committed file is current (exit code 1 when not).
 */
const text = `${JSON.stringify(await buildOpenApi(), null, 1)}\n`;
if (!process.argv.includes("--check")) {
  writeFileSync(FILE, text);
} else if (readCommitted() !== text) {
  process.stderr.write("openapi/openapi.json is not current. Run: npm run openapi\n");
  process.exitCode = 1;
}

function readCommitted(): string {
  try {
    return readFileSync(FILE, "utf8");
  } catch {
    return "";
  }
}
