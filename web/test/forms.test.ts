import { describe, expect, onTestFinished, test, vi } from "vitest";
import { bodyOf, changesOf, typedIn, unusualFields, withTyped } from "../src/forms/body.ts";
import { type Drafts, draftsOf, type Item, itemOf, type Row } from "../src/forms/drafts.ts";
import { placeErrors, shownPaths, withoutErrorsAt } from "../src/forms/place-errors.ts";
import { problemsOf, repeatedNames } from "../src/forms/problems.ts";
import { type FieldSchema, kindOf } from "../src/forms/schema.ts";
import { holdsErrors, type Section, sectionsOf, shownIn } from "../src/forms/sections.ts";

const rule = (
  name: string,
  properties: Record<string, FieldSchema>,
  required: string[] = [],
): FieldSchema => ({
  type: "object",
  properties: { type: { const: name, type: "string" }, ...properties },
  required: ["type", ...required],
});

/** A bit of everything that a schema may hold. */
const schema: FieldSchema = {
  type: "object",
  required: ["address"],
  properties: {
    address: { type: "string", format: "uri" },
    note: { type: "string", maxLength: 5 },
    every: { type: "integer", minimum: 10, maximum: 100, "x-usual": 60 },
    on: { type: "boolean", "x-usual": true },
    way: { type: "string", enum: ["none", "basic", "token"], "x-usual": "none" },
    secrets: {
      type: "object",
      writeOnly: true,
      properties: {
        user: { type: "string", "x-when": { way: ["basic"] } },
        password: { type: "string", format: "password", "x-when": { way: ["basic"] } },
        token: { type: "string", format: "password", minLength: 1, "x-when": { way: ["token"] } },
      },
    },
    headers: {
      type: "object",
      "x-kept": "****",
      maxProperties: 3,
      patternProperties: { "^[A-Za-z.-]+$": { type: "string", maxLength: 4 } },
    },
    words: { type: "array", items: { type: "string", maxLength: 3 }, maxItems: 2 },
    rules: {
      type: "array",
      maxItems: 2,
      items: {
        discriminator: { propertyName: "type" },
        oneOf: [
          rule("codes", { codes: { type: "string", pattern: "^\\d+$" } }, ["codes"]),
          rule(
            "value",
            {
              operator: { enum: ["eq", "exists"] },
              value: {
                anyOf: [
                  { type: "string", maxLength: 3 },
                  { type: "number" },
                  { type: "boolean" },
                  { type: "null" },
                ],
                "x-when": { operator: ["eq"] },
              },
            },
            ["operator"],
          ),
          rule("limit", { aboveMs: { type: "integer", minimum: 1 } }),
        ],
      },
    },
  },
};

const nothingStored = () => false;

/** A form of `values` in which `change` has been done. */
function edit(values: Record<string, unknown>, change: (start: Drafts) => Drafts, keeps = nothingStored) {
  const start = draftsOf(schema, values);
  return { schema, start, drafts: { ...start, ...change(start) }, keeps };
}

const stored = {
  address: "https://a.test",
  note: "",
  every: 30,
  on: false,
  way: "basic",
  headers: { Accept: "x", Key: "****" },
  words: ["a"],
  rules: [
    { type: "codes", codes: "200" },
    { type: "value", operator: "eq", value: 3 },
    { type: "value", operator: "eq", value: null },
  ],
};

const rules = (...items: Record<string, unknown>[]): Drafts => ({
  rules: items.map((item) => itemOf(schema.properties?.["rules"] ?? {}, item)),
});

