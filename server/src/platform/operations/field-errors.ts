import type { Static, TSchema } from "typebox";
import { type FieldErrors, invalidInput } from "../errors.ts";
import { formatProblem } from "../formats/formats.ts";
import { type MessageDescriptor, msg, type ParamsOf } from "../i18n/message.ts";
import { closedSchema, v2Word } from "./snake-case.ts";
import { getValidator, MAX_PROBLEMS, nulProblems, type Problem } from "./validator.ts";

/** Where the problems are, and how the family writes a message that names other fields. */
interface Context {
  isQuery: boolean;
  word(message: MessageDescriptor): MessageDescriptor;
}

const OF_BODY: Context = { isQuery: false, word: (message) => message };

/** What Ajv's problems say of each field, nested as `protocolConfig.port`; the first 100. */
export function fieldErrors(problems: readonly Problem[], context: Context = OF_BODY): FieldErrors {
  // Not an object: clients choose field names, and `constructor` would be found in one.
  const fields = new Map<string, Map<string, MessageDescriptor>>();
  for (const problem of withoutEmpty(withoutBranches(problems.slice(0, MAX_PROBLEMS)))) {
    const field = fieldOf(problem) || "body";
    const what = whatOf(field, problem, context);
    fields.set(field, (fields.get(field) ?? new Map()).set(JSON.stringify(what), what));
  }
  return Object.fromEntries([...fields].map(([field, messages]) => [field, [...messages.values()]]));
}

/** A failed union reports every branch and itself: keep the branches that say more than "not null". */
function withoutBranches(problems: readonly Problem[]): Problem[] {
  const unions = problems.filter((problem) => problem.keyword === "anyOf" || problem.keyword === "oneOf");
  const said = (problem: Problem) =>
    !(problem.keyword === "type" && (problem.params as { type?: unknown }).type === "null");
  return problems.filter((problem) => {
    const inside = unions.some((union) => problem.schemaPath.startsWith(`${union.schemaPath}/`));
    if (inside) return said(problem);
    // The field that decides between the branches of a body says for itself what it may be.
    if (problem.keyword === "discriminator" && problem.instancePath === "") return false;
    if (!unions.includes(problem)) return true;
    return !problems.some((other) => other.schemaPath.startsWith(`${problem.schemaPath}/`) && said(other));
  });
}

const BY_SHAPE = ["pattern", "format"];

/** For a text that must not be empty, its shape is not reported as well. */
function withoutEmpty(problems: readonly Problem[]): Problem[] {
  const isReported = ({ keyword, data }: Problem) => keyword === "minLength" && data === "";
  const empty = new Set(problems.filter(isReported).map(({ instancePath }) => instancePath));
  return problems.filter(
    ({ keyword, instancePath }) => !BY_SHAPE.includes(keyword) || !empty.has(instancePath),
  );
}

function fieldOf(problem: Problem): string {
  const segments = problem.instancePath.split("/").slice(1).map(unescapePointer);
  const missing = (problem.params as { missingProperty?: string }).missingProperty;
  if (missing !== undefined) segments.push(missing);
  const extra = (problem.params as { additionalProperty?: string }).additionalProperty;
  if (extra !== undefined) segments.push(extra);
  return segments.join(".");
}

const unescapePointer = (segment: string): string => segment.replaceAll("~1", "/").replaceAll("~0", "~");

type TypeName = ParamsOf<"input.type">["types"];

/** Text where an integer belongs is, first of all, not a number. */
function typesOf({ params, data }: Problem): TypeName {
  const named = (type: string) => (type === "integer" && typeof data !== "number" ? "number" : type);
  return [(params as { type: string | string[] }).type].flat().map(named).join("_or_") as TypeName;
}

function unknownName(
  field: string,
  { params, parentSchema }: Problem,
  { isQuery }: Context,
): MessageDescriptor {
  const { additionalProperty } = params as { additionalProperty: string };
  const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const name = nearestName(additionalProperty, known);
  if (name === null) return msg(isQuery ? "input.parameter" : "input.unknown", { field });
  return msg(isQuery ? "input.parameter_meant" : "input.unknown_meant", { field, name });
}

