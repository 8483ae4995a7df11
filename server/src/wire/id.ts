import { type TObject, type TProperties, Type } from "typebox";
import { notFound } from "../errors.ts";
import type { Ref } from "../store/queries/ref.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A path parameter that takes either form. Not validated by schema: an id of neither form is unknown, so 404. */
export const IdText = Type.String({ description: "Integer id or uuid.", examples: ["42"] });

/** The same in a body, where the integer may be a number. */
export const idIn = (facts: { description?: string; examples?: unknown[] }) =>
  Type.Unsafe<string | number>({
    ...{ type: ["string", "integer"], minLength: 1, maxLength: 64, minimum: 1 },
    ...facts,
  });

/** What every DELETE answers (decisions §2). */
export const Deleted = Type.Object(
  { id: Type.Integer({ description: "Of what was deleted.", examples: [42] }) },
  { title: "Deleted" },
);

/** What a verb about one thing takes; in REST it is in the path. */
export const IdParams = Type.Object({ id: IdText });

/** The shape of a change together with the id of what is to be changed. */
export const withId = <T extends TProperties>(change: TObject<T>) =>
  Type.Object({ id: IdText, ...change.properties }, { title: (change as { title?: string }).title });

/** Reads a path parameter. Throws 404 for text that is neither an integer nor a uuid. */
export function parseId(text: string): Ref {
  const id = readId(text);
  if (!id) throw notFound();
  return id;
}

/** The same for one id of many; null for text that is none. */
export function readId(text: string): Ref | null {
  if (/^[1-9]\d{0,14}$/.test(text)) return { id: Number(text) };
  return UUID.test(text) ? { uuid: text.toLowerCase() } : null;
}

/** Whether it is what an id means. */
export const isMeant = (ref: Ref, { id, uuid }: { id: number | null; uuid: string | null }): boolean =>
  "id" in ref ? ref.id === id : ref.uuid === uuid;
