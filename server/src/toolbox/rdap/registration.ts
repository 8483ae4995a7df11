/** Reads what registries say (RFC 9083). All of it is foreign text: bounded here, and without control characters. */

type RdapObject = Readonly<Record<string, unknown>>;

const MAX_TEXT = 300;
const MAX_ITEMS = 50;
/** Entities within entities: the contact for abuse stands within the registrar. */
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

/** What is registered, in the words of the registry. */
export interface Registration {
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

/** The facts of an object that people look for. */
export function readRegistration(object: RdapObject): Registration {
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
