import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** A Node that is one file and runs by itself on machines of that platform. */
export interface Runtime {
  file: string;
  /** Such as `linux-x64`. */
  platform: string;
  version: string;
}

export interface PackedRuntime {
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
 * Packs the runtime into that folder, once: it takes some seconds of another thread, and is kept for the next start. What was
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
