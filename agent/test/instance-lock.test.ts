import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FolderInUse, lockFolder } from "../src/instance-lock.ts";
import { emptyFolder } from "./harness/program.ts";

it("takes over a lock that names no process, as a full disk or a power cut leaves it", () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "agent.lock"), "");
  const unlock = lockFolder(folder);
  expect(readFileSync(join(folder, "agent.lock"), "utf8")).toContain(`${process.pid} `);
  unlock();
});

it("keeps a second agent from the folder while the first one runs", () => {
  const folder = emptyFolder();
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(FolderInUse);
  unlock();
  lockFolder(folder)();
});
