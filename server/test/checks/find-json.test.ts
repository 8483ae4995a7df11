import fc from "fast-check";
import { expect, test } from "vitest";
import { findJson } from "../../src/checks/find-json.ts";

type Step = string | number;

/** What JSON.parse gives at a path, with the same said of arrays and objects. */
function parsed(text: string, steps: readonly Step[]): { value: unknown } | null {
  try {
    let value: unknown = JSON.parse(text);
    for (const step of steps) {
      const fits = typeof value === "object" && value !== null;
      if (
        !fits ||
        Array.isArray(value) !== (typeof step === "number") ||
        !Object.hasOwn(value as object, step)
      )
        return { value: undefined };
      value = (value as Record<Step, unknown>)[step];
    }
    return { value: shallow(value) };
  } catch {
    return null;
  }
}

const isNested = (value: unknown) => typeof value === "object" && value !== null;
function shallow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => (isNested(one) ? {} : one));
  return isNested(value) ? {} : value;
}

/** Only the value of what was found. */
const plain = (found: ReturnType<typeof findJson>) => found && { value: found.value };

const names = fc.constantFrom("a", "b", "__proto__", 'q"u', "ü", "", "0");
const steps = fc.array(fc.oneof(names, fc.nat({ max: 2 })), { maxLength: 3 });
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<unknown>(1, -0.5, 1e300, "x", "\u0000\\", true, false, null),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie("tree")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

test("it finds what JSON.parse finds", () => {
  const property = fc.property(tree, steps, fc.constantFrom(0, 1, "\t\n"), (document, path, space) => {
    const text = JSON.stringify(document, null, space);
    expect(plain(findJson(text, path))).toEqual(parsed(text, path));
  });
  fc.assert(property, { numRuns: 1_000 });
});

test("what JSON.parse refuses is no JSON, and nothing else is", () => {
  const pieces = fc.constantFrom(
    ...[
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "\\",
      "\\u00e4",
      "1",
      "0",
      "-",
      ".5",
      "e+3",
      "true",
      "nul",
      "null",
      " ",
      "\n",
    ],
    ...["\u0001", "\u00a0", "01", '"a":', '"b":', "[]", "{}", "1.", "NaN"],
  );
  const property = fc.property(fc.array(pieces, { maxLength: 9 }), steps, (parts, path) => {
    const text = parts.join("");
    expect(plain(findJson(text, path))).toEqual(parsed(text, path));
  });
  fc.assert(property, { numRuns: 5_000 });
});

test("of two of one name the last counts, on the way too", () => {
  for (const text of [
    '{"a":1,"a":2}',
    '{"a":{"b":1},"a":{}}',
    '{"a":[1],"a":3}',
    '{"a":{"b":1},"a":{"b":{"a":2}}}',
  ])
    for (const path of [["a"], ["a", "b"], ["a", 0]])
      expect(plain(findJson(text, path))).toEqual(parsed(text, path));
});

test("half a million arrays in each other are passed over like anything else", () => {
  const deep = "[".repeat(500_000) + "]".repeat(500_000);
  expect(findJson(`{"a":${deep},"b":7}`, ["b"])).toEqual({ value: 7 });
  expect(findJson(`{"a":${deep}],"b":7}`, ["b"])).toBeNull();
  expect(findJson(deep.slice(1), [])).toBeNull();
});

test("an integer of many digits keeps each of them, and a list or an object is whole where it is wanted", () => {
  const text = '{"a":[9007199254740993,{"b":[1]}],"c":9007199254740993}';
  expect(findJson(text, ["c"])).toEqual({ value: 9_007_199_254_740_993n });
  expect(findJson(text, ["a", 0])).toEqual({ value: 9_007_199_254_740_993n });
  const written = (json: string, path: Step[]) => findJson(json, path, { isListed: false, isWritten: true });
  expect(written(text, ["a", 1])).toEqual({ value: {}, written: '{"b":[1]}' });
  expect(written(' [ 1,\n{"a b" : "\\u00e4 \\" x" } , 9007199254740993 ] ', [])).toEqual({
    value: [],
    written: '[1,{"a b":"ä \\" x"},9007199254740993]',
  });
  expect(written('{"a":[1],"a":2}', ["a"])).toEqual({ value: 2 });
  expect(written('{"a":2,"a":[1]}', ["a"])).toEqual({ value: [], written: "[1]" });
});

test("the values of an array are collected only where they are wanted", () => {
  expect(findJson("[1,[2]]", [])).toEqual({ value: [1, {}] });
  expect(findJson("[1,[2]]", [], { isListed: false })).toEqual({ value: [] });
});

test("an object's names are counted, each once, those of objects in it not", () => {
  expect(findJson('{"o":{"a":1,"b":{"c":1,"d":2},"\\u0061":3}}', ["o"])).toEqual({ value: {}, names: 2 });
  expect(findJson('{"o":{"a":1,"b":2},"o":{"c":1}}', ["o"])).toEqual({ value: {}, names: 1 });
  expect(findJson('{"o":{"a":1},"o":[1]}', ["o"])).toEqual({ value: [1] });
});