const NAMED_FORMATS = ["email", "uuid", "date-time", "date"] as const;

function formatOf(field: string, { params, data }: Problem, { word }: Context): MessageDescriptor {
  const worded = formatProblem(String(params.format), String(data));
  // A format knows what it is a format of, not what the field is called.
  if (worded?.code === "input.required") return msg("input.required", { field });
  if (worded !== null) return word(worded);
  const format = NAMED_FORMATS.find((name) => name === params.format);
  return format ? msg("input.format", { field, format }) : msg("input.malformed", { field });
}

/** Keywords whose text needs no more than the field and a limit. */
const LIMITS = {
  maxLength: "input.lengthy",
  minimum: "input.minimum",
  exclusiveMinimum: "input.above",
  maximum: "input.maximum",
  exclusiveMaximum: "input.below",
  maxItems: "input.many",
  maxProperties: "input.many",
} as const;

/** A list that is longer than this is looked up rather than read. */
const MAX_CHOICES_LENGTH = 300;

function choiceOf(field: string, allowed: readonly unknown[]): MessageDescriptor {
  const choices = allowed.join(", ");
  return choices.length > MAX_CHOICES_LENGTH
    ? msg("input.documented", { field })
    : msg("input.choice", { field, choices });
}

function whatOf(field: string, problem: Problem, context: Context): MessageDescriptor {
  const { keyword, params } = problem;
  const limit = params.limit as number;
  if (Object.hasOwn(LIMITS, keyword)) return msg(LIMITS[keyword as keyof typeof LIMITS], { field, limit });
  switch (keyword) {
    case "required":
      return msg("input.required", { field });
    case "type":
      return msg("input.type", { field, types: typesOf(problem) });
    case "enum":
      return choiceOf(field, params.allowedValues as unknown[]);
    case "const":
      return msg("input.constant", { field, value: JSON.stringify(params.allowedValue) });
    case "minLength":
      return limit === 1 ? msg("input.required", { field }) : msg("input.short", { field, limit });
    case "minItems":
      return limit === 1 ? msg("input.empty", { field }) : msg("input.few", { field, limit });
    case "uniqueItems":
      return msg("input.duplicate", { field });
    case "format":
      return formatOf(field, problem, context);
    case "additionalProperties":
      return unknownName(field, problem, context);
    case "discriminator":
      return msg("input.variant", {
        field: [field === "body" ? "" : field, params.tag].filter(Boolean).join("."),
      });
    default:
      return msg("input.malformed", { field });
  }
}

/** Longer names are no slips. */
const MAX_LENGTH = 64;

/** The known name that was probably meant: legacy's word for it, else one that differs by a slip; null: none. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const word = v2Word(name);
  if (known.includes(word)) return word;
  if (name.length > MAX_LENGTH) return null;
  const slips = name.length < 4 ? 1 : name.length < 9 ? 2 : 3;
  const near = known
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ distance }) => distance <= slips)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.candidate ?? containing(word, known);
}

const containing = (word: string, known: readonly string[]): string | null =>
  known.find((candidate) => candidate.length > 3 && word.split("_").includes(candidate)) ?? null;

/** How many letters have to be inserted, removed or changed (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1) {
      const changed = (row[j] as number) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}

const validators = new WeakMap<TSchema, ReturnType<typeof getValidator>>();

/** The input as its schema describes it, defaults filled in. Throws 422 with every field that is wrong or not declared. */
export function validInput<I extends TSchema>(schema: I, given: unknown): Static<I> {
  let validate = validators.get(schema);
  if (!validate) validators.set(schema, (validate = getValidator(closedSchema(schema), { isText: false })));
  const input = structuredClone(given);
  const unreadable = nulProblems(input);
  if (Object.keys(unreadable).length > 0) throw invalidInput(unreadable);
  if (!validate(input)) throw invalidInput(fieldErrors(validate.errors ?? []));
  return input as Static<I>;
}
