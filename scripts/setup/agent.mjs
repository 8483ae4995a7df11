import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { hashOf } from "./hash.mjs";
import { runNpm } from "./npm.mjs";
import { packages, root } from "./paths.mjs";
import { say } from "./say.mjs";

/** What the agent is made of; package-lock.json says which libraries. */
const SOURCES = [
  ...["agent/src", "agent/package.json", "agent/rolldown.config.ts", "server/src/engine/queue"],
  "package-lock.json",
];

const stamp = join(packages, ".vedette-agent-build");
const program = join(root, "agent", "dist", "vedette-agent.mjs");

/** Whether the built agent was made from the sources as they are now. */
export const agentIsCurrent = () =>
  existsSync(program) && existsSync(stamp) && readFileSync(stamp, "utf8") === hashOf(SOURCES);

/** Builds the agent into agent/dist, from where the server gives it to machines. */
export async function buildAgent() {
  say("building the agent …");
  const hash = hashOf(SOURCES);
  rmSync(stamp, { force: true });
  await runNpm(["run", "build", "-w", "agent", "--loglevel=error"], {
    environment: { PATH: join(packages, ".bin") + delimiter + process.env.PATH },
    isQuiet: true,
  });
  writeFileSync(stamp, hash);
}
