import { type Static, Type } from "typebox";
import { JSON_PATH_PATTERN } from "../find-json.ts";

/** `200-399,401`: codes and ranges of codes, 100…999. */
const STATUS_SET_PATTERN = "^[1-9]\\d\\d(-[1-9]\\d\\d)?( *, *[1-9]\\d\\d(-[1-9]\\d\\d)?)*$";

/** What is expected of a site, after redirects, unless its monitor says otherwise. */
export const DEFAULT_STATUS_SET = "200-399";

/** Whether the code is in the set. A range written backwards holds nothing. */
export function statusInSet(code: number, set: string): boolean {
  return set.split(",").some((part) => {
    const [low = "", high = low] = part.trim().split("-");
    return code >= Number(low) && code <= Number(high);
  });
}

/** A hint to forms: this operator compares with nothing. */
const unless = (without: readonly string[], operators: readonly string[]) => ({
  "x-when": { operator: operators.filter((one) => !without.includes(one)) },
});
const JSON_OPERATORS = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "matches",
  "not_matches",
  "exists",
  "missing",
] as const;
const HEADER_OPERATORS = ["eq", "ne", "contains", "exists"] as const;

/** Whether an answer that has nothing there will do; `exists` checks for just that, and `missing` for nothing else. */
const allowMissing = (what: string, operators: readonly string[]) =>
  Type.Optional(
    Type.Boolean({
      description: `Whether the condition holds where there is no ${what}; otherwise that is a failure, for \`ne\` too.`,
      ...unless(["exists", "missing"], operators),
    }),
  );

const statusAssertion = Type.Object(
  {
    type: Type.Literal("status"),
    codes: Type.String({
      pattern: STATUS_SET_PATTERN,
      maxLength: 200,
      description: "Status codes and ranges, as `200-399,401`.",
      examples: ["200-399,401"],
    }),
  },
  {
    title: "StatusAssertion",
    additionalProperties: false,
    description: "The status code of the last answer.",
  },
);

const keywordAssertion = Type.Object(
  {
    type: Type.Literal("keyword"),
    operator: Type.Union([Type.Literal("present"), Type.Literal("absent")], {
      description: "Whether the text must be there, or must not.",
    }),
    value: Type.String({ minLength: 1, maxLength: 1000, description: "Compared with upper and lower case." }),
  },
  {
    title: "KeywordAssertion",
    additionalProperties: false,
    description: "Text in the first MiB of the body.",
  },
);

/** Beyond these, JSON's numbers lose digits on their way here. */
const exactNumber = Type.Number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

const jsonAssertion = Type.Object(
  {
    type: Type.Literal("json"),
    path: Type.String({
      pattern: JSON_PATH_PATTERN,
      maxLength: 500,
      description: "`$`, then names and indexes: `$.queue.depth`, `$['a b'][0]`.",
      examples: ["$.items[0].name"],
    }),
    operator: Type.Enum([...JSON_OPERATORS], {
      description:
        "gt, gte, lt, lte compare numbers; contains looks into texts and arrays; matches takes a text in which * matches any characters; missing: there must be nothing at the path.",
    }),
    value: Type.Optional(
      Type.Union([Type.String({ maxLength: 1000 }), exactNumber, Type.Boolean(), Type.Null()], {
        description:
          "What to compare with; for `exists` and `missing` leave it out. An integer beyond ±9007199254740991 is written as a text, and compared with every digit.",
        ...unless(["exists", "missing"], JSON_OPERATORS),
      }),
    ),
    compareAs: Type.Optional(
      Type.Enum(["json", "text", "integer", "length"], {
        "x-usual": "json",
        description:
          'How values are compared. `json`: by type, so that 12 is not "12". `text`: as texts, and by gt, gte, lt, lte as numbers, also those in texts; lists, objects and null never fit, whatever `allowMissing` says; `$` of a body that is not JSON is its text. `integer`: by gt, gte, lt, lte as numbers cut to whole ones, by eq and ne whole numbers by their value, and everything else as text; null is as if there were nothing, and `$` is the whole body as it is sent, trimmed. `length`: the number of items of a list, of names of an object, of bytes of a text (of the whole body, where `$` is no list).',
      }),
    ),
    allowMissing: allowMissing("value at the path", JSON_OPERATORS),
  },
  {
    title: "JsonAssertion",
    additionalProperties: false,
    description: "A value in a JSON body of at most 1 MiB.",
  },
);

const headerAssertion = Type.Object(
  {
    type: Type.Literal("header"),
    name: Type.String({
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$",
      description: "The header's name, in upper or lower case.",
    }),
    operator: Type.Enum([...HEADER_OPERATORS], { description: "contains looks for a part of the text." }),
    value: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: "For `exists` leave it out.",
        ...unless(["exists"], HEADER_OPERATORS),
      }),
    ),
    allowMissing: allowMissing("such header", HEADER_OPERATORS),
  },
  {
    title: "HeaderAssertion",
    additionalProperties: false,
    description: "A header of the last answer; several of a name are joined by a comma.",
  },
);

const milliseconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000, description }));

const responseTimeAssertion = Type.Object(
  {
    type: Type.Literal("response_time"),
    degradedAboveMs: milliseconds("Degraded when the whole check took longer, milliseconds."),
    downAboveMs: milliseconds("Down when the whole check took longer, milliseconds."),
  },
  {
    title: "ResponseTimeAssertion",
    additionalProperties: false,
    description: "Limits on the time of the whole check, redirects included.",
  },
);

export const assertionSchema = Type.Union([
  statusAssertion,
  keywordAssertion,
  jsonAssertion,
  headerAssertion,
  responseTimeAssertion,
]);

export type Assertion = Static<typeof assertionSchema>;
export type JsonAssertion = Static<typeof jsonAssertion>;
export type HeaderAssertion = Static<typeof headerAssertion>;
