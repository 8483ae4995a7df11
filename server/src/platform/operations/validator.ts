import { isUtf8 } from "node:buffer";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import secureJson from "secure-json-parse";
import { type FieldErrors, invalidInput } from "../errors.ts";
import { WORDED_FORMATS } from "../formats/formats.ts";
import { type MessageDescriptor, msg } from "../i18n/message.ts";

const NUL = "\u0000";
/** More are an attack. */
const MAX_FORBIDDEN = 20;

/** Fields (nested with dots) with U+0000 in text or name, shown as ␀ there: PostgreSQL cannot hold it. */
export function nulProblems(input: unknown): FieldErrors {
  return problemsIn(input, (path, value, add) => {
    if (typeof value === "string" && value.includes(NUL))
      add(path || "body", msg("input.nul", { field: path || "body" }));
    for (const name of namesOf(value)) {
      if (!name.includes(NUL)) continue;
      const field = joined(path, name).replaceAll(NUL, "␀");
      add(field, msg("input.nul_name", { field }));
    }
  });
}

/** The objects of a body with a name that reaches a prototype, which no field of the API has: `__proto__`, or `constructor.prototype`. */
function reservedNames(body: unknown): FieldErrors {
  return problemsIn(body, (path, value, add) => {
    const field = path || "body";
    for (const name of namesOf(value)) {
      const inner = (value as Record<string, unknown>)[name];
      const isReserved =
        name === "__proto__" || (name === "constructor" && namesOf(inner).includes("prototype"));
      if (isReserved) add(field, msg("input.reserved_name", { field, name }));
    }
  });
}

type Add = (field: string, problem: MessageDescriptor) => void;

/** Without recursion: a body may be nested as deep as it is long. */
function problemsIn(input: unknown, find: (path: string, value: unknown, add: Add) => void): FieldErrors {
  const problems = new Map<string, MessageDescriptor>();
  const add: Add = (field, problem) => {
    if (problems.size < MAX_FORBIDDEN) problems.set(field, problem);
  };
  const waiting: [path: string, value: unknown][] = [["", input]];
  for (let next = waiting.pop(); next && problems.size < MAX_FORBIDDEN; next = waiting.pop()) {
    const [path, value] = next;
    find(path, value, add);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value))
      if (!name.includes(NUL) && name !== "__proto__") waiting.push([joined(path, name), inner]);
  }
  return Object.fromEntries([...problems].map(([field, problem]) => [field, [problem]]));
}

const namesOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

const joined = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** A text without space around it. Throws 422 when nothing is left. */
export function checkText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw invalidInput({ [field]: [msg("input.required", { field })] });
  return trimmed;
}

/** No input of the API is nested more than a dozen levels; what recurses over one may count on this. */
export const MAX_DEPTH = 64;
/** Objects, lists, texts, numbers … of a body together, where its route does not say otherwise. */
export const MAX_VALUES = 20_000;
/** Fields of one object: twice what the widest object of the API may have. Each further one costs more than the one before. */
export const MAX_KEYS = 2_000;

/** Why a body is refused as a whole: with which status, what there is to say, and whether it is no JSON at all. */
const REFUSALS = {
  syntax: { status: 400, isSyntax: true, messageOf: () => msg("request.not_json") },
  encoding: { status: 400, isSyntax: true, messageOf: () => msg("request.not_utf8") },
  depth: { status: 400, isSyntax: false, messageOf: () => msg("request.deep", { limit: MAX_DEPTH }) },
  too_many_fields: {
    status: 413,
    isSyntax: false,
    messageOf: () => msg("request.keys", { limit: MAX_KEYS }),
  },
  too_many_values: {
    status: 413,
    isSyntax: false,
    messageOf: (limit: number) => msg("request.values", { limit }),
  },
} as const;
type Refusal = keyof typeof REFUSALS;

