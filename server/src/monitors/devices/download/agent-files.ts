import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** The agent's own folder; `npm run build -w agent` makes the program in it. */
export const AGENT_FOLDER = join(import.meta.dirname, "../../../../../agent");

interface AgentProgram {
  content: Buffer;
  /** SHA-256 in hexadecimal. */
  digest: string;
}

/** Reads the built agent, again when it was built anew. The function it answers resolves to null where none is built. */
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

/** The script that installs the agent, for a server at that address. */
export async function installScript(folder: string, address: string): Promise<string> {
  const template = await readFile(join(folder, "install.sh"), "utf8");
  // What is an address may hold what a shell would run: `http://a$(id).example` is one.
  return template.replace('"@SERVER@"', () => quoted(address)).replaceAll("@SERVER@", "SERVER");
}

/** One word of a shell, whatever it holds. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A Node that is one file and runs by itself on machines of that platform. */
export interface Runtime {
  file: string;
  /** Such as `linux-x64`. */
  platform: string;
  version: string;
}

interface PackedRuntime {
  /** In gzip. */
  file: string;
  sizeBytes: number;
  /** SHA-256 of the packed file, in hexadecimal. */
  digest: string;
}

const PINNED = /[\\/]node_modules[\\/]node-(?:bin-)?([a-z]+-[a-z0-9]+)[\\/]bin[\\/]node$/;
const CHUNK_BYTES = 1024 * 1024;

/** The pinned Node that this server runs on; null where it runs on another, which may need libraries of this machine. */
export function ownRuntime(file = process.execPath): Runtime | null {
  const platform = PINNED.exec(file)?.[1];
  return platform === undefined ? null : { file, platform, version: process.version };
}

/**
 * Packs the runtime into that folder, once: it takes some seconds of another thread, and is stored for the next start. What was
 * packed of another version is removed.
 */
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
  // Two processes that share the folder do not write into each other's.
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
    // Last: what has no checksum is not whole.
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
