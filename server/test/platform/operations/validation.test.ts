import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { type TSchema, Type } from "typebox";
import { expect, test } from "vitest";
import { inEnglish } from "../../../src/platform/i18n/english.ts";
import { oneOf } from "../../../src/platform/operations/field.ts";
import { fieldErrors } from "../../../src/platform/operations/field-errors.ts";

const ajv = addFormats.default(new Ajv({ allErrors: true, strict: false, verbose: true }));

function errorsOf(schema: TSchema, value: unknown) {
  const validate = ajv.compile(schema as object);
  if (validate(value)) return {};
  const errors = Object.entries(fieldErrors(validate.errors as never));
  return Object.fromEntries(errors.map(([field, own]) => [field, own.map(inEnglish)]));
}

test.each<[string, TSchema, unknown, string]>([
  ["string", Type.String(), 1, "The f field must be a string."],
  ["integer", Type.Integer(), 1.5, "The f field must be an integer."],
  ["boolean", Type.Boolean(), "yes", "The f field must be true or false."],
  ["array", Type.Array(Type.String()), "a", "The f field must be an array."],
  ["empty", Type.String({ minLength: 1 }), "", "The f field is required."],
  ["short", Type.String({ minLength: 3 }), "a", "The f field must be at least 3 characters."],
  ["long", Type.String({ maxLength: 3 }), "abcd", "The f field must not be greater than 3 characters."],
  ["small", Type.Integer({ minimum: 5 }), 4, "The f field must be at least 5."],
  ["large", Type.Integer({ maximum: 5 }), 6, "The f field must not be greater than 5."],
  ["few", Type.Array(Type.Any(), { minItems: 1 }), [], "The f field must have at least one item."],
  ["many", Type.Array(Type.Any(), { maxItems: 1 }), [1, 2], "The f field must not have more than 1 items."],
  [
    "crowded",
    Type.Record(Type.String(), Type.Any(), { maxProperties: 1 }),
    { a: 1, b: 2 },
    "The f field must not have more than 1 items.",
  ],
  ["double", Type.Array(Type.Any(), { uniqueItems: true }), [1, 1], "The f field has a duplicate value."],
  ["enum", oneOf(["up", "down"]), "sideways", "The selected f is invalid. It must be one of: up, down."],
  ["uuid", Type.String({ format: "uuid" }), "x", "The f field must be a valid UUID."],
  ["pattern", Type.String({ pattern: "^a$" }), "b", "The f field format is invalid."],
])("a field that is wrong by its %s is explained in a sentence", (_name, schema, value, sentence) => {
  expect(errorsOf(Type.Object({ f: schema }), { f: value })).toEqual({ f: [sentence] });
});

test("a nested field is named with its whole path, an array's item with its place", () => {
  const schema = Type.Object({
    protocolConfig: Type.Object({ port: Type.Integer() }),
    tags: Type.Array(Type.String()),
  });
  expect(errorsOf(schema, { protocolConfig: {}, tags: ["a", 2] })).toEqual({
    "protocolConfig.port": ["The protocolConfig.port field is required."],
    "tags.1": ["The tags.1 field must be a string."],
  });
});

test("a field that may be null speaks of what it should be, not of null", () => {
  const schema = Type.Object({ f: Type.Union([Type.String({ format: "date-time" }), Type.Null()]) });
  expect(errorsOf(schema, { f: "soon" })).toEqual({
    f: ["The f field must be an ISO 8601 date and time such as 2026-11-21T09:30:00Z."],
  });
  expect(errorsOf(schema, { f: null })).toEqual({});
});

test("every bad field is named at once", () => {
  const schema = Type.Object({ a: Type.String(), b: Type.Integer(), c: Type.Boolean() });
  expect(Object.keys(errorsOf(schema, { a: 1, b: "x" }))).toEqual(expect.arrayContaining(["a", "b", "c"]));
});
