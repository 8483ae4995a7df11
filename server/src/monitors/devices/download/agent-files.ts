import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** `npm run build -w agent` builds the program in it. */
export const AGENT_FOLDER = join(import.meta.dirname, "../../../../../agent");

interface AgentProgram {
  content: Buffer;
  /** SHA-256 in hexadecimal. */
  digest: string;
}

/** Cached until the agent is built again. The returned function resolves to null where it is not built. */
export function keepAgentProgram(folder: string) {
  const file = join(folder, "dist/vedette-agent.mjs");
  let cached: { program: AgentProgram; builtAt: number } | null = null;
  return async (): Promise<AgentProgram | null> => {
    const found = await stat(file).catch(() => null);
    if (!found) return null;
    if (cached?.builtAt !== found.mtimeMs) {
      const content = await readFile(file);
      const digest = createHash("sha256").update(content).digest("hex");
      cached = { program: { content, digest }, builtAt: found.mtimeMs };
    }
    return cached.program;
  };
}

export async function installScript(folder: string, address: string): Promise<string> {
  const template = await readFile(join(folder, "install.sh"), "utf8");
  // An address may hold what a shell would run, such as `http://a$(id).example`.
  return template.replace('"@SERVER@"', () => quoted(address)).replaceAll("@SERVER@", "SERVER");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A single-file Node for that platform. */
export interface Runtime {
  file: string;
  /** Such as `linux-x64`. */
  platform: string;
  version: string;
}

interface PackedRuntime {
  /** Gzipped. */
  file: string;
  sizeBytes: number;
  /** SHA-256 of the packed file, in hexadecimal. */
  digest: string;
}

const PINNED = /[\\/]node_modules[\\/]node-(?:bin-)?([a-z]+-[a-z0-9]+)[\\/]bin[\\/]node$/;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Null where the server runs on another Node than the pinned one, which may need libraries of this machine.
 */
export function ownRuntime(file = process.execPath): Runtime | null {
  const platform = PINNED.exec(file)?.[1];
  return platform === undefined ? null : { file, platform, version: process.version };
}

/** Cached in that folder: packing takes seconds of another thread. Other versions are removed. */
export function keepPackedRuntime(folder: string, { file, platform, version }: Runtime) {
  let packing: Promise<PackedRuntime> | null = null;
  const name = `node-${version}-${platform}.gz`;
  const find = async () => (await findPacked(join(folder, name))) ?? pack(file, folder, name);
  return (): Promise<PackedRuntime> => {
    packing ??= find().finally(() => {
      packing = null;
    });
    return packing;
  };
}

async function findPacked(file: string): Promise<PackedRuntime | null> {
  try {
    const digest = (await readFile(`${file}.sha256`, "utf8")).slice(0, 64);
    return { file, digest, sizeBytes: (await stat(file)).size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function pack(runtime: string, folder: string, name: string): Promise<PackedRuntime> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  // Processes that share the folder must not write the same file.
  const draft = `${file}.${process.pid}`;
  const hash = createHash("sha256");
  try {
    await pipeline(
      createReadStream(runtime, { highWaterMark: CHUNK_BYTES }),
      createGzip({ chunkSize: CHUNK_BYTES }),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(draft),
    );
    const digest = hash.digest("hex");
    await removeOthers(folder, name);
    await rename(draft, file);
    // Last: a file without checksum is incomplete.
    await writeFile(`${file}.sha256`, digest);
    return { file, digest, sizeBytes: (await stat(file)).size };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function removeOthers(folder: string, name: string): Promise<void> {
  const others = (await readdir(folder)).filter(
    (one) => one.startsWith("node-") && /\.gz(?:\.sha256)?$/.test(one) && !one.startsWith(name),
  );
  await Promise.all(others.map((one) => rm(join(folder, one), { force: true })));
}
