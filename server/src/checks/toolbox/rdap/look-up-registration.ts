import { retryAfterMs } from "../../../platform/clock.ts";
import { excerpt, msg } from "../../../platform/i18n/message.ts";
import { keepRecent } from "../../../platform/lru-cache.ts";
import { classOf } from "../../reasons.ts";
import { fetchPage, type Page, PageError } from "../../site/page.ts";
import { printDetails } from "../finding.ts";
import { Input, Output, type Rdap, type RdapInput } from "../schemas/rdap.ts";
import { stopSignalOf, type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { listFor, networkOfRegistries, parseRdapQuery, type RdapQuery, serversFor } from "./lists.ts";

/** What a registry says: an object of RFC 9083, or null where it knows no such thing. */
interface RdapAnswer {
  object: Readonly<Record<string, unknown>> | null;
  /** The host that answered. */
  server: string;
}

const TIMEOUT_MS = 8_000;
const MAX_BYTES = 1_048_576;
const PATHS = { domain: "domain", ip: "ip", as: "autnum" } as const;
const CLASSES = { domain: "domain", ip: "ip network", as: "autnum" } as const;
const ACCEPTED = "application/rdap+json, application/json;q=0.9";

/** When a registry that was queried too often allows the next query, by its host; `Date.now`. */
const retryAtByHost = keepRecent<string, number>(500);
const RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = 3_600;

/** Queries one server (RFC 9082). Throws ToolError for anything but a clear answer. */
async function queryRegistry(
  base: string,
  { kind, name }: RdapQuery,
  environment: ToolEnvironment,
): Promise<RdapAnswer> {
  const host = URL.parse(base)?.host ?? base;
  const laterMs = (retryAtByHost.get(host) ?? 0) - Date.now();
  if (laterMs > 0) throw tooManyQueries(host, laterMs / 1000);
  const page = await fetchPage(
    `${base}${PATHS[kind]}/${encodeURIComponent(name)}`,
    networkOfRegistries(environment),
    {
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      accept: ACCEPTED,
      purpose: "RDAP",
      signal: stopSignalOf(environment.signal),
    },
  ).catch((error: unknown) => {
    environment.signal.throwIfAborted();
    throw error instanceof PageError ? unreached(host, error) : error;
  });
  const server = new URL(page.url).host;
  const { statusCode } = page;
  if (statusCode === 429) {
    const seconds = retrySeconds(page);
    retryAtByHost.set(host, Date.now() + seconds * 1000);
    throw tooManyQueries(host, seconds);
  }
  if (statusCode !== 200 && statusCode !== 404) {
    const retry = statusCode >= 500 ? retrySeconds(page) : undefined;
    throw new ToolError(msg("tool.rdap_status", { server, status: statusCode }), undefined, retry);
  }
  return { object: objectOf(page, { kind, name }, server), server };
}

/** Only an answer of RDAP's own counts, also as a no: a page that says "not found" says nothing of a name. */
function objectOf(page: Page, { kind, name }: RdapQuery, server: string): RdapAnswer["object"] {
  const { statusCode, body, cut } = page;
  if (cut) throw new ToolError(msg("tool.rdap_large", { server }));
  if (statusCode === 404 && body.length === 0) return null;
  const object = jsonObject(body.toString("utf8"));
  if (object === null) throw new ToolError(msg("tool.rdap_garbage", { server }));
  if (statusCode === 404) {
    const { errorCode = 404 } = object;
    if (errorCode !== 404 && errorCode !== "404") throw new ToolError(msg("tool.rdap_garbage", { server }));
    return null;
  }
  const { objectClassName, ldhName } = object;
  const isOther = typeof ldhName === "string" && ldhName.toLowerCase().replace(/\.$/, "") !== name;
  if (objectClassName !== CLASSES[kind] || (kind === "domain" && isOther)) {
    throw new ToolError(msg("tool.rdap_garbage", { server }));
  }
  return object;
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const tooManyQueries = (server: string, seconds: number) => {
  const whole = Math.max(1, Math.ceil(seconds));
  return new ToolError(msg("tool.rdap_busy", { server, wait: whole * 1000 }), undefined, whole);
};

const unreached = (server: string, { reason }: PageError): ToolError => {
  return classOf(reason) === "guard"
    ? new ToolError(msg("tool.rdap_inside", { server: excerpt(server) }))
    : new ToolError(
        { ...msg("tool.rdap_unreached", { server: excerpt(server) }), because: reason },
        undefined,
        RETRY_SECONDS,
      );
};

/** What Retry-After says, within an hour; a minute where it says nothing. */
function retrySeconds({ headers }: Page): number {
  const seconds = Math.ceil((retryAfterMs(headers.get("retry-after"), Date.now()) ?? 0) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_SECONDS) : RETRY_SECONDS;
}

/** Reads what registries say (RFC 9083). All of it is foreign text: bounded here, and without control characters. */

type RdapObject = Readonly<Record<string, unknown>>;

const MAX_TEXT = 300;
const MAX_ITEMS = 50;
/** Entities within entities: the contact for abuse is within the registrar. */
const MAX_DEPTH = 3;

const textOf = (value: unknown): string | null => {
  if (typeof value !== "string") return null;
  const text = value
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ")
    .trim();
  return text === "" ? null : text;
};

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []);
const objectsOf = (value: unknown): RdapObject[] =>
  listOf(value).filter((each): each is RdapObject => typeof each === "object" && each !== null);

interface Registration {
  handle: string | null;
  name: string | null;
  status: string[];
  registrar: string | null;
  organization: string | null;
  country: string | null;
  abuseContact: string | null;
  events: { action: string; date: string }[];
  nameServers: string[];
  isSigned: boolean | null;
  range: string | null;
}

function readRegistration(object: RdapObject): Registration {
  const entities = entitiesOf(object);
  const withRole = (...roles: string[]) =>
    entities.find((entity) => rolesOf(entity).some((role) => roles.includes(role)));
  const registrar = withRole("registrar");
  const registrant = withRole("registrant");
  const { secureDNS } = object;
  return {
    handle: textOf(object["handle"]),
    name: textOf(object["ldhName"]) ?? textOf(object["name"]),
    status: listOf(object["status"]).flatMap((each) => textOf(each) ?? []),
    registrar: registrar ? cardValue(registrar, "fn") : null,
    organization: registrant ? (cardValue(registrant, "org") ?? cardValue(registrant, "fn")) : null,
    country: textOf(object["country"]) ?? (registrant ? cardCountry(registrant) : null),
    abuseContact: cardValue(withRole("abuse") ?? {}, "email"),
    events: eventsOf(object),
    nameServers: objectsOf(object["nameservers"]).flatMap(
      ({ ldhName }) => textOf(ldhName)?.toLowerCase() ?? [],
    ),
    isSigned: signedOf(secureDNS),
    range: rangeOf(object),
  };
}

function entitiesOf(object: RdapObject, depth = 0): RdapObject[] {
  if (depth === MAX_DEPTH) return [];
  return objectsOf(object["entities"]).flatMap((entity) => [entity, ...entitiesOf(entity, depth + 1)]);
}

const rolesOf = ({ roles }: RdapObject) => listOf(roles).filter((role) => typeof role === "string");

/** A property of a jCard (RFC 7095): `[name, {}, type, value]`. */
function cardProperty({ vcardArray }: RdapObject, name: string): unknown[] | null {
  const found = listOf(listOf(vcardArray)[1]).find((each) => listOf(each)[0] === name);
  return found === undefined ? null : listOf(found);
}

const cardValue = (entity: RdapObject, name: string): string | null => {
  const value = cardProperty(entity, name)?.[3];
  return textOf(Array.isArray(value) ? value[0] : value);
};

/** In a parameter `cc`, or the last part of the address. */
function cardCountry(entity: RdapObject): string | null {
  const property = cardProperty(entity, "adr");
  const parameters = (property?.[1] ?? {}) as RdapObject;
  return textOf(parameters["cc"]) ?? textOf(listOf(property?.[3])[6]);
}

const eventsOf = ({ events }: RdapObject) =>
  objectsOf(events).flatMap(({ eventAction, eventDate }) => {
    const action = textOf(eventAction);
    const at = typeof eventDate === "string" ? Date.parse(eventDate) : Number.NaN;
    return action === null || Number.isNaN(at) ? [] : [{ action, date: new Date(at).toISOString() }];
  });

function signedOf(secure: unknown): boolean | null {
  const { delegationSigned } = (secure ?? {}) as RdapObject;
  return typeof delegationSigned === "boolean" ? delegationSigned : null;
}

function rangeOf({ startAddress, endAddress, startAutnum, endAutnum }: RdapObject): string | null {
  const [from, to] = [startAddress ?? startAutnum, endAddress ?? endAutnum].map((each) =>
    textOf(typeof each === "number" ? String(each) : each),
  );
  if (!from) return null;
  return to && to !== from ? `${from} – ${to}` : from;
}

/** Who holds a domain, a network or an AS number, by its registry (RDAP: RFC 9082, 9083, 9224). */
export const lookUpRegistration = tool({
  name: "rdap",
  title: "Registration (RDAP)",
  description:
    "Queries the registry who holds a domain, an IP address or an AS number, since when, and until when.",
  input: Input,
  subject: "query",
  output: Output,
  run: lookUp,
  message: ({ registered, query }) => (registered ? "OK" : `The registry knows nothing of ${query}.`),
  print,
});

async function lookUp({ query }: RdapInput, environment: ToolEnvironment): Promise<Rdap> {
  const startedMs = performance.now();
  const rdapQuery = parseRdapQuery(query);
  const list = await listFor(rdapQuery, environment);
  const { object, server } = await queryFirst(serversFor(list, rdapQuery), rdapQuery, environment);
  const { isSigned, ...registration } = readRegistration(object ?? {});
  return {
    query: rdapQuery.name,
    kind: rdapQuery.kind,
    registered: object !== null,
    ...registration,
    signed: isSigned,
    server,
    listPublished: new Date(list.publication).toISOString(),
    responseTime: Math.round((performance.now() - startedMs) * 1000) / 1000,
  };
}

/** One server after the other until one answers. Throws the first's ToolError, or one that there is none. */
async function queryFirst(
  servers: readonly string[],
  rdapQuery: RdapQuery,
  environment: ToolEnvironment,
): Promise<RdapAnswer> {
  let failed: Error | undefined;
  for (const server of servers) {
    try {
      return await queryRegistry(server, rdapQuery, environment);
    } catch (error) {
      environment.signal.throwIfAborted();
      failed ??= error as Error;
    }
  }
  throw failed ?? new ToolError(unlisted(rdapQuery), "query");
}

const unlisted = ({ kind, name }: RdapQuery) =>
  kind === "domain"
    ? msg("tool.rdap_none", { suffix: name.slice(name.indexOf(".") + 1) })
    : msg("tool.rdap_unassigned", { query: name });

function print({ query, registered, server, ...found }: Rdap): string {
  if (!registered) return `${server} knows nothing of ${query}.\n`;
  return printDetails([
    ["Name", found.name ?? query],
    ["Range", found.range],
    ["Holder", found.organization],
    ["Country", found.country],
    ["Registrar", found.registrar],
    ...found.events.map(({ action, date }) => [action, date.slice(0, 10)] as const),
    ["Status", found.status.join(", ")],
    ["Name servers", found.nameServers.join(", ")],
    ["DNSSEC", found.signed === null ? null : found.signed ? "signed" : "not signed"],
    ["Abuse", found.abuseContact],
    ["Registry", server],
  ]);
}
