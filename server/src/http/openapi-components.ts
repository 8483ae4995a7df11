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
