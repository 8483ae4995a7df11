import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

/**
 * Gzip over lines of JSON, the same for both engines: the header; for every table `{"table", "columns"}`
 * and a line `[…]` a row, bytes as `{"base64"}`; a trailer with row count and SHA-256. Parents come first.
 */
export interface BackupHeader {
  format: typeof FORMAT;
  version: number;
  /** Applied to the database when it was written, oldest first. */
  migrations: string[];
  /** ISO 8601. */
  createdAt: string;
}

interface Trailer {
  rows: number;
  /** The highest id ever given, by table. */
  sequences: Record<string, number>;
  sha256: string;
}

export interface BackupRows {
  table: string;
  rows: Record<string, unknown>[];
}

const FORMAT = "vedette-backup";
const VERSION = 1;
/** At level 3 compressing is as fast as reading the database, and yields a tenth more bytes than the default. */
const GZIP = { level: 3 };
const ROWS_A_CHUNK = 1_000;
/** In characters. */
const FRAME_LONGEST = 64 * 1024;
/** No row is anywhere near as long. */
const LINE_LONGEST = 64 * 1024 * 1024;
/** What a backup holds is for the owner alone: password hashes, sealed secrets. */
const FILE_MODE = 0o600;

/** Writes a backup, complete or not at all (a file beside it, renamed at the end). Returns the number of rows. */
export async function writeBackupFile(
  file: string,
  content: {
    migrations: string[];
    createdAt: string;
    rows: AsyncIterable<BackupRows>;
    sequences(): Promise<Record<string, number>>;
  },
): Promise<number> {
  const partial = `${file}.${process.pid}.partial`;
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    const hash = createHash("sha256");
    const hashed = (text: string) => {
      hash.update(text);
      return text;
    };
    const { migrations, createdAt } = content;
    yield hashed(line({ format: FORMAT, version: VERSION, migrations, createdAt } satisfies BackupHeader));
    let table: string | undefined;
    for await (const some of content.rows) {
      const columns = Object.keys(some.rows[0] ?? {});
      if (some.table !== table) yield hashed(line({ table: some.table, columns }));
      table = some.table;
      rows += some.rows.length;
      yield hashed(some.rows.map((row) => line(columns.map((column) => encode(row[column])))).join(""));
    }
    yield line({ rows, sequences: await content.sequences(), sha256: hash.digest("hex") } satisfies Trailer);
  }
  try {
    const output = createWriteStream(partial, { mode: FILE_MODE, flush: true });
    await pipeline(Readable.from(lines()), createGzip(GZIP), output);
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return rows;
}

/** Makes a rename survive a power cut. Windows cannot, and does not need to, open a folder for it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** Throws an Error for the operator when it is no backup, damaged, or cut short. */
export async function checkBackupFile(file: string): Promise<BackupHeader & Pick<Trailer, "sequences">> {
  const hash = createHash("sha256");
  let header: BackupHeader | undefined;
  let rows = 0;
  let last = "";
  for await (const text of linesOf(file)) {
    if (last) hash.update(`${last}\n`);
    if (last.startsWith("[")) rows += 1;
    header ??= parseHeader(file, text);
    last = text;
  }
  const trailer = parseOr(last, () => damaged(file, "its end is missing")) as Partial<Trailer>;
  if (!header || trailer.sha256 === undefined) throw damaged(file, "its end is missing");
  if (trailer.sha256 !== hash.digest("hex") || trailer.rows !== rows) {
    throw damaged(file, "its checksum does not match");
  }
  return { ...header, sequences: trailer.sequences ?? {} };
}

function parseHeader(file: string, text: string): BackupHeader {
  const header = parseOr(text, () => notABackup(file)) as BackupHeader;
  if (header?.format !== FORMAT) throw notABackup(file);
  if (header.version > VERSION) {
    throw new Error(
      `${file} was written by a newer version of Vedette (backup format ${header.version}). Use that version.`,
    );
  }
  return header;
}

/** Of a backup that was checked before, in the file's order. */
export async function* readBackupFile(file: string): AsyncGenerator<BackupRows> {
  let table = "";
  let columns: string[] = [];
  let rows: Record<string, unknown>[] = [];
  for await (const text of linesOf(file)) {
    if (text.startsWith("[")) {
      const values = JSON.parse(text) as unknown[];
      rows.push(Object.fromEntries(columns.map((column, i) => [column, decode(values[i])])));
      if (rows.length < ROWS_A_CHUNK) continue;
    }
    if (rows.length > 0) yield { table, rows };
    rows = [];
    if (text.startsWith('{"table"')) ({ table, columns } = JSON.parse(text));
  }
}

/** Lines without their ends. (node:readline would also break at U+2028, which JSON leaves as it is.) */
async function* linesOf(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const input = createReadStream(file).on("error", (error) => gunzip.destroy(error));
  const decoder = new TextDecoder();
  // Joined once, when its end has come: a line may come in thousands of pieces.
  let rest: string[] = [];
  let restLength = 0;
  try {
    for await (const chunk of input.pipe(gunzip)) {
      const [first = "", ...parts] = decoder.decode(chunk as Buffer, { stream: true }).split("\n");
      rest.push(first);
      restLength += first.length;
      if (restLength > LINE_LONGEST) throw damaged(file, "a line is too long");
      const last = parts.pop();
      if (last === undefined) continue;
      yield rest.join("");
      yield* parts;
      rest = [last];
      restLength = last.length;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "Z_DATA_ERROR" && message.includes("header")) throw notABackup(file);
    throw code?.startsWith("Z_") ? damaged(file, message) : error;
  } finally {
    input.destroy();
  }
  if (restLength > 0) throw damaged(file, "its last line is cut");
}

const notABackup = (file: string) => new Error(`${file} is not a backup of Vedette. Nothing was changed.`);
const damaged = (file: string, why: string) =>
  new Error(`${file} is damaged or incomplete: ${why}. Nothing was changed.`);

function parseOr(text: string, failure: () => Error): unknown {
  if (text.length > FRAME_LONGEST) throw failure();
  try {
    return JSON.parse(text);
  } catch {
    throw failure();
  }
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const encode = (value: unknown) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
const decode = (value: unknown) =>
  typeof value === "object" && value !== null && "base64" in value
    ? new Uint8Array(Buffer.from(String(value.base64), "base64"))
    : value;