/** A parsed body, or why it was refused; `fields`: what is wrong with single ones, and what is known of the body besides. */
export type ParsedJson =
  | { value: unknown }
  | { refused: Refusal }
  | { refused: "invalid_fields"; fields: FieldErrors; outline: object };

/**
 * UTF-8, at most `maxValues` values. Limits are enforced on the bytes, in one pass, before parsing. An empty
 * body is `undefined`; U+0000 and keys that reach a prototype are refused by field.
 */
export function parseJson(bytes: Uint8Array, maxValues: number): ParsedJson {
  if (bytes.length === 0) return { value: undefined };
  const refused = isUtf8(bytes) ? exceeds(bytes, maxValues) : "encoding";
  if (refused) return { refused };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  let value: unknown;
  let isReserved = false;
  try {
    value = secureJson.parse(text, null, { protoAction: "error", constructorAction: "error" });
  } catch {
    try {
      value = secureJson.parse(text, null, { protoAction: "ignore", constructorAction: "ignore" });
      isReserved = true;
    } catch {
      return { refused: "syntax" };
    }
  }
  const fields = {
    ...(isReserved && reservedNames(value)),
    ...(text.includes("\\u0000") && nulProblems(value)),
  };
  return Object.keys(fields).length > 0
    ? { refused: "invalid_fields", fields, outline: outlineOf(value) }
    : { value };
}

/** The fields of an object that are short texts and numbers: what answers have to name, such as JSON-RPC's `id`. */
function outlineOf(value: unknown): object {
  const isPlain = (one: unknown) =>
    typeof one === "number" || (typeof one === "string" && one.length <= 1_000);
  const entries =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter(([, one]) => isPlain(one)));
}

export function refusalOf(refused: Refusal, maxValues: number) {
  const { status, messageOf } = REFUSALS[refused];
  return { status, message: messageOf(maxValues) };
}

/** Whether that is said of a body that is JSON, and has a structure that is refused. */
export const isOfStructure = ({ code }: MessageDescriptor): boolean =>
  Object.values(REFUSALS).some((one) => !one.isSyntax && one.messageOf(MAX_VALUES).code === code);

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Every value but the first follows a comma or the bracket of a container that is not empty: these are counted. */
function exceeds(bytes: Uint8Array, maxValues: number): Refusal | null {
  // By level: how many fields the object there has so far; 0 in a list.
  const fields = new Uint32Array(MAX_DEPTH + 1);
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) {
      values++;
      const count = fields[depth] as number;
      if (count >= MAX_KEYS) return "too_many_fields";
      if (count > 0) fields[depth] = count + 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      // `[]` and `{}` hold nothing: either closes by the second byte after the one that opens it.
      if (bytes[at + 1] !== byte + 2) values++;
      if (++depth > MAX_DEPTH) return "depth";
      fields[depth] = byte === OPEN_OBJECT ? 1 : 0;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth = Math.max(0, depth - 1);
    if (values > maxValues) return "too_many_values";
  }
  return null;
}

/** What Ajv finds wrong, with what it found and the schema that says so (its option `verbose`). */
export interface Problem {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  data?: unknown;
  parentSchema?: unknown;
}

interface PartSchema {
  maxItems?: number;
  maxProperties?: number;
}

interface ObjectSchema {
  properties?: Record<string, PartSchema>;
  additionalProperties?: unknown;
}

/** More items than anybody intends; each wrong one would be described. */
const ENDLESS_ITEMS = 1000;

/**
 * Lists and objects far beyond their bound, found before a validator looks at their items. An object that may
 * only have the fields it knows is one itself.
 */
