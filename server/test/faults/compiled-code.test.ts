import { mkdirSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess, temporaryFolder } from "../harness/process.ts";

const SERVER = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = dirname(dirname(fileURLToPath(import.meta.resolve("commander"))));

/**
 * The program as if it were installed in a folder of the test's own, whose `node_modules/.cache` is
 * where it keeps compiled code. Everything else is linked.
 */
function installElsewhere() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  mkdirSync(join(folder, "node_modules"));
  mkdirSync(join(folder, "server"));
  for (const part of ["src", "package.json"]) symlinkSync(join(SERVER, part), join(folder, "server", part));
  symlinkSync(PACKAGES, join(folder, "server", "node_modules"));
  return {
    cache: join(folder, "node_modules", ".cache"),
    async start(): Promise<ServerProcess> {
      const main = join(folder, "server", "src", "vedette.mjs");
      const linked = { NODE_OPTIONS: "--preserve-symlinks --preserve-symlinks-main" };
      const server = await startServerProcess(join(folder, "data"), linked, "0", main);
      onTestFinished(async () => void (await server.stop("SIGKILL")));
      return server;
    },
  };
}

/** It checks, answers and ends in order, and nobody was bothered. */
async function expectWell(server: ServerProcess): Promise<void> {
  const ready = () => fetch(`${server.url}/api/health?ready=1`).then(({ status }) => status);
  await eventually(ready, (status) => status === 200);
  expect(await server.stop()).toBe(0);
  expect(server.output.stderr).toBe("");
}

it("starts without a word where no compiled code can be kept", async () => {
  const { cache, start } = installElsewhere();
  writeFileSync(cache, "not a folder");
  await expectWell(await start());
});

it("starts without a word where the compiled code that was kept is damaged", async () => {
  const { cache, start } = installElsewhere();
  await expectWell(await start());
  const kept = readdirSync(cache, { recursive: true, encoding: "utf8" })
    .map((name) => join(cache, name))
    .filter((file) => statSync(file).isFile());
  expect(kept.length).toBeGreaterThan(50);
  for (const [index, file] of kept.entries()) {
    if (index % 2 === 0) truncateSync(file, Math.floor(statSync(file).size / 2));
    else writeFileSync(file, Buffer.alloc(statSync(file).size, index));
  }
  await expectWell(await start());
});
