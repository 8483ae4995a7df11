import { execFile } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sourcesNow } from "../../built.mjs";

/** Generated, and ignored by git. Missing where the program's folder cannot be written: then memory is the only cache. */
const FOLDER = join(import.meta.dirname, "../../../../openapi/dist");
export const OPENAPI_FILE = join(FOLDER, "openapi.json");
/** Which sources the document was built from. Written after it. */
const STAMP = join(FOLDER, "sources");

const PROCESS = fileURLToPath(new URL("./openapi-process.ts", import.meta.url));
const STUCK_MS = 120_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** The sources that run here; a build is in a folder of that name (built.mjs). */
const ownSources = (): string =>
  import.meta.filename.endsWith(".ts") ? sourcesNow() : basename(import.meta.dirname);

/**
 * As JSON. Building takes seconds and 200 MB: once a version, in its own process, so that the server stays
 * responsive and small. Throws what building it throws.
 */
export async function openApiText(): Promise<Buffer> {
  const cached = await readCached();
  if (cached) return cached;
  const document = await buildInProcess();
  // The folder may be read-only.
  return saveOpenApi(document).catch(() => textOf(document));
}

const textOf = (document: object): Buffer => Buffer.from(`${JSON.stringify(document, null, 1)}\n`);

/** Writes the document of the sources as they are into its file. Throws what writing throws. */
export async function saveOpenApi(document: object): Promise<Buffer> {
  const text = textOf(document);
  await mkdir(FOLDER, { recursive: true });
  await replace(OPENAPI_FILE, text);
  await replace(STAMP, ownSources());
  return text;
}

async function readCached(): Promise<Buffer | null> {
  try {
    return (await readFile(STAMP, "utf8")) === ownSources() ? await readFile(OPENAPI_FILE) : null;
  } catch {
    return null;
  }
}

export async function buildInProcess(): Promise<object> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROCESS, "--write"], {
    env: {},
    timeout: STUCK_MS,
    maxBuffer: MAX_CHARACTERS,
  });
  return JSON.parse(stdout) as object;
}

/** Readers never see half of a file. */
async function replace(file: string, content: string | Buffer): Promise<void> {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}`);
  await writeFile(draft, content);
  await rename(draft, file);
}
