import type { TSchema } from "typebox";
import { inSlices, mapInTurns } from "../turns.ts";
import { writerOf } from "./serialization.ts";

/**
 * From this length on a list is written piece by piece: ten thousand items at once held everything else up for 15 ms.
 */
const LONG = 400;
const PIECE = 250;

/** A list, or lists by a key that is data (a location's code). */
type Lists = unknown[] | Record<string, unknown[]>;

type WriteLists = (data: Lists, around: { first: string; last: string }) => Promise<string>;

/** Whether `data` holds lists that are too long to be written at once. */
export function isLong(data: unknown): data is Lists {
  if (Array.isArray(data)) return data.length > LONG;
  if (typeof data !== "object" || data === null) return false;
  return Object.values(data).some((list) => Array.isArray(list) && list.length > LONG);
}

/** The schema of one list, and of its items; null where the schema is of something else. */
function listSchemas(schema: TSchema): { list: TSchema; item: TSchema } | null {
  const { items, patternProperties } = schema as {
    items?: TSchema;
    patternProperties?: Record<string, TSchema>;
  };
  if (items) return { list: schema, item: items };
  const [list] = Object.values(patternProperties ?? {});
  return list ? listSchemas(list) : null;
}

/**
 * Maps every item of the lists, giving way in between; `change` gets the item's schema. Null: these are not long
 * lists.
 */
export async function mapLists(
  schema: TSchema,
  data: unknown,
  change: (item: unknown, schema: TSchema) => unknown,
): Promise<Lists | null> {
  const schemas = listSchemas(schema);
  if (!schemas || !isLong(data)) return null;
  const changeAll = (list: unknown[]) => mapInTurns(list, (item) => change(item, schemas.item));
  if (Array.isArray(data)) return changeAll(data);
  const changed: Record<string, unknown[]> = {};
  for (const [key, list] of Object.entries(data)) changed[key] = await changeAll(list);
  return changed;
}

/**
 * Writes long lists by their schema between the two texts of the envelope, giving way in between. The writer is made
 * for the first one that needs it. Null: the schema is not one of lists.
 */
export function listWriter(schema: TSchema): WriteLists | null {
  const schemas = listSchemas(schema);
  if (!schemas) return null;
  const writeList = async (list: unknown[]): Promise<string> => {
    const writePiece = writerOf(schemas.list);
    const pieces: string[] = [];
    await inSlices(list, PIECE, (part) => void pieces.push(writePiece(part).slice(1, -1)));
    return `[${pieces.join(",")}]`;
  };
  return async (data, { first, last }) => {
    if (Array.isArray(data)) return first + (await writeList(data)) + last;
    const members: string[] = [];
    for (const [key, list] of Object.entries(data))
      members.push(`${JSON.stringify(key)}:${await writeList(list)}`);
    return `${first}{${members.join(",")}}${last}`;
  };
}
