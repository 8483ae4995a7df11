import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startServerProcess, temporaryFolder } from "../harness/process.ts";

/**
 * What else can be wrong with the data folder when the server starts. Another instance on it, a port
 * in use and a file that is no database: test/command/start.test.ts.
 */
const MAIN = new URL("../../src/main.ts", import.meta.url).pathname;
const NOBODY = 65_534;

/** `vedette start` as a user without rights: root may write everywhere. */
function startUnprivileged(folder: string): SpawnSyncReturns<string> {
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const args = [MAIN, "start", "--port", "0", "--data", folder];
  return spawnSync(process.execPath, args, {
    ...account,
    env: { VEDETTE_REFERENCE_TARGETS: "off" },
    encoding: "utf8",
    timeout: 20_000,
    cwd: "/",
  });
}

function dataFolder(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

it("names the data folder that it may not write", async ({ skip }) => {
  const folder = join(dataFolder(), "data");
  mkdirSync(folder);
  chmodSync(folder, 0o555);
  chmodSync(join(folder, ".."), 0o755);
  const refused = startUnprivileged(folder);
  if (/cannot find module|EACCES.*(node|main\.ts)/i.test(refused.stderr))
    return skip("no other user may read the program here");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^vedette: The data folder \S+ cannot be written \(EACCES\)\.[^\n]+\n$/);
  expect(refused.stderr).toContain(folder);
});

it("names the database file that it may not write, and leaves it as it is", async ({ skip }) => {
  const folder = dataFolder();
  const server = await startServerProcess(folder);
  await server.stop();
  const file = join(folder, "vedette.db");
  if (process.getuid?.() === 0) {
    for (const path of [folder, join(folder, "secret.key"), join(folder, "instance.lock")]) {
      chownSync(path, NOBODY, NOBODY);
    }
  }
  chmodSync(file, 0o444);
  const before = readFileSync(file);
  const refused = startUnprivileged(folder);
  if (/cannot find module/i.test(refused.stderr)) return skip("no other user may read the program here");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^vedette: [^\n]+\n$/);
  expect(refused.stderr).toContain(file);
  expect(readFileSync(file).equals(before)).toBe(true);
});
