import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { closeToOthers } from "../../../src/app/command/wiring.ts";
import { runCommand, startServerProcess } from "../../harness/process.ts";

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-modes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Every file and folder below `folder` that group or others have a right to. */
const openTo = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
  );

test("what is Vedette's in a folder is closed to others, and nothing else", () => {
  const folder = openFolder();
  mkdirSync(join(folder, "probe-queue/local"), { recursive: true, mode: 0o755 });
  const own = ["vedette.db", "vedette.db-wal", "secret.key", "probe-queue/local/1.queue"];
  for (const name of [...own, "notes.txt"]) writeFileSync(join(folder, name), "", { mode: 0o644 });
  const { corrected, refused } = closeToOthers(folder);
  const folders = ["probe-queue", "probe-queue/local"];
  expect(corrected.toSorted()).toEqual([...own, ...folders].map((name) => join(folder, name)).toSorted());
  expect(refused).toEqual([]);
  expect(own.map((name) => modeOf(join(folder, name)))).toEqual(own.map(() => "600"));
  expect(folders.map((name) => modeOf(join(folder, name)))).toEqual(["700", "700"]);
  expect(modeOf(join(folder, "notes.txt"))).toBe("644");
  expect(closeToOthers(folder).corrected).toEqual([]);
});

test("nothing that a server and its commands write into an open folder can be read by others", async () => {
  const folder = openFolder();
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const server = await startServerProcess(folder);
  const owner = ["--email", "a@vedette.test", "--data", folder];
  await runCommand(["user", "create", ...owner, "--password", "correct horse battery"]);
  expect(readdirSync(folder)).toEqual(
    expect.arrayContaining(["vedette.db", "vedette.db-wal", "probe-queue"]),
  );
  expect(openTo(folder)).toEqual([]);
  expect((await runCommand(["backup", join(folder, "all.backup"), "--data", folder])).code).toBe(0);
  expect(openTo(folder)).toEqual([]);
  await server.stop();
});

test("nor can what it writes when a unit of an earlier version starts main.ts", async () => {
  const folder = openFolder();
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const main = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
  const server = await startServerProcess(folder, {}, "0", main);
  expect(openTo(folder)).toEqual([]);
  await server.stop();
});

test("a start on files that others could read corrects them and says which", async () => {
  const folder = openFolder();
  await (await startServerProcess(folder)).stop();
  const database = join(folder, "vedette.db");
  chmodSync(database, 0o644);
  const server = await startServerProcess(folder);
  await server.stop();
  expect(modeOf(database)).toBe("600");
  expect(server.output.stderr).toContain("Others on this machine could read these files");
  expect(server.output.stderr).toContain(JSON.stringify([database]));
});
