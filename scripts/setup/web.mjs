import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { hashOf, listSchemas } from "./hash.mjs";
import { runNpm } from "./npm.mjs";
import { packages, root } from "./paths.mjs";
import { say } from "./say.mjs";

/** What the web build reads besides its own folder: schemas and texts of the server, and the versions of its packages. */
const SOURCES = [
  ...["web", "package-lock.json", "tsconfig.base.json", "server/src/checks", "server/src/platform/i18n"],
  ...["server/src/platform/operations", ...listSchemas("server/src")],
];

const stamp = join(packages, ".vedette-web-build");
const page = join(root, "web", "dist", "index.html");

/** Whether the built app was made from the sources as they are now. */
export const webIsCurrent = () =>
  existsSync(page) && existsSync(stamp) && readFileSync(stamp, "utf8") === hashOf(SOURCES);

/** Builds the app into web/dist. */
export async function buildWeb() {
  say("building the web app …");
  const hash = hashOf(SOURCES);
  rmSync(stamp, { force: true });
  await runNpm(["run", "build", "-w", "web", "--loglevel=error"], {
    environment: { PATH: join(packages, ".bin") + delimiter + process.env.PATH },
    isQuiet: true,
  });
  writeFileSync(stamp, hash);
}
