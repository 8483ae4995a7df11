import type { FieldErrors } from "../errors.ts";
import { formatProblem } from "../wire/worded-formats.ts";
import type { Problem } from "./endless-parts.ts";
import { nearestName } from "./nearest-name.ts";

/** Reported for one request: more than any honest one gets wrong, and few enough that a hostile one costs little. */
const MAX_PROBLEMS = 200;

/** Where the problems are, and how the family words a sentence that names other fields. */
interface MessageContext {
  isQuery: boolean;
  word(sentence: string): string;
}

const OF_BODY: MessageContext = { isQuery: false, word: (sentence) => sentence };

/** Ajv's problems as sentences by field: `{"protocolConfig.port": ["The … field must be …"]}`; the first 200. */
export function fieldErrors(problems: readonly Problem[], context: MessageContext = OF_BODY): FieldErrors {
  // Not an object: clients choose field names, and `constructor` would be found in one.
  const fields = new Map<string, Set<string>>();
  for (const problem of withoutBranches(problems.slice(0, MAX_PROBLEMS))) {
    const field = fieldOf(problem) || "body";
    const sentence = sentenceOf(field, problem, context);
    fields.set(field, (fields.get(field) ?? new Set()).add(sentence));
  }
  return Object.fromEntries([...fields].map(([field, sentences]) => [field, [...sentences]]));
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

function fieldOf(problem: Problem): string {
  const segments = problem.instancePath.split("/").slice(1).map(unescapePointer);
  const missing = (problem.params as { missingProperty?: string }).missingProperty;
  if (missing !== undefined) segments.push(missing);
  const extra = (problem.params as { additionalProperty?: string }).additionalProperty;
  if (extra !== undefined) segments.push(extra);
  return segments.join(".");
}

const unescapePointer = (segment: string): string => segment.replaceAll("~1", "/").replaceAll("~0", "~");

const FORMATS: Record<string, string> = {
  email: "a valid e-mail address",
  uuid: "a valid UUID",
  uri: "a valid URL",
  "date-time": "an ISO 8601 date and time such as 2026-11-21T09:30:00Z",
  date: "a date such as 2026-11-21",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  hostname: "a host name",
};

const TYPES: Record<string, string> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

/** Text where an integer belongs is, first of all, not a number. */
function typeNames({ params, data }: Problem): string {
  const named = (type: unknown) =>
    type === "integer" && typeof data !== "number" ? "a number" : (TYPES[String(type)] ?? type);
  return [(params as { type: unknown }).type].flat().map(named).join(" or ");
}

function unknownName(field: string, problem: Problem, { isQuery }: MessageContext): string {
  const { additionalProperty } = problem.params as { additionalProperty: string };
  const known = Object.keys((problem.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const meant = nearestName(additionalProperty, known);
  if (isQuery) {
    return meant === null
      ? `The ${field} parameter is not recognized.`
      : `The ${field} parameter is not recognized. Did you mean ${meant}?`;
  }
  return meant === null
    ? `The ${field} field is not recognized.`
    : `The ${field} field is not recognized. Did you mean ${meant}?`;
}

function sentenceOf(field: string, problem: Problem, context: MessageContext): string {
  const params = problem.params as Record<string, unknown>;
  const the = `The ${field} field`;
  switch (problem.keyword) {
    case "required":
      return `${the} is required.`;
    case "type":
      return `${the} must be ${typeNames(problem)}.`;
    case "enum":
      return `The selected ${field} is invalid. It must be one of: ${(params.allowedValues as unknown[]).join(", ")}.`;
    case "const":
      return `${the} must be ${JSON.stringify(params.allowedValue)}.`;
    case "minLength":
      return params.limit === 1
        ? `${the} is required.`
        : `${the} must be at least ${params.limit} characters.`;
    case "maxLength":
      return `${the} must not be greater than ${params.limit} characters.`;
    case "minimum":
      return `${the} must be at least ${params.limit}.`;
    case "exclusiveMinimum":
      return `${the} must be greater than ${params.limit}.`;
    case "maximum":
      return `${the} must not be greater than ${params.limit}.`;
    case "exclusiveMaximum":
      return `${the} must be less than ${params.limit}.`;
    case "minItems":
      return `${the} must have at least ${params.limit} items.`;
    case "maxItems":
    case "maxProperties":
      return `${the} must not have more than ${params.limit} items.`;
    case "uniqueItems":
      return `${the} has a duplicate value.`;
    case "format": {
      const worded = formatProblem(String(params.format), String(problem.data));
      if (worded !== null) return context.word(worded);
      return `${the} must be ${FORMATS[String(params.format)] ?? `a valid ${params.format}`}.`;
    }
    case "additionalProperties":
      return unknownName(field, problem, context);
    case "discriminator":
      return `The selected ${[field === "body" ? "" : field, params.tag].filter(Boolean).join(".")} is invalid.`;
    default:
      return `${the} format is invalid.`;
  }
}
