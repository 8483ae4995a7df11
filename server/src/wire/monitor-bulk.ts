import { type Static, Type } from "typebox";
import { BULK_ACTIONS, type BulkAction, MAX_BULK } from "../monitor/bulk-actions.ts";
import type { BulkPlan } from "../monitor/bulk-change.ts";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { Ref } from "../store/queries/ref.ts";
import { inEnglish } from "../texts/english.ts";
import { fact, type Fact as KnownFact } from "../texts/fact.ts";
import { settableFields } from "./domain-input.ts";
import { DeletedDomain } from "./domains.ts";
import { Fact } from "./fact.ts";
import { oneOf } from "./field.ts";
import { readId } from "./id.ts";
import { capital } from "./word.ts";

const tagList = (description: string) => Type.Optional({ ...settableFields.tags, description });

const idList = Type.Array(Type.Unsafe<number | string>({ type: ["integer", "string"], maxLength: 64 }), {
  minItems: 1,
  maxItems: MAX_BULK,
  description: "Integer ids, uuids or both; one that comes twice counts once.",
  examples: [[42, "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"]],
});

const Identity = Type.Object(DeletedDomain.properties);

/** POST /api/domains/bulk and /api/services/bulk: what to do with which, and what became of each of them. */
export const bulkShapes = (noun: MonitorKind) => ({
  input: Type.Object(
    {
      action: oneOf(BULK_ACTIONS, { description: `What to do with the ${noun}s.` }),
      ids: idList,
      tags: Type.Optional(
        Type.Object(
          {
            add: tagList(`Added to each ${noun}.`),
            remove: tagList(`Removed from each ${noun} that has them.`),
          },
          { description: "Required with `tag`, not allowed otherwise." },
        ),
      ),
    },
    { title: `${capital(noun)}Bulk` },
  ),
  output: Type.Object(
    {
      action: oneOf(BULK_ACTIONS),
      changed: Type.Array(Identity),
      unchanged: Type.Array(Identity, { description: `${capital(noun)}s that already were as requested.` }),
      failed: Type.Array(
        Type.Object({
          id: Type.Unsafe<number | string>({
            type: ["integer", "string"],
            description: "As it was sent.",
            examples: [42],
          }),
          status: Type.Integer({ description: "What changing it alone would return.", examples: [404] }),
          message: Type.String({ examples: ["Resource not found."] }),
          fact: Fact,
        }),
      ),
    },
    { title: `${capital(noun)}BulkResult` },
  ),
});

type BulkResult = Static<ReturnType<typeof bulkShapes>["output"]>;

/** The ids of a bulk request. */
export interface BulkIds {
  /** Each once. */
  refs: Ref[];
  /** Each as it was first sent, by what it refers to. */
  sent: ReadonlyMap<string, number | string>;
}

/** Reads the ids; text that cannot be an id is in `sent` only. */
export function readBulkIds(ids: Static<typeof idList>): BulkIds {
  const refs = new Map<string, Ref>();
  const sent = new Map<string, number | string>();
  for (const id of ids) {
    const ref = readId(String(id));
    const text = ref ? textOf(ref) : String(id);
    if (ref) refs.set(text, ref);
    if (!sent.has(text)) sent.set(text, id);
  }
  return { refs: [...refs.values()], sent };
}

const textOf = (ref: Ref): string => ("id" in ref ? String(ref.id) : ref.uuid);

const failed = (id: number | string, status: number, what: KnownFact) => ({
  id,
  status,
  message: inEnglish(what),
  fact: what,
});

/** The answer of either family. */
export function projectBulk(
  action: BulkAction,
  { changed, unchanged, refused }: BulkPlan,
  { sent }: BulkIds,
): BulkResult {
  const found = [...changed, ...unchanged, ...refused.map(({ monitor }) => monitor)];
  const known = new Set(found.flatMap(({ id, uuid }) => [String(id), uuid]));
  const unknown = [...sent].filter(([text]) => !known.has(text));
  return {
    action,
    changed: changed.map(({ id, uuid }) => ({ id, uuid })),
    unchanged: unchanged.map(({ id, uuid }) => ({ id, uuid })),
    failed: [
      ...unknown.map(([, id]) => failed(id, 404, fact("request.not_found"))),
      ...refused.map(({ monitor: { id, uuid }, why }) =>
        failed(sent.get(uuid) ?? sent.get(String(id)) ?? id, 422, why),
      ),
    ],
  };
}
