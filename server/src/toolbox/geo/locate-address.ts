import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { type Static, Type } from "typebox";
import { isPublicAddress } from "../../check/guard.ts";
import { inEnglish } from "../../texts/english.ts";
import { fact } from "../../texts/fact.ts";
import { Fact } from "../../wire/fact.ts";
import { printFacts } from "../print-facts.ts";
import { type ToolEnvironment, ToolError, type ToolSources, tool } from "../tool.ts";
import { type GeoFile, geoFile, installedDatabase } from "./geo-files.ts";
import { type Holder, type Place, readHolder, readPlace } from "./place.ts";

const DAY_MS = 86_400_000;

const Input = Type.Object(
  {
    ip: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "A public IP address.",
      examples: ["203.0.113.7"],
    }),
  },
  { title: "IpScanRequest" },
);

const Database = Type.Object({
  name: Type.String({ description: "What the database calls itself.", examples: ["DB-IP Lite"] }),
  builtAt: Type.String({ format: "date-time", description: "When it was made." }),
  ageDays: Type.Integer({ minimum: 0, description: "How many days ago that was." }),
  isInstalled: Type.Boolean({ description: "Whether it came with this installation (DB-IP, CC BY 4.0)." }),
});

const Output = Type.Object(
  {
    ip: Type.String({ description: "The address that was asked for." }),
    country: Type.String({ description: "In English; empty where it is not known.", examples: ["Germany"] }),
    countryCode: Type.String({ description: "ISO 3166-1; empty where it is not known.", examples: ["DE"] }),
    region: Type.String({ description: "Empty where it is not known." }),
    city: Type.String({ description: "Empty where it is not known." }),
    isp: Type.String({ description: "Who connects it; empty where it is not known." }),
    organization: Type.String({ description: "Whose it is; empty where it is not known." }),
    asn: Type.Union([Type.Integer(), Type.Null()], {
      description: "The autonomous system that it belongs to.",
    }),
    reason: Type.Union([Type.String(), Type.Null()], { description: "Why something is empty." }),
    reasonFact: Fact,
    databases: Type.Array(Database, { description: "What was looked into, and how old it is." }),
  },
  { title: "IpLocation" },
);

type Output = Static<typeof Output>;

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

async function locate({ ip }: Static<typeof Input>, { sources }: ToolEnvironment): Promise<Output> {
  const address = publicAddress(ip);
  const files = await databasesOf(sources);
  const [geo, asn] = [files.geo.find(address), files.asn?.find(address) ?? null];
  const place = readPlace(geo ?? {});
  const holder = readHolder({ ...geo, ...asn });
  const reason = whyEmpty(place, holder, files);
  return {
    ip: address,
    ...place,
    ...holder,
    reason: reason && inEnglish(reason),
    reasonFact: reason as Output["reasonFact"],
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

/** Throws ToolError when a file of the operator's cannot be read. */
async function databasesOf({ geoDatabase, asnDatabase }: ToolSources) {
  const read = (path: string, variable: string) =>
    geoFile(path).catch(() => {
      throw new ToolError(fact("tool.geo_unreadable", { variable }));
    });
  const [geo, asn] = await Promise.all([
    read(geoDatabase ?? installedDatabase(), "VEDETTE_GEO_DATABASE"),
    asnDatabase === null ? null : read(asnDatabase, "VEDETTE_ASN_DATABASE"),
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
