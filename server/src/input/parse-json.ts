import secureJson from "secure-json-parse";
import type { FieldErrors } from "../errors.ts";
import { nulProblems } from "./nul.ts";

/** No input of the API is nested more than a dozen levels; what recurses over one may count on this. */
export const MAX_DEPTH = 64;
/** Objects, lists, texts, numbers … of a body together, where its route does not say otherwise. */
export const MAX_VALUES = 20_000;

/** A parsed body, or why it was refused: invalid JSON, nested too deeply, too many values, or text with U+0000. */
export type ParsedJson =
  | { value: unknown }
  | { refused: "syntax" | "depth" | "values" }
  | { refused: "nul"; fields: FieldErrors };

/**
 * Parses a JSON body (UTF-8) of at most `maxValues` values. Limits are enforced on the bytes, in one pass and before anything
 * is made of them. An empty body is `undefined`; keys that reach a prototype are refused.
 */
export function parseJson(bytes: Uint8Array, maxValues: number): ParsedJson {
  if (bytes.length === 0) return { value: undefined };
  const refused = exceeds(bytes, maxValues);
  if (refused) return { refused };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  let value: unknown;
  try {
    value = secureJson.parse(text, null, { protoAction: "error", constructorAction: "error" });
  } catch {
    return { refused: "syntax" };
  }
  const fields = text.includes("\\u0000") ? nulProblems(value) : {};
  return Object.keys(fields).length > 0 ? { refused: "nul", fields } : { value };
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Every value but the first follows a comma or the bracket of a container that is not empty: these are counted. */
function exceeds(bytes: Uint8Array, maxValues: number): "depth" | "values" | null {
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      // `[]` and `{}` hold nothing: either closes by the second byte after the one that opens it.
      if (bytes[at + 1] !== byte + 2) values++;
      if (++depth > MAX_DEPTH) return "depth";
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (values > maxValues) return "values";
  }
  return null;
}
