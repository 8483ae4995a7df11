import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCommand, startServerProcess, temporaryFolder } from "../harness/process.ts";
import { mountSmallDisk } from "./small-disk.ts";

/**
 * What else can be wrong with the data folder when the server starts. Another instance on it, a port
 * in use and a file that is no database: test/app/command/start.test.ts.
 */
const MAIN = new URL("../../src/vedette.mjs", import.meta.url).pathname;
const UNPRIVILEGED = 65_534;

/** `vedette start` as a user without rights: root may write everywhere. */
function startUnprivileged(folder: string): SpawnSyncReturns<string> {
  return start(folder, process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {});
}

/** Whether that account may not even read the program: only root may enter the folder that it is in. */
const isOutOfReach = ({ error, stderr }: SpawnSyncReturns<string>): boolean =>
  error !== undefined || /cannot find module|EACCES.*(node|main\.ts)/i.test(stderr);

/** `vedette start`, which must end by itself. */
function start(folder: string, account: { uid?: number; gid?: number } = {}): SpawnSyncReturns<string> {
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
  if (isOutOfReach(refused)) return skip("no other user may read the program here");
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
      chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
    }
  }
  chmodSync(file, 0o444);
  const before = readFileSync(file);
  const refused = startUnprivileged(folder);
  if (isOutOfReach(refused)) return skip("no other user may read the program here");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^vedette: [^\n]+\n$/);
  expect(refused.stderr).toContain(file);
  expect(readFileSync(file).equals(before)).toBe(true);
});

it("names the lock file that it may not write, and takes no other instance for the cause", async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) return skip("needs root, to give a file to another user");
  const folder = dataFolder();
  const file = join(folder, "instance.lock");
  writeFileSync(file, "");
  chmodSync(file, 0o444);
  chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  const refused = startUnprivileged(folder);
  if (isOutOfReach(refused)) return skip("no other user may read the program here");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^vedette: The lock file \S+ cannot be used [^\n]+\n$/);
  expect(refused.stderr).toContain(file);
});

it("names the part of the queue that it may not use, instead of checking nothing", async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("needs root, to give a folder to another user");
  const folder = dataFolder();
  const part = join(folder, "probe-queue", "0");
  mkdirSync(part, { recursive: true, mode: 0o700 });
  for (const path of [folder, join(part, "..")]) chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  chmodSync(part, 0o700);
  const refused = startUnprivileged(folder);
  if (isOutOfReach(refused)) return skip("no other user may read the program here");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^vedette: The queue of results \S+ cannot be used \(EACCES\)\.[^\n]+\n$/);
  expect(refused.stderr).toContain(part);
});

it("says that a database file is damaged, and leaves it as it is", async () => {
  const folder = dataFolder();
  const server = await startServerProcess(folder);
  expect(await server.stop()).toBe(0);
  const file = join(folder, "vedette.db");
  truncateSync(file, Math.floor(readFileSync(file).length / 2));
  const before = readFileSync(file);
  const refused = start(folder);
  expect(refused.status).toBe(1);
  expect(refused.stdout).toBe("");
  expect(refused.stderr).toMatch(/^vedette: The database \S+ is damaged: [^\n]+\n$/);
  expect(refused.stderr).toContain(file);
  expect(readFileSync(file).equals(before)).toBe(true);
});

it("starts for the first time once there is room, after it was refused for a full disk in one line", async ({
  skip,
}) => {
  const disk = mountSmallDisk();
  if (typeof disk === "string") return skip(disk);
  disk.fill(0);
  // A command beside the server takes no lock: it comes as far as the key.
  const owner = ["--email", "owner@vedette.test", "--password", "correct horse battery"];
  const command = await runCommand(["user", "create", ...owner, "--data", disk.folder]);
  for (const refused of [start(disk.folder), { ...command, status: command.code }]) {
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^vedette: The disk[^\n]* is full\.[^\n]+\n$/);
  }
  disk.empty(0);
  const server = await startServerProcess(disk.folder);
  expect(await server.stop()).toBe(0);
  expect(server.output.stderr).toBe("");
});
