type Json = Record<string, unknown>;

/** A schema with a title like `DomainDetail` is a component. */
const COMPONENT_NAME = /^[A-Z][A-Za-z0-9]+$/;

/**
 * Moves every titled schema of an OpenAPI document to `components/schemas` and refers to it from
 * where it stood. Throws when one title names two different schemas.
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
  const schemas = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...visited, components: { ...given, schemas } } as never;
}

const isSchema = (node: Json): boolean =>
  ["type", "anyOf", "oneOf", "allOf", "enum"].some((key) => key in node);
