import type { FieldErrors } from "../api/client.ts";
import type { FieldSchema } from "./schema.ts";

/**
 * `id` names its texts. `group.field`: a field of a group; the group itself takes its fields that no section
 * names.
 */
export interface Section {
  id: string;
  fields: readonly string[];
}

/** Holds the fields of a schema that no section names: a new setting appears without anybody's doing. */
export const restSection = "rest";

/** The sections with the fields that the schema has, and a last one with those not placed by any. */
export function sectionsOf(schema: FieldSchema, layout: readonly Section[]): Section[] {
  const placed = new Set(layout.flatMap(({ fields }) => fields));
  const names = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => partsOf(name, one, placed));
  const sections = layout.map(({ id, fields }) => ({
    id,
    fields: fields.flatMap((field) =>
      names.filter((name) => name === field || (groupOf(name) === field && !placed.has(name))),
    ),
  }));
  const rest = {
    id: restSection,
    fields: names.filter((name) => !placed.has(name) && !placed.has(groupOf(name))),
  };
  return [...sections, rest].filter(({ fields }) => fields.length > 0);
}

/** A field, or the fields of a group of which some are placed by themselves. */
function partsOf(name: string, schema: FieldSchema, placed: ReadonlySet<string>): string[] {
  const parts = Object.keys(schema.properties ?? {}).map((field) => `${name}.${field}`);
  return parts.some((part) => placed.has(part)) ? parts : [name];
}

const groupOf = (name: string): string => name.split(".")[0] ?? "";

/** What the section shows, in order: whole fields, and of a group those of its fields that are placed here, together. */
export function shownIn({ fields }: Section, schema: FieldSchema): [name: string, schema: FieldSchema][] {
  return [...new Set(fields.map(groupOf))].flatMap((name) => {
    const one = schema.properties?.[name];
    if (!one || fields.includes(name)) return one ? [[name, one]] : [];
    const entries = fields
      .filter((field) => groupOf(field) === name)
      .map((field) => field.slice(name.length + 1))
      .map((field) => [field, one.properties?.[field] ?? {}]);
    return [[name, { ...one, properties: Object.fromEntries(entries) }]];
  });
}

/** Whether one of the paths is about a field of the section. */
export const holdsErrors = (section: Section, errors: FieldErrors): boolean =>
  Object.keys(errors).some((path) =>
    section.fields.some((field) => path === field || path.startsWith(`${field}.`)),
  );
