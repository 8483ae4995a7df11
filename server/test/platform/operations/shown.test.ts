import { Type } from "typebox";
import { expect, test } from "vitest";
import { nullable, shown, Timestamp } from "../../../src/platform/operations/field.ts";

const Key = Type.Object({ id: Type.Integer(), createdAt: Timestamp, usedAt: nullable(Timestamp) });

test("what a schema declares is shown and nothing else, times as text and in the schema's order", () => {
  const key = { tokenHash: "secret", usedAt: null, createdAt: 1_763_717_400_000, id: 7 };
  expect(JSON.stringify(shown(Key, key))).toBe(
    '{"id":7,"createdAt":"2025-11-21T09:30:00.000Z","usedAt":null}',
  );
  expect(shown(Key, { ...key, usedAt: 0 }).usedAt).toBe("1970-01-01T00:00:00.000Z");
});

test("a field added to a schema is shown without anybody listing it", () => {
  const More = Type.Object({ ...Key.properties, prefix: Type.String() });
  const key = { id: 7, createdAt: 0, usedAt: null, prefix: "vdt_Zk3x" };
  expect(shown(More, key).prefix).toBe("vdt_Zk3x");
});