describe("the kind of a field", () => {
  test("follows from its schema alone", () => {
    const kinds = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, kindOf(one)]);
    expect(Object.fromEntries(kinds)).toEqual({
      address: "text",
      note: "text",
      every: "number",
      on: "switch",
      way: "choice",
      secrets: "group",
      headers: "record",
      words: "words",
      rules: "variants",
    });
  });

  test("is a secret, long text, one or several of a list, or a value of any type where the schema says so", () => {
    expect(kindOf({ type: "string", format: "password" })).toBe("secret");
    expect(kindOf({ type: "string", maxLength: 65_536 })).toBe("longText");
    expect(kindOf({ type: "string", maxLength: 4096, examples: ["PING\r\n"] })).toBe("longText");
    expect(kindOf({ anyOf: [{ const: "a" }, { const: "b" }] })).toBe("choice");
    expect(kindOf({ type: "array", items: { type: "string", enum: ["a"] } })).toBe("choices");
    expect(kindOf({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("scalar");
    expect(kindOf({ type: "array", items: { type: "object" } })).toBeNull();
  });
});

describe("what a form sends", () => {
  test("is nothing but what must be there while nothing was changed, whatever was stored", () => {
    const untouched = edit(stored, () => ({}));
    expect(changesOf(untouched)).toEqual({});
    expect(bodyOf(untouched)).toEqual({ address: "https://a.test" });
    expect(bodyOf(edit({}, () => ({})))).toEqual({ address: "" });
  });

  test("is each changed field, in the type that the schema wants", () => {
    const changed = edit({}, () => ({
      address: "a.test",
      every: " 90 ",
      on: false,
      words: ["x", "y"],
      way: "token",
      secrets: { user: "", password: "", token: "t" },
      headers: [{ id: 1, name: " X ", value: "1", isStored: false }],
    }));
    expect(bodyOf(changed)).toEqual({
      address: "a.test",
      every: 90,
      on: false,
      words: ["x", "y"],
      way: "token",
      secrets: { token: "t" },
      headers: { X: "1" },
    });
  });

  test("says a field that the API would work out from another one, when that one is sent", () => {
    const along = (change: Drafts) => changesOf({ ...edit({}, () => change), alongside: { on: ["every"] } });
    expect(along({ on: false })).toEqual({ on: false, every: 60 });
    expect(along({ note: "x" })).toEqual({ note: "x" });
  });

  test.each([
    ["de", ["2,5", " 2.5 ", "1.000,5", "1,2,3"], [2.5, 2.5, "1.000,5", "1,2,3"]],
    // There it may separate thousands.
    ["en", ["2,000", "2,5", "2.5"], ["2,000", "2,5", 2.5]],
  ])("takes a comma for a point where the reader's language does: %s", (lang, typed, meant) => {
    vi.stubGlobal("document", { documentElement: { lang } });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(typed.map((every) => changesOf(edit({}, () => ({ every }))))).toEqual(
      meant.map((every) => ({ every })),
    );
  });

  test("keeps what is no number as it was typed, and says that a field was emptied", () => {
    expect(changesOf(edit({}, () => ({ every: "soon" })))).toEqual({ every: "soon" });
    expect(changesOf(edit({}, () => ({ every: "" })))).toEqual({ every: "" });
    expect(changesOf(edit({ note: "x" }, () => ({ note: "" })))).toEqual({ note: "" });
  });

  test("leaves a stored secret alone until another is typed", () => {
    const isStored = () => true;
    const basic = (password: string) => ({ secrets: { user: "", password, token: "" } });
    expect(changesOf(edit(stored, () => basic(""), isStored))).toEqual({});
    expect(changesOf(edit(stored, () => basic("new"), isStored))).toEqual({ secrets: { password: "new" } });
  });

  test("names every secret that is required and missing, so that the API can say which", () => {
    expect(changesOf(edit({}, () => ({ way: "basic" })))).toEqual({
      way: "basic",
      secrets: { user: "", password: "" },
    });
  });

  test("sends a hidden header's placeholder back, or what replaces it; empty lines are not meant", () => {
    const [accept, key] = draftsOf(schema, stored)["headers"] as readonly Row[];
    const line = { id: 9, name: "", value: "", isStored: false };
    const accepts = { ...accept, value: "y", isStored: false };
    const change = (value: string) =>
      ({ headers: [accepts, { ...key, value, isStored: true }, line] }) as Drafts;
    expect(changesOf(edit(stored, () => change("")))).toEqual({ headers: { Accept: "y", Key: "****" } });
    expect(changesOf(edit(stored, () => change("k")))).toEqual({ headers: { Accept: "y", Key: "k" } });
  });

  test("holds an item's fields of its kind, without those that mean nothing now", () => {
    const value = (fields: Drafts) => ({
      ...itemOf(schema.properties?.["rules"] ?? {}, { type: "value" }),
      fields,
    });
    const scalar = (type: string, text: string) => ({ scalar: type, text });
    const cases: [Drafts, object][] = [
      [
        { operator: "eq", value: scalar("number", "1.5") },
        { operator: "eq", value: 1.5 },
      ],
      [{ operator: "eq", value: scalar("number", "") }, { operator: "eq" }],
      [
        { operator: "eq", value: scalar("string", "1.5") },
        { operator: "eq", value: "1.5" },
      ],
      [
        { operator: "eq", value: scalar("boolean", "false") },
        { operator: "eq", value: false },
      ],
      [
        { operator: "eq", value: scalar("null", "") },
        { operator: "eq", value: null },
      ],
      [{ operator: "exists", value: scalar("string", "x") }, { operator: "exists" }],
    ];
    for (const [fields, sent] of cases) {
      const form = edit({}, () => ({ rules: [value(fields) as Item] }));
      expect(changesOf(form)).toEqual({ rules: [{ type: "value", ...sent }] });
    }
    const limit = edit({}, () => rules({ type: "limit" }, { type: "codes" }));
    expect(changesOf(limit)).toEqual({ rules: [{ type: "limit" }, { type: "codes", codes: "" }] });
  });
});

test("fields that are not as usual are known, so that their sections open", () => {
  const fresh = draftsOf(schema, {});
  const of = (values: object) =>
    unusualFields({ schema, start: draftsOf(schema, { ...values }), keeps: nothingStored }, fresh);
  expect(of({ every: 60, on: true, words: [] })).toEqual([]);
  expect(of({ every: 61, words: ["a"] })).toEqual(["every", "words"]);
});

describe("problems", () => {
  const brief = (body: object) =>
    problemsOf(schema, { ...body }).map(({ path, rule: broken, limit }) => [path, broken, limit]);

  test("are found at the very place that the API would name", () => {
    expect(brief({ address: " " })).toEqual([["address", "required", 0]]);
    expect(brief({ note: "123456" })).toEqual([["note", "maxLength", 5]]);
    expect(brief({ note: "🛰🛰🛰🛰🛰" })).toEqual([]);
    expect(brief({ every: "soon" })).toEqual([["every", "integer", 0]]);
    expect(brief({ every: "" })).toEqual([["every", "required", 0]]);
    expect(brief({ every: 10.5 })).toEqual([["every", "integer", 0]]);
    expect(brief({ every: 9 })).toEqual([["every", "minimum", 10]]);
    expect(brief({ every: 101 })).toEqual([["every", "maximum", 100]]);
    expect(brief({ way: "other" })).toEqual([["way", "choice", 0]]);
    expect(brief({ secrets: { token: "" } })).toEqual([["secrets.token", "required", 0]]);
    expect(brief({ words: ["a", "long"] })).toEqual([["words.1", "maxLength", 3]]);
    expect(brief({ words: ["a", "b", "c"] })).toEqual([["words", "maxItems", 2]]);
    expect(brief({ headers: { "X Y": "1", A: "12345" } })).toEqual([
      ["headers.X Y", "name", 0],
      ["headers.A", "maxLength", 4],
    ]);
  });

  test("are found inside the items of a list, by the kind of each", () => {
    const items = [
      { type: "codes", codes: "2xx" },
      { type: "value", operator: "eq", value: "long" },
    ];
    expect(brief({ rules: items })).toEqual([
      ["rules.0.codes", "pattern", 0],
      ["rules.1.value", "maxLength", 3],
    ]);
    expect(brief({ rules: [...items, ...items] })).toEqual([["rules", "maxItems", 2]]);
    expect(brief({ rules: [{ type: "codes" }, { type: "limit", aboveMs: 0 }] })).toEqual([
      ["rules.0.codes", "required", 0],
      ["rules.1.aboveMs", "minimum", 1],
    ]);
  });

  test("are none in what the API accepts", () => {
    expect(brief({ ...stored, rules: stored.rules.slice(0, 2) })).toEqual([]);
  });

  test("a name that is there twice is reported, because only one of its values could be sent", () => {
    const line = (id: number, name: string) => ({ id, name, value: "", isStored: false });
    const drafts = { ...draftsOf(schema, {}), headers: [line(1, "A"), line(2, "B"), line(3, "A ")] };
    expect(repeatedNames(schema, drafts)).toEqual([{ path: "headers.A", rule: "twice", limit: 0 }]);
  });
});

describe("an error of the API", () => {
  const drafts = draftsOf(schema, { ...stored, headers: { "X.Y": "1" } });
  const paths = shownPaths(schema, drafts);
  const placed = (field: string) => Object.keys(placeErrors({ [field]: ["No."] }, paths).placed);

  test("is shown at its own field, however deep", () => {
    for (const path of ["note", "rules", "rules.1", "rules.1.value", "headers.X.Y", "secrets.password"]) {
      expect(placed(path)).toEqual([path]);
    }
  });

  test("is shown at the nearest field around what has no place of its own", () => {
    expect(placed("words.1")).toEqual(["words"]);
    expect(placed("rules.0.unheard")).toEqual(["rules.0"]);
    expect(placed("headers.Other")).toEqual(["headers"]);
  });

  test("of a group is shown at its first field", () => {
    expect(placed("secrets")).toEqual(["secrets.user"]);
  });

  test("is shown above the form when the form does not show what it is about", () => {
    expect(placeErrors({ "secrets.token": ["No."], body: ["Bad."] }, paths)).toEqual({
      placed: {},
      elsewhere: ["No.", "Bad."],
    });
  });

  test("goes when its field, something inside or something around it is changed, and no other does", () => {
    const errors = { "rules.1.value": ["No."], "rules.1": ["No."], "rules.10": ["No."], note: ["No."] };
    const left = (path: string) => Object.keys(withoutErrorsAt(errors, path));
    expect(left("rules.1.value")).toEqual(["rules.10", "note"]);
    expect(left("rules.1.operator")).toEqual(["rules.1.value", "rules.10", "note"]);
    expect(left("rules")).toEqual(["note"]);
    expect(left("on")).toEqual(Object.keys(errors));
  });
});

describe("sections", () => {
  const layout = [
    { id: "first", fields: ["address", "every"] },
    { id: "gone", fields: ["unheard"] },
    { id: "rules", fields: ["rules"] },
  ];

  test("hold the fields that the schema has, and a last one those not placed", () => {
    expect(sectionsOf(schema, layout)).toEqual([
      { id: "first", fields: ["address", "every"] },
      { id: "rules", fields: ["rules"] },
      { id: "rest", fields: ["note", "on", "way", "secrets", "headers", "words"] },
    ]);
  });

  test("hold a group's fields one by one where some are placed, the others where the group is", () => {
    const text = { type: "string" };
    const group = { type: "object", properties: { a: text, b: text, c: text } };
    const form = { type: "object", properties: { name: text, group } };
    const placed = (first: string[]) =>
      sectionsOf(form, [
        { id: "first", fields: first },
        { id: "second", fields: ["group.b"] },
      ]);
    const second = { id: "second", fields: ["group.b"] };
    const [first] = placed(["name", "group"]);
    expect(placed(["name", "group"])).toEqual([
      { id: "first", fields: ["name", "group.a", "group.c"] },
      second,
    ]);
    expect(placed(["group.c", "name", "group.a"])).toEqual([
      { id: "first", fields: ["group.c", "name", "group.a"] },
      second,
    ]);
    expect(placed(["name"]).at(-1)).toEqual({ id: "rest", fields: ["group.a", "group.c"] });
    expect(shownIn(first as Section, form)).toEqual([
      ["name", text],
      ["group", { type: "object", properties: { a: text, c: text } }],
    ]);
    expect(holdsErrors(second, { "group.b": ["No."] })).toBe(true);
    expect(holdsErrors(first as Section, { "group.b": ["No."] })).toBe(false);
  });

  test("know the errors of their fields, the nested ones too", () => {
    const [first, second] = sectionsOf(schema, layout);
    const errors = { "rules.1.value": ["No."] };
    expect([first && holdsErrors(first, errors), second && holdsErrors(second, errors)]).toEqual([
      false,
      true,
    ]);
  });
});

describe("what was typed into a form, in the one that takes its place", () => {
  const formOf = (config: Record<string, FieldSchema>): FieldSchema => ({
    properties: { name: { type: "string" }, config: { type: "object", properties: config } },
  });
  const port: FieldSchema = { type: "integer", minimum: 1, maximum: 65_535 };
  const database = formOf({
    host: { type: "string" },
    port: { ...port, "x-usual": 5432 },
    mode: { type: "string", enum: ["none", "deep"], "x-usual": "none" },
    tls: { type: "boolean", "x-usual": true },
  });
  const cache = formOf({
    host: { type: "string", maxLength: 10 },
    port: { ...port, "x-usual": 6379 },
    mode: { type: "string", enum: ["none", "flat"], "x-usual": "none" },
    tls: { type: "string" },
  });
  const job = formOf({ token: { type: "string" } });
  /** Through these forms one after another, with this typed into the first. */
  const through = (name: string, config: Drafts, ...forms: FieldSchema[]) => {
    const start = draftsOf(database, {});
    const filled = { name, config: { ...(start["config"] as Drafts), ...config } };
    const first = typedIn(database, { start, drafts: filled }, {});
    return forms.reduce(
      ({ typed }, form) => {
        const begun = draftsOf(form, {});
        const drafts = withTyped(form, begun, typed);
        return { typed: typedIn(form, { start: begun, drafts }, typed), drafts };
      },
      { typed: first, drafts: filled as Drafts },
    ).drafts;
  };

  test("stays where that has the field, also past one that has not", () => {
    const typed = { host: "db.local", port: "5433" };
    const begun = { name: "Orders", config: { ...typed, mode: "none", tls: "" } };
    expect(through("Orders", typed, cache)).toEqual(begun);
    expect(through("Orders", typed, job)).toEqual({ name: "Orders", config: { token: "" } });
    expect(through("Orders", typed, job, cache)).toEqual(begun);
  });

  test("stays away where it was not typed, or where it would be wrong", () => {
    const usual = { host: "", port: "6379", mode: "none", tls: "" };
    expect(through("", {}, cache)).toEqual({ name: "", config: usual });
    const wrong = { host: "database.local", port: "", mode: "deep", tls: false };
    expect(through("", wrong, cache)).toEqual({ name: "", config: usual });
  });
});
