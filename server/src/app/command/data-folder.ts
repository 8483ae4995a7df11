import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../../platform/config-values.ts";

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

/** Where things are below the data folder. */
export const dataPaths = (folder: string) => ({
  database: join(folder, "vedette.db"),
  secretKey: join(folder, "secret.key"),
  lock: join(folder, "instance.lock"),
});

/** Makes the folder if need be and sees that it can be written. Throws ConfigError. */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new ConfigError(
      `The data folder ${folder} cannot be written (${code}). Choose another with --data, or give this user the right to write there.`,
    );
  }
}

/**
 * The lock is an open transaction on its own SQLite file, which ends with the process, kill -9 included.
 * Throws ConfigError when another instance holds it, or the file cannot be used. Returns the release.
 */
export function lockDataFolder(folder: string): () => void {
  const file = dataPaths(folder).lock;
  let lock: DatabaseSync | undefined;
  try {
    // SQLite opens what it may not write for reading, which would lock no other process out.
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    lock = new DatabaseSync(file);
    lock.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode === SQLITE_FULL) {
      throw new ConfigError(
        `The disk of the data folder ${folder} is full. Free some space and start again; nothing that was stored is lost.`,
      );
    }
    throw new ConfigError(
      errcode === SQLITE_BUSY
        ? `Another Vedette is running on the data folder ${folder}. Stop it first, or choose another folder with --data.`
        : `The lock file ${file} cannot be used (${message}). Remove it if no Vedette is running there, or give this user the right to write it.`,
    );
  }
  const held = lock;
  return () => held.close();
}

/**
 * For secrets at rest, 32 bytes: VEDETTE_SECRET_KEY, else the file in the data folder (mode 0600), made on
 * first start.
 */
export function installationKey(folder: string, given: Buffer | null): Buffer {
  if (given !== null) return given;
  const file = dataPaths(folder).secretKey;
  if (!existsSync(file)) writeNewKey(file);
  const key = Buffer.from(readFileSync(file, "utf8").trim(), "hex");
  if (key.length !== 32)
    throw new ConfigError(`The key file ${file} is damaged: it should hold 64 hexadecimal digits.`);
  return key;
}

/** Whole or not at all: an empty key file, left by a full disk, would refuse every later start. */
function writeNewKey(file: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    linkOrCopy(draft, file);
  } catch (error) {
    // Another process of this installation was quicker: its key is the key.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Throws EEXIST where there is such a file. Some shares and sticks know no links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(code)) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}
