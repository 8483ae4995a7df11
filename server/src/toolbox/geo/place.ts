import type { GeoRecord } from "./geo-files.ts";

/** Where an address is, as far as a database says; empty texts where it does not. */
export interface Place {
  countryCode: string;
  country: string;
  region: string;
  city: string;
}

/** Whose an address is. */
export interface Holder {
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
export function readPlace(record: GeoRecord): Place {
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
export function readHolder(record: GeoRecord): Holder {
  const asn = record["autonomous_system_number"] ?? objectOf(record["traits"])["autonomous_system_number"];
  const system = textOf(record["autonomous_system_organization"]);
  return {
    isp: textOf(record["isp"]) || system,
    organization: textOf(record["organization"]) || system,
    asn: typeof asn === "number" ? asn : null,
  };
}
