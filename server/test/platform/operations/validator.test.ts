import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { getValidator, MAX_PROBLEMS } from "../../../src/platform/operations/validator.ts";

const rows = <T>(length: number, row: T) => Array.from({ length }, () => row);
const Row = Type.Object({ name: Type.String() }, { additionalProperties: false });
const wide = (length: number) => Object.fromEntries(Array.from({ length }, (_, at) => [`x${at}`, 1]));

/** What is found wrong: how much, and of which keywords. */
function validate(schema: object, input: unknown) {
  const validate = getValidator(schema, { isText: false });
  const isValid = validate(input);
  const keywords = new Set((validate.errors ?? []).map(({ keyword }) => keyword));
  return { isValid, count: (validate.errors ?? []).length, keywords: [...keywords] };
}

describe("a validator", () => {
  test.each([
    ["items", Type.Object({ list: Type.Array(Row) }), { list: rows(900, { name: 1 }) }],
    ["unknown fields", Type.Object({ row: Row }), { row: { name: "a", ...wide(900) } }],
    ["values of a record", Type.Record(Type.String(), Type.String()), wide(900)],
    ["items within items", Type.Array(Type.Array(Row)), rows(30, rows(30, {}))],
  ])("looks no further than for 100 problems among %s", (_name, schema, input) => {
    const { isValid, count } = validate(schema, input);
    expect([isValid, count >= MAX_PROBLEMS, count < 2 * MAX_PROBLEMS]).toEqual([false, true, true]);
  });

  test("accepts what a later branch of a union takes, however much is wrong with it in an earlier one", () => {
    const schema = Type.Object({
      either: Type.Union([
        Type.Array(Type.String()),
        Type.Array(Row),
        Type.Record(Type.String(), Type.Number()),
      ]),
    });
    expect(validate(schema, { either: rows(900, { name: "a" }) }).isValid).toBe(true);
    expect(validate(schema, { either: wide(900) }).isValid).toBe(true);
    expect(validate(schema, { either: [...rows(900, { name: "a" }), {}] }).isValid).toBe(false);
  });

  test("still finds the only problem at the end of a long list, and fills in defaults after it", () => {
    const schema = Type.Object({
      list: Type.Array(
        Type.Object({ name: Type.String(), size: Type.Optional(Type.Number({ default: 1 })) }),
      ),
    });
    expect(validate(schema, { list: [...rows(900, { name: "a" }), {}] })).toMatchObject({
      isValid: false,
      count: 1,
      keywords: ["required"],
    });
    const input = { list: Array.from({ length: 900 }, () => ({ name: "a" })) };
    expect(validate(schema, input).isValid).toBe(true);
    expect(input.list.at(-1)).toEqual({ name: "a", size: 1 });
  });
});
