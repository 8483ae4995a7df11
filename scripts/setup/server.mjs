import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { builtMain } from "../../server/src/built.mjs";
import { runNpm } from "./npm.mjs";
import { packages, root } from "./paths.mjs";
import { say } from "./say.mjs";

const server = join(root, "server");

/** Whether the built server was made from the sources as they are now. */
export const serverIsCurrent = () => builtMain() !== null;

/** Whether it can be built here. A server may run as a user who may only read its program: it runs its sources then. */
export function mayBuildServer() {
  try {
    accessSync(server, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Builds the server into server/dist, which takes less memory than its sources do (docs/adr/0057). */
export async function buildServer() {
  say("building the server …");
  await runNpm(["run", "build", "-w", "server", "--loglevel=error"], {
    environment: { PATH: join(packages, ".bin") + delimiter + process.env.PATH },
    isQuiet: true,
  });
}
