import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../config-values.ts";

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
 * Holds the folder for this process. The lock is an open transaction on a SQLite file of its own:
 * the operating system ends it with the process, so kill -9 leaves nothing to clean up.
 * Throws ConfigError when another instance holds it. Returns the release.
 */
export function lockDataFolder(folder: string): () => void {
  const lock = new DatabaseSync(dataPaths(folder).lock);
  try {
    lock.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch {
    lock.close();
    throw new ConfigError(
      `Another Vedette is running on the data folder ${folder}. Stop it first, or choose another folder with --data.`,
    );
  }
  return () => lock.close();
}

/**
 * The installation's key for secrets at rest, 32 bytes: VEDETTE_SECRET_KEY if given, else the file
 * in the data folder (mode 0600), made on the first start.
 */
export function installationKey(folder: string, given: string | null): Buffer {
  if (given !== null)
    return /^[0-9a-f]{64}$/i.test(given) ? Buffer.from(given, "hex") : Buffer.from(given, "base64");
  const file = dataPaths(folder).secretKey;
  if (!existsSync(file)) writeNewKey(file);
  const key = Buffer.from(readFileSync(file, "utf8").trim(), "hex");
  if (key.length !== 32)
    throw new ConfigError(`The key file ${file} is damaged: it should hold 64 hexadecimal digits.`);
  return key;
}

function writeNewKey(file: string): void {
  try {
    writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // Another process of this installation was quicker: its key is the key.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
