import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/** What grows smaller; fonts and pictures are compressed already. */
const TEXTS = new Set([".js", ".css", ".html", ".svg", ".json", ".webmanifest"]);
/** Less fits into a packet as it is. */
const LEAST_BYTES = 1_024;

/**
 * Writes each file of the build beside itself as Brotli and gzip, as small as they get: once here, instead of a little at each
 * request, which made scripts larger in Brotli than in gzip.
 */
export const precompress: Plugin = {
  name: "precompress",
  apply: "build",
  async writeBundle({ dir = "" }) {
    const files = readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)))
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files) await compressFile(file);
  },
};

async function compressFile(file: string): Promise<void> {
  const bytes = readFileSync(file);
  if (bytes.length < LEAST_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
}
