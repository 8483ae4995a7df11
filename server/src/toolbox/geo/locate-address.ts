import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { isPublicAddress } from "../../check/guard.ts";
import { inEnglish } from "../../texts/english.ts";
import { fact } from "../../texts/fact.ts";
import { Input, type IpLocation, type IpLocationInput, Output } from "../../wire/toolbox/ip-location.ts";
import { printFacts } from "../print-facts.ts";
import { type ToolEnvironment, ToolError, type ToolSources, tool } from "../tool.ts";
import { type GeoFile, type GeoRecord, geoFile, installedDatabase } from "./geo-files.ts";
import { type Holder, type Place, readHolder, readPlace } from "./place.ts";

const DAY_MS = 86_400_000;
const GEO_VARIABLE = "VEDETTE_GEO_DATABASE";
const ASN_VARIABLE = "VEDETTE_ASN_DATABASE";

/** Where a public address is, and whose, by databases on this machine (spec, Toolbox; decisions §9). */
export const locateAddress = tool({
  name: "ip-scanner",
  title: "IP location",
  description: "Finds out where an IP address is, by a database on this machine: nobody else hears of it.",
  input: Input,
  subject: "ip",
  output: Output,
  run: locate,
  message: ({ reason }) => reason ?? "OK",
  print: ({ databases, reason, ...found }) => {
    const { ip, country, countryCode, region, city, isp, organization, asn } = found;
    const facts = printFacts([
      ["Address", ip],
      ["Country", country && `${country} (${countryCode})`],
      ["Region", region],
      ["City", city],
      ["Provider", isp],
      ["Organization", organization],
      ["AS number", asn === null ? null : `AS${asn}`],
      ...databases.map(({ name, ageDays }) => ["Database", `${name}, ${ageDays} days old`] as const),
    ]);
    return `${facts}${reason === null ? "" : `${reason}\n`}`;
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
  if (isIP(text) === 0) throw new ToolError(fact("tool.ip"), "ip");
  const address = ipaddr.process(text.split("%", 1)[0] as string).toString();
  if (!isPublicAddress(address)) throw new ToolError(fact("tool.ip_not_public", { address }), "ip");
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

const unreadable = (variable: string) => new ToolError(fact("tool.geo_unreadable", { variable }));

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
  if (place.country === "") return fact("tool.geo_unknown");
  if (place.city === "" && holder.isp === "" && asn === null) return fact("tool.geo_country_only");
  if (place.city === "") return fact("tool.geo_no_city");
  return holder.isp === "" ? fact("tool.geo_no_holder") : null;
}

const described = ({ name, builtAt }: GeoFile, isInstalled: boolean) => ({
  name: isInstalled ? "DB-IP Lite" : name,
  builtAt: builtAt.toISOString(),
  ageDays: Math.max(0, Math.floor((Date.now() - builtAt.getTime()) / DAY_MS)),
  isInstalled,
});
