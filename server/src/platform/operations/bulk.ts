import { type Static, Type } from "typebox";
import type { Ref } from "../database/sql.ts";
import { inEnglish } from "../i18n/english.ts";
import { type MessageDescriptor, msg } from "../i18n/message.ts";
import { capital, MessageSchema, oneOf, readId, Uuid } from "./field.ts";

const MAX_BULK = 1000;

export const BulkIdList = Type.Array(
  Type.Unsafe<number | string>({ type: ["integer", "string"], maxLength: 64 }),
  {
    minItems: 1,
    maxItems: MAX_BULK,
    description: "Integer ids, uuids or both; one that comes twice counts once.",
    examples: [[42, "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"]],
  },
);

const Identity = Type.Object({ id: Type.Integer(), uuid: Uuid });

export const bulkResult = <const Actions extends readonly string[]>(noun: string, actions: Actions) =>
  Type.Object(
    {
      action: oneOf(actions),
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
          fact: MessageSchema,
        }),
      ),
    },
    { title: `${capital(noun)}BulkResult` },
  );

interface BulkIds {
  /** Each once. */
  refs: Ref[];
  /** Each as it was first sent, by what it refers to. */
  sent: ReadonlyMap<string, number | string>;
}

/** Reads the ids; text that cannot be an id is in `sent` only. */
export function readBulkIds(ids: Static<typeof BulkIdList>): BulkIds {
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

const failed = (id: number | string, status: number, what: MessageDescriptor) => ({
  id,
  status,
  message: inEnglish(what),
  fact: what,
});

interface Numbered {
  id: number;
  uuid: string;
}

interface BulkDone {
  changed: readonly Numbered[];
  unchanged: readonly Numbered[];
  refused: readonly (Numbered & { why: MessageDescriptor })[];
}

/** The answer of either family. `refusal`: the status of what cannot be changed like that. */
export function projectBulk<Action extends string>(
  action: Action,
  { changed, unchanged, refused }: BulkDone,
  { sent }: BulkIds,
  refusal: 409 | 422,
) {
  const known = new Set([...changed, ...unchanged, ...refused].flatMap(({ id, uuid }) => [String(id), uuid]));
  const unknown = [...sent].filter(([text]) => !known.has(text));
  return {
    action,
    changed: changed.map(({ id, uuid }) => ({ id, uuid })),
    unchanged: unchanged.map(({ id, uuid }) => ({ id, uuid })),
    failed: [
      ...unknown.map(([, id]) => failed(id, 404, msg("request.not_found"))),
      ...refused.map(({ id, uuid, why }) =>
        failed(sent.get(uuid) ?? sent.get(String(id)) ?? id, refusal, why),
      ),
    ],
  };
}

const ACTIONS = ["acknowledge"] as const;

export const IncidentBulk = Type.Object(
  { action: oneOf(ACTIONS, { description: "What to do with the incidents." }), ids: BulkIdList },
  { title: "IncidentBulk" },
);

export const IncidentBulkResult = bulkResult("incident", ACTIONS);
