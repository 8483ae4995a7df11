import { isUtf8 } from "node:buffer";
import secureJson from "secure-json-parse";
import type { FieldErrors } from "../errors.ts";
import { type MessageDescriptor, msg } from "../i18n/message.ts";
import { nulProblems, reservedNames } from "./forbidden-text.ts";

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
