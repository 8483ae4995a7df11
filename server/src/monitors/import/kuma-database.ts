import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import { msg } from "../../platform/i18n/message.ts";
import { isPackedDatabase } from "../schemas/import-client.ts";
import { FileProblem, MAX_FILE_CHARACTERS } from "./file-entry.ts";

const PROCESS = fileURLToPath(new URL("./kuma-database-process.ts", import.meta.url));
/** SQLite cannot be interrupted in any other way. */
const STUCK_MS = 15_000;
/** Uncompressed. */
const MAX_DATABASE_BYTES = 256 * 1024 * 1024;

const run = promisify(execFile);

/**
 * As Kuma's backup. Read-only in a separate process, which a malicious file cannot leave. Throws FileProblem.
 */
export async function readKumaDatabase(path: string, signal?: AbortSignal): Promise<string> {
  const permissions = ["--permission", "--allow-fs-read=*", "--no-warnings", "--max-old-space-size=256"];
  let text: string;
  try {
    const { stdout } = await run(process.execPath, [...permissions, PROCESS, path], {
      env: {},
      timeout: STUCK_MS,
      killSignal: "SIGKILL",
      maxBuffer: 8 * MAX_FILE_CHARACTERS,
      ...(signal && { signal }),
    });
    text = stdout;
  } catch (error) {
    signal?.throwIfAborted();
    const isLarge = (error as { code?: unknown }).code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
    throw new FileProblem(msg(isLarge ? "import.database_large" : "import.unreadable"));
  }
  const [, problem] = /^\{"problem":"([a-z._]+)"\}$/.exec(text) ?? [];
  if (problem !== undefined) throw new FileProblem(msg(problem as "import.database"));
  if (text.length > MAX_FILE_CHARACTERS) throw new FileProblem(msg("import.database_large"));
  return text;
}

/** Of an uploaded database (`isDatabase`). */
export async function readSentDatabase(
  content: string,
  signal?: AbortSignal,
  maxBytes = MAX_DATABASE_BYTES,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vedette-database-"));
  try {
    const path = join(folder, "kuma.db");
    const bytes = Buffer.from(content, "base64");
    let left = maxBytes;
    const bounded = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        left -= chunk.length;
        if (left < 0) done(new FileProblem(msg("import.database_large")));
        else done(null, chunk);
      },
    });
    const unpack = isPackedDatabase(content) ? [createGunzip()] : [];
    await pipeline([Readable.from([bytes]), ...unpack, bounded, createWriteStream(path, { mode: 0o600 })]);
    return await readKumaDatabase(path, signal);
  } catch (error) {
    // Does not decompress: not a database.
    if (/^Z_|^ERR_/.test((error as NodeJS.ErrnoException).code ?? ""))
      throw new FileProblem(msg("import.database_damaged"));
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