function endlessParts({
  properties = {},
  additionalProperties,
}: ObjectSchema): (input: unknown) => Problem[] {
  const bounded = Object.entries(properties).flatMap(([name, { maxItems, maxProperties }]) => {
    const limit = maxItems ?? maxProperties;
    return limit === undefined ? [] : [{ name, limit }];
  });
  return (input) => {
    if (additionalProperties === false && isEndless(input, 0)) return [tooMany("", ENDLESS_ITEMS)];
    const part = (name: string) => (input as Record<string, unknown> | null)?.[name];
    return bounded
      .filter(({ name, limit }) => isEndless(part(name), limit))
      .map(({ name, limit }) => tooMany(`/${name}`, limit));
  };
}

const isEndless = (value: unknown, limit: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (Array.isArray(value) ? value : Object.keys(value)).length > Math.max(limit, ENDLESS_ITEMS);

const tooMany = (instancePath: string, limit: number): Problem => ({
  keyword: "maxItems",
  instancePath,
  schemaPath: "",
  params: { limit },
});

/** Fills in defaults; what is wrong is in `errors`. */
interface Validator {
  (input: unknown): boolean;
  errors?: Problem[] | null;
}

const LAST_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");
const OPTIONS = {
  allErrors: true,
  useDefaults: true,
  strict: false,
  discriminator: true,
  verbose: true,
  code: { process: endLoops },
} as const;

/** How many problems of one input are looked for: more than any honest one has, and few enough to cost little. */
export const MAX_PROBLEMS = 100;

/**
 * Ends each loop in Ajv's code once it has found enough: it has failed by then, also as a branch of a union,
 * so the verdict stays the same.
 */
function endLoops(code: string): string {
  return code
    .replaceAll(
      /for\(let (i\d+)=0; \1<(len\d+); \1\+\+\)\{/g,
      `const $1Most=errors+${MAX_PROBLEMS};for(let $1=0; $1<$2 && errors<$1Most; $1++){`,
    )
    .replaceAll(
      /for\(const (key\d+) in (data\d*)\)\{/g,
      `const $1Most=errors+${MAX_PROBLEMS};for(const $1 in $2){if(errors>=$1Most)break;`,
    );
}

let ajvInstances: { json: Ajv; text: Ajv } | undefined;

/** By their schemas, of JSON and of text. */
const validators = { json: new WeakMap<object, Validator>(), text: new WeakMap<object, Validator>() };

/** One for each schema, compiled at its first input: all of them together are a good part of a start. */
export function getValidator(schema: object, { isText }: { isText: boolean }): Validator {
  const known = validators[isText ? "text" : "json"];
  const validate = known.get(schema) ?? makeValidator(schema, { isText });
  known.set(schema, validate);
  return validate;
}

function makeValidator(schema: object, { isText }: { isText: boolean }): Validator {
  let compiled: ValidateFunction | undefined;
  const endless = endlessParts(schema as ObjectSchema);
  const validate: Validator = (input) => {
    validate.errors = endless(input);
    if (validate.errors.length > 0) return false;
    ajvInstances ??= {
      json: makeAjv(OPTIONS),
      text: makeAjv({ ...OPTIONS, coerceTypes: "array" }),
    };
    compiled ??= ajvInstances[isText ? "text" : "json"].compile(schema);
    const isValid = compiled(input);
    validate.errors = compiled.errors as Problem[] | null;
    return isValid;
  };
  return validate;
}

function makeAjv(options: ConstructorParameters<typeof Ajv>[0]): Ajv {
  const ajv = addFormats.default(new Ajv(options));
  for (const [name, problem] of Object.entries(WORDED_FORMATS)) {
    ajv.addFormat(name, (text: string) => problem(text) === null);
  }
  refuseUnreadableTimes(ajv);
  return ajv;
}

/** A leap second, or the year 10000, is a date and time by RFC 3339, but none that a program here can keep. */
function refuseUnreadableTimes(ajv: Ajv): void {
  const { validate: isByTheRfc } = ajv.formats["date-time"] as { validate(text: string): boolean };
  ajv.addFormat("date-time", (text: string) => isByTheRfc(text) && Date.parse(text) <= LAST_TIME_MS);
}
