import type { TSchema } from "typebox";

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

type IsMarked = (node: SchemaNode) => boolean;

export interface MarkedText {
  text: string;
  /** JSON path; `*` is any item of a list or name of a record. */
  at: string;
  /** Candidates, where a schema has variants. */
  nodes: readonly SchemaNode[];
  /** Whether the field itself has the mark, not an ancestor. */
  isOwn: boolean;
}

/** Replaces each text in a marked field or below one. */
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
