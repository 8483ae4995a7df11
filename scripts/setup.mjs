#!/usr/bin/env node
/**
 * Everything a machine needs before `npm start`: the packages of package-lock.json that run and build
 * Vedette (the pinned Node among them), the built web app and the built agent. With `--all` also the packages for
 * tests, checks and benches, with `--compile` also the built server. Does only what is
 * missing, so a second run takes a moment. Plain JavaScript without dependencies: it runs on whatever Node the machine
 * has, before anything is installed.
 *
 *   node scripts/setup.mjs [--all] [--no-web] [--compile]
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentIsCurrent, buildAgent } from "./setup/agent.mjs";
import { takeLock } from "./setup/lock.mjs";
import { packagesAreCurrent, providePackages } from "./setup/packages.mjs";
import { command, packages, windows } from "./setup/paths.mjs";
import { linkProgram, programIsLinked } from "./setup/program.mjs";
import { findRuntime, linkRuntime } from "./setup/runtime.mjs";
import { SetupError, say } from "./setup/say.mjs";
import { buildServer, mayBuildServer, serverIsCurrent } from "./setup/server.mjs";
import { buildWeb, webIsCurrent } from "./setup/web.mjs";

const OLDEST_NODE = 18;

const scope = process.argv.includes("--all") ? "all" : "app";
const withWeb = !process.argv.includes("--no-web");
const compiled = process.argv.includes("--compile");

async function main() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < OLDEST_NODE) {
    throw new SetupError(
      `Node ${process.versions.node} is too old to set Vedette up: install Node ${OLDEST_NODE} or newer, then try again.`,
    );
  }
  const runtime = findRuntime();
  if (isReady(runtime)) return;
  const release = takeLock();
  try {
    await providePackages(scope, runtime);
    if (!existsSync(command)) linkRuntime(runtime);
    if (!programIsLinked()) await linkProgram();
    provideExec();
    if (withWeb && !webIsCurrent()) await buildWeb();
    if (withWeb && !agentIsCurrent()) await buildAgent();
    if (compiled && !serverIsCurrent() && mayBuildServer()) await buildServer();
  } finally {
    release();
  }
}

const isReady = (runtime) =>
  packagesAreCurrent(scope, runtime) &&
  existsSync(command) &&
  programIsLinked() &&
  (!withWeb || (webIsCurrent() && agentIsCurrent())) &&
  (!compiled || serverIsCurrent() || !mayBuildServer());

/**
 * `npm start` runs `exec vedette start`: with a shell in between, SIGTERM would end npm and the shell
 * and leave the server running. Windows has neither `exec` nor SIGTERM; there it just runs the rest.
 */
function provideExec() {
  const file = join(packages, ".bin", "exec.cmd");
  if (windows && !existsSync(file)) writeFileSync(file, "@%*\r\n");
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
