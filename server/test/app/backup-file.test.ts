import { readFileSync, statSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { backupStore, restoreStore } from "../../src/app/backup.ts";
import { openStore } from "../../src/platform/database/open.ts";
import { database, dump, restored, temporaryFile, withStore } from "../harness/databases.ts";
import { fillEveryTable } from "../harness/rows.ts";

describe("a backup file", () => {
  async function made() {
    const [source, target, file] = [await database("sqlite"), await database("sqlite"), temporaryFile()];
    await withStore(source, (store) => fillEveryTable(store, 10));
    await backupStore(source, file);
    await withStore(target, (store) => fillEveryTable(store, 2));
    return { target, file, bytes: readFileSync(file), before: await dump(target) };
  }

  it("is readable for its owner only", async () => {
    const { file } = await made();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("cut short anywhere is refused and changes nothing", async () => {
    const { target, file, bytes, before } = await made();
    for (const length of [0, 1, 10, 30, Math.floor(bytes.length / 2), bytes.length - 9, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      await expect(restoreStore(target, file), `${length} bytes`).rejects.toThrow(/damaged|not a backup/);
    }
    expect(await dump(target)).toEqual(before);
  });

  it("with a wrong byte anywhere is refused and changes nothing", async () => {
    const { target, file, bytes, before } = await made();
    const whole = gunzipSync(bytes);
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const wrong = Buffer.from(bytes);
      wrong[at] = (wrong[at] as number) ^ 0x10;
      // Some bits of gzip mean nothing: when it was written, and what fills up its last byte.
      if (unpacksTo(wrong, whole)) continue;
      writeFileSync(file, wrong);
      await expect(restoreStore(target, file), `byte ${at}`).rejects.toThrow(/damaged|not a backup/);
    }
    expect(await dump(target)).toEqual(before);
  });

  it("with a line changed, left out or cut, packed anew, is refused", async () => {
    const { target, file, bytes, before } = await made();
    const lines = gunzipSync(bytes).toString().split("\n");
    const without = (from: number, count: number) => lines.toSpliced(from, count).join("\n");
    const changed = lines.map((line) => line.replace("plain", "plane")).join("\n");
    for (const text of [
      changed,
      without(5, 1),
      without(lines.length - 2, 1),
      lines.join("\n").slice(0, -1),
    ]) {
      writeFileSync(file, gzipSync(text));
      await expect(restoreStore(target, file)).rejects.toThrow(/damaged/);
    }
    expect(await dump(target)).toEqual(before);
  });

  it("that is something else, or of a newer format, or missing, is refused in so many words", async () => {
    const { target, file, bytes } = await made();
    for (const content of ["hello", gzipSync("hello\n"), gzipSync('{"format":"other"}\n')]) {
      writeFileSync(file, content);
      await expect(restoreStore(target, file)).rejects.toThrow(/is not a backup of Vedette/);
    }
    writeFileSync(file, gzipSync(gunzipSync(bytes).toString().replace('"version":1', '"version":2')));
    await expect(restoreStore(target, file)).rejects.toThrow(/newer version of Vedette \(backup format 2\)/);
    await expect(restoreStore(target, `${file}.none`)).rejects.toThrow(/ENOENT/);
  });

  it("brings back an installation whose database file is gone or ruined", async () => {
    const [source, file] = [await database("sqlite"), temporaryFile()];
    await withStore(source, (store) => fillEveryTable(store, 3));
    const before = await dump(source);
    await backupStore(source, file);
    const target = { file: temporaryFile("vedette.db") };
    await restoreStore(target, file);
    expect(await dump(target)).toEqual(restored(before));
    writeFileSync(target.file, "ruined ".repeat(1_000));
    writeFileSync(`${target.file}-wal`, "ruined as well");
    await restoreStore(target, file);
    expect(await dump(target)).toEqual(restored(before));
  });

  it("replaces a database that a reader has open, whose journal does not find its way into the new one", async () => {
    const { target, file } = await made();
    const reader = await openStore(target);
    await reader.transaction(async (trx) => {
      await trx.updateTable("meta").set({ value: "old" }).execute();
      await restoreStore(target, file);
    });
    await reader.close();
    const after = await dump(target);
    expect(after["meta"]).toHaveLength(10);
    expect(after["meta"]?.join()).not.toContain("old");
  });
});

function unpacksTo(packed: Buffer, whole: Buffer): boolean {
  try {
    return gunzipSync(packed).equals(whole);
  } catch {
    return false;
  }
}
