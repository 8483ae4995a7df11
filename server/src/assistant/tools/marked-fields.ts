import type { TSchema } from "typebox";

/** What of a schema is looked at to find fields that have a mark. */
export interface SchemaNode {
  "x-untrusted"?: boolean;
  "x-secret"?: string;
  writeOnly?: boolean;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
}

/** Whether a field has the mark that is looked for. */
type IsMarked = (node: SchemaNode) => boolean;

/** Text in a marked field. */
export interface MarkedText {
  text: string;
  /** Where it is; `*` stands for any item of a list or name of a record. */
  at: string;
  /** What its schema may be. */
  nodes: readonly SchemaNode[];
  /** Whether the mark is its own, and not that of what it is in. */
  isOwn: boolean;
}

/** The value with another text in place of each in a marked field, or in one within it. */
export function changeMarked(
  { schema, value, isMarked: hasMark }: { schema: TSchema; value: unknown; isMarked: IsMarked },
  change: (found: MarkedText) => string,
): unknown {
  const visit = (nodes: readonly SchemaNode[], part: unknown, at: string, isWithin: boolean): unknown => {
    const own = nodes.flatMap((node) => [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])]);
    const isOwn = own.some(hasMark);
    const isMarked = isOwn || isWithin;
    if (typeof part === "string") {
      return part === "" || !isMarked ? part : change({ text: part, at, nodes: own, isOwn });
    }
    if (part === null || typeof part !== "object") return part;
    if (Array.isArray(part)) {
      const items = own.flatMap((node) => node.items ?? []);
      return part.map((item) => visit(items, item, placeIn(at, "*"), isMarked));
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => {
        const { fields, isNamed } = fieldIn(own, name);
        return [name, visit(fields, inner, placeIn(at, isNamed ? name : "*"), isMarked)];
      }),
    );
  };
  return visit([schema as SchemaNode], value, "", false);
}

const placeIn = (at: string, name: string): string => (at === "" ? name : `${at}.${name}`);

function fieldIn(nodes: readonly SchemaNode[], name: string): { fields: SchemaNode[]; isNamed: boolean } {
  const named = nodes.flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, name) ? [properties[name] as SchemaNode] : [],
  );
  if (named.length > 0) return { fields: named, isNamed: true };
  const others = nodes.flatMap(({ patternProperties = {}, additionalProperties }) => [
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ]);
  return { fields: others, isNamed: others.length === 0 };
}
