import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  dataPaths,
  installationKey,
  lockDataFolder,
  prepareDataFolder,
} from "../../../src/app/command/data-folder.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("the data folder", () => {
  it("is made when it is missing", () => {
    const folder = join(temporaryFolder(), "a", "b");
    prepareDataFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it("is refused in one clear line when a file is in its place", () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    expect(() => prepareDataFolder(file)).toThrow(
      /^The data folder .+ cannot be written \(\w+\)\. Choose another/,
    );
  });

  it("belongs to one instance at a time, until that one lets go", () => {
    const folder = temporaryFolder();
    const release = lockDataFolder(folder);
    expect(() => lockDataFolder(folder)).toThrow(/^Another Vedette is running on the data folder/);
    release();
    lockDataFolder(folder)();
  });

  it("keeps one secret key, readable by its owner only", () => {
    const folder = temporaryFolder();
    const key = installationKey(folder, null);
    expect(key).toHaveLength(32);
    expect(installationKey(folder, null)).toEqual(key);
    expect(statSync(dataPaths(folder).secretKey).mode & 0o777).toBe(0o600);
  });

  it("prefers the key that was given", () => {
    const key = Buffer.alloc(32, 7);
    expect(installationKey(temporaryFolder(), key)).toEqual(key);
  });

  it("does not go on with a damaged key file", () => {
    const folder = temporaryFolder();
    writeFileSync(dataPaths(folder).secretKey, "abc");
    expect(() => installationKey(folder, null)).toThrow(/is damaged/);
  });
});
