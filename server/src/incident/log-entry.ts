import { notFound } from "../errors.ts";
import { readId } from "../wire/field.ts";

/** The number of an entry of an incident, which has no uuid. Throws 404 for text that is none. */
export function readEntryId(text: string): number {
  const ref = readId(text);
  if (!ref || !("id" in ref)) throw notFound();
  return ref.id;
}
