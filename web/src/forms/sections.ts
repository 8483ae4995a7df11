import type { FieldErrors } from "../api/client.ts";
import type { FieldSchema } from "./schema.ts";

/** Fields that stand under one heading; `id` names its texts. */
export interface Section {
  id: string;
  fields: readonly string[];
}

/** Holds the fields of a schema that no section names: a new setting appears without anybody's doing. */
export const restSection = "rest";

/** The sections with the fields that the schema has, and a last one with those nobody placed. */
export function sectionsOf(schema: FieldSchema, layout: readonly Section[]): Section[] {
  const names = Object.keys(schema.properties ?? {});
  const placed = new Set(layout.flatMap(({ fields }) => fields));
  const sections = layout.map(({ id, fields }) => ({
    id,
    fields: fields.filter((name) => names.includes(name)),
  }));
  const rest = { id: restSection, fields: names.filter((name) => !placed.has(name)) };
  return [...sections, rest].filter(({ fields }) => fields.length > 0);
}

/** Whether one of the paths is about a field of the section. */
export const holdsErrors = (section: Section, errors: FieldErrors): boolean =>
  Object.keys(errors).some((path) => section.fields.includes(path.split(".")[0] ?? ""));
