type Json = Record<string, unknown>;

/** A schema with a title like `DomainDetail` is a component. */
const COMPONENT_NAME = /^[A-Z][A-Za-z0-9]+$/;

/**
 * Moves what an OpenAPI document repeats to its components, and refers to it from where it stood: titled schemas,
 * failures, and parameters that many operations share. Throws when one title names two different schemas.
 */
export function nameComponents<T extends object>(document: T): T {
  const components: Json = {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    const node = value as Json;
    const visited = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, visit(inner)]));
    const { title } = node;
    if (typeof title !== "string" || !COMPONENT_NAME.test(title) || !isSchema(node)) return visited;
    const known = components[title];
    if (known && JSON.stringify(known) !== JSON.stringify(visited)) {
      throw new Error(`Two different schemas are titled ${title}`);
    }
    components[title] = visited;
    return { $ref: `#/components/schemas/${title}` };
  };
  const { components: given, ...rest } = document as { components?: Json };
  const visited = visit(rest) as Json;
  for (const component of Object.values(components)) mapDiscriminators(component, components);
  const responses = nameFailures(visited);
  const parameters = nameParameters(visited);
  return {
    ...visited,
    components: { ...given, schemas: sorted(components), responses, parameters },
  } as never;
}

/** Says by name which of several components is meant by which value; Ajv, for requests, finds out by itself. */
function mapDiscriminators(node: unknown, components: Json): void {
  if (typeof node !== "object" || node === null) return;
  for (const inner of Object.values(node)) mapDiscriminators(inner, components);
  const { discriminator, oneOf } = node as { discriminator?: Discriminator; oneOf?: { $ref?: string }[] };
  if (!discriminator || !oneOf) return;
  const named = oneOf.flatMap(({ $ref }) => {
    const component = components[$ref?.split("/").at(-1) ?? ""] as Tagged | undefined;
    // The plugin that makes the document writes a constant as a list of one.
    const value = component?.properties?.[discriminator.propertyName]?.enum?.[0];
    return $ref === undefined || value === undefined ? [] : [[value, $ref]];
  });
  if (named.length === oneOf.length) discriminator.mapping = Object.fromEntries(named);
}

interface Discriminator {
  propertyName: string;
  mapping?: Record<string, string>;
}
interface Tagged {
  properties?: Record<string, { enum?: string[] }>;
}

/** How many operations a parameter must stand in to become a component. */
const MIN_SHARED = 10;

/**
 * Parameters that many operations have in common become components under their own names; where a name has several
 * common meanings (`page` of legacy and of v2), the most common one does.
 */
function nameParameters(document: Json): Json {
  const operations = Object.values(document["paths"] as Record<string, Record<string, Operation>>).flatMap(
    (path) => Object.values(path),
  );
  const uses = Map.groupBy(
    operations.flatMap(({ parameters = [] }) => parameters),
    (parameter) => JSON.stringify(parameter),
  );
  const shared = [...uses]
    .filter(([, same]) => same.length >= MIN_SHARED)
    .toSorted(([, some], [, others]) => others.length - some.length);
  const named: Record<string, Parameter> = {};
  const refs = new Map<string, { $ref: string }>();
  for (const [text, [parameter]] of shared) {
    if (!parameter || parameter.name in named) continue;
    named[parameter.name] = parameter;
    refs.set(text, { $ref: `#/components/parameters/${parameter.name}` });
  }
  for (const operation of operations) {
    if (!operation.parameters) continue;
    operation.parameters = operation.parameters.map((one) => refs.get(JSON.stringify(one)) ?? one) as never;
  }
  return sorted(named);
}

interface Parameter {
  name: string;
}
interface Operation {
  parameters?: Parameter[];
}

/** Every route fails alike: its 4xx and 5xx answers become one component for each status code. */
function nameFailures(document: Json): Json {
  const failures: Json = {};
  for (const path of Object.values(document.paths as Record<string, Json>)) {
    for (const operation of Object.values(path)) {
      const { responses = {} } = operation as { responses?: Json };
      for (const code of Object.keys(responses).filter((key) => isFailure(responses[key]))) {
        failures[`Failure${code}`] ??= responses[code];
        responses[code] = { $ref: `#/components/responses/Failure${code}` };
      }
    }
  }
  return sorted(failures);
}

const isFailure = (response: unknown): boolean =>
  JSON.stringify(response).includes('"schema":{"$ref":"#/components/schemas/Failure"}');

const sorted = (named: Json): Json =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

const isSchema = (node: Json): boolean =>
  ["type", "anyOf", "oneOf", "allOf", "enum"].some((key) => key in node);

type Named = Record<string, object>;

interface Answer {
  $ref?: string;
  headers?: Named;
}

/** The headers that answers carry, for `components/headers`. */
const HEADERS = {
  "X-Request-Id": {
    description: "The id of this request, which is also in the server's log; yours, if you sent one.",
    schema: { type: "string", examples: ["0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"] },
  },
  "RateLimit-Limit": {
    description:
      "How many requests a minute are allowed in this endpoint group. Absent where nothing is limited.",
    schema: { type: "integer", examples: [1200] },
  },
  "RateLimit-Remaining": {
    description: "How many of them are left.",
    schema: { type: "integer", examples: [1187] },
  },
  "RateLimit-Reset": {
    description: "Seconds until the count starts again.",
    schema: { type: "integer", examples: [42] },
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    schema: { type: "integer", examples: [5] },
  },
} as const;

type HeaderName = keyof typeof HEADERS;

const LIMITS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;
/** Answered before requests are counted. */
const UNCOUNTED = ["408", "417", "431"];
/** Of a 502, where the server that was asked says when. */
const COME_BACK = ["429", "502", "503"];

/**
 * Adds the headers of every answer to a document whose failures are components (`nameComponents`): the
 * request's id everywhere, the limits where the operation has one, and when to come back.
 */
export function documentHeaders<T extends object>(document: T): T {
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, Answer> }>>;
    components: { headers?: Named; responses: Record<string, Answer> };
  };
  for (const { responses } of Object.values(paths).flatMap((path) => Object.values(path))) {
    const own = Object.entries(responses).filter(([, answer]) => answer.$ref === undefined);
    for (const [code, answer] of own) answer.headers = headersOf(code, "429" in responses);
  }
  for (const [name, answer] of Object.entries(components.responses)) {
    answer.headers = headersOf(name.replace("Failure", ""), true);
  }
  return { ...document, components: { ...components, headers: HEADERS } };
}

function headersOf(code: string, isLimited: boolean): Named {
  const names: HeaderName[] = [
    "X-Request-Id",
    ...(isLimited && !UNCOUNTED.includes(code) ? LIMITS : []),
    ...(COME_BACK.includes(code) ? (["Retry-After"] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
