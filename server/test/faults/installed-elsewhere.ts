import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess, temporaryFolder } from "../harness/process.ts";

const SERVER = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = dirname(dirname(fileURLToPath(import.meta.resolve("commander"))));

/** The program in a folder of the test's own. */
export interface Installed {
  folder: string;
  /** What it starts with. */
  main: string;
  /** Where it keeps the code that it has compiled. */
  cache: string;
  start(): Promise<ServerProcess>;
}

/**
 * The program as if it were installed in a folder of the test's own, whose `node_modules/.cache` is where it keeps compiled
 * code. Its packages are linked.
 */
export function installElsewhere(): Installed {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  mkdirSync(join(folder, "node_modules"));
  mkdirSync(join(folder, "server"));
  for (const part of ["src", "package.json", "rolldown.config.mjs"])
    cpSync(join(SERVER, part), join(folder, "server", part), { recursive: true });
  cpSync(join(SERVER, "../package-lock.json"), join(folder, "package-lock.json"));
  symlinkSync(PACKAGES, join(folder, "server", "node_modules"));
  const main = join(folder, "server", "src", "vedette.mjs");
  return {
    folder,
    main,
    cache: join(folder, "node_modules", ".cache"),
    async start() {
      const linked = { NODE_OPTIONS: "--preserve-symlinks --preserve-symlinks-main" };
      const server = await startServerProcess(join(folder, "data"), linked, "0", main);
      onTestFinished(async () => void (await server.stop("SIGKILL")));
      return server;
    },
  };
}

/** It checks, answers and ends in order, without a notification. */
export async function expectWell(server: ServerProcess): Promise<void> {
  const ready = () => fetch(`${server.url}/api/health?ready=1`).then(({ status }) => status);
  await eventually(ready, (status) => status === 200);
  expect(await server.stop()).toBe(0);
  expect(server.output.stderr).toBe("");
}
