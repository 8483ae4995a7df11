/**
 * The subset of JSONPath: `$`, then `.name`, `['any name']`, `["any name"]`, `[0]`. No wildcards, filters or
 * negative indexes: a path means one value.
 */
export const JSON_PATH_PATTERN =
  "^\\$(\\.[A-Za-z_][A-Za-z0-9_-]*|\\[(0|[1-9][0-9]{0,8})\\]|\\['[^'\\]]{1,200}'\\]|\\[\"[^\"\\]]{1,200}\"\\])*$";

const WHOLE = new RegExp(JSON_PATH_PATTERN);
const STEP = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\['([^'\]]+)'\]|\["([^"\]]+)"\]/g;

/** Names (text) and indexes (number); null for what is no path of the subset. */
export function parseJsonPath(path: string): (string | number)[] | null {
  if (!WHOLE.test(path)) return null;
  return Array.from(path.matchAll(STEP), ([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? "") : Number(index),
  );
}

/** Longer ones are no numbers that anybody compares, and reading them takes the square of their length. */
const MAX_EXACT_DIGITS = 400;
const LARGE_INTEGER = new RegExp(`^-?\\d{16,${MAX_EXACT_DIGITS}}$`);
/** What is written for a number: a bigint where it is an integer of so many digits that a number of JavaScript may not be equal to it. */
const writtenNumber = (text: string): number | bigint =>
  LARGE_INTEGER.test(text) ? BigInt(text) : Number(text);

/** A number to compare with: exactly where it is a large integer; NaN where it is none. */
export function exactNumber(value: unknown): number | bigint {
  if (typeof value === "bigint" || typeof value === "number") return value;
  if (typeof value !== "string" || value === "") return Number.NaN;
  return writtenNumber(value);
}

export type JsonValue = string | number | bigint | boolean | object | null | undefined;

/**
 * Null: the text is no JSON; undefined: there is nothing. Of an array its values where wanted (arrays and
 * objects in it are empty objects, as is an object). Large integers are bigints.
 */
export type FoundJson = {
  value: JsonValue;
  /** An array or object as it is written, without space, where that is wanted. */
  written?: string;
  /** How many names an object has, where values are wanted. */
  names?: number;
} | null;

/** What is wanted of an array or an object beside that it is one. */
interface Wanted {
  isListed?: boolean;
  isWritten?: boolean;
}

interface Scan {
  readonly text: string;
  readonly steps: readonly (string | number)[];
  readonly isListed: boolean;
  at: number;
  /** How many arrays and objects are open, and of each whether it is an object. */
  depth: number;
  isObject: Uint8Array;
  /** How many of them, from the outermost, lie on the path. */
  onPath: number;
  /** Of each array on the path, which of its values comes next. */
  indexes: number[];
  /** Of the innermost object, whether the name that was read last is the path's next. */
  isNamed: boolean;
  /** The depth inside the array that was looked for, while it is open. */
  insideDepth: number;
  value: JsonValue;
  from: number;
  to: number;
  targetDepth: number;
  /** Those of the object that was looked for; null: they are not wanted, or it is none. */
  names: Set<string> | null;
}

/** What comes next in the text. */
type Next = "value" | "first value" | "name" | "first name" | "rest" | "nothing";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERALS: ReadonlyMap<number, string> = new Map(
  ["true", "false", "null"].map((literal) => [literal.charCodeAt(0), literal]),
);
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * What JSON.parse would give at a path, in one pass that builds nothing else: milliseconds for any hostile
 * megabyte, where JSON.parse may take half a second.
 */
export function findJson(
  text: string,
  steps: readonly (string | number)[],
  { isListed = true, isWritten = false }: Wanted = {},
): FoundJson {
  const scan: Scan = {
    ...{ text, steps, isListed, at: 0, depth: 0, isObject: new Uint8Array(64), names: null },
    ...{ onPath: 0, indexes: [], isNamed: false, insideDepth: -1, value: undefined },
    ...{ from: 0, to: 0, targetDepth: -1 },
  };
  let next: Next | null = "value";
  while (next !== null && next !== "nothing") {
    skipSpace(scan);
    next = take(scan, next);
  }
  skipSpace(scan);
  if (next === null || scan.at < text.length) return null;
  const { value, from, to, names } = scan;
  return {
    value,
    ...(isWritten && to > from && { written: withoutSpace(text.slice(from, to)) }),
    ...(names && { names: names.size }),
  };
}

/** JSON as short as it can be; texts in it are written in one way. */
const withoutSpace = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => {
    if (!part.startsWith('"')) return "";
    return part.includes("\\") ? JSON.stringify(JSON.parse(part)) : part;
  });

function take(scan: Scan, next: Next): Next | null {
  const char = scan.text.charCodeAt(scan.at);
  if (next === "first value" && char === ARRAY_END) return close(scan);
  if (next === "first name" && char === OBJECT_END) return close(scan);
  if (next === "value" || next === "first value") return takeValue(scan, char);
  if (next === "name" || next === "first name") return takeName(scan);
  const isObject = scan.isObject[scan.depth - 1] === 1;
  if (char === (isObject ? OBJECT_END : ARRAY_END)) return close(scan);
  if (char !== COMMA) return null;
  scan.at += 1;
  const index = scan.indexes[scan.depth - 1];
  if (!isObject && scan.onPath === scan.depth && index !== undefined)
    scan.indexes[scan.depth - 1] = index + 1;
  return isObject ? "name" : "value";
}

function takeValue(scan: Scan, char: number): Next | null {
  const { depth, steps, onPath } = scan;
  const isMeant = onPath === depth && (depth === 0 || isNextStep(scan));
  const isElement = depth === scan.insideDepth;
  // Of two of one name the last counts.
  if (isMeant) {
    scan.value = undefined;
    scan.to = 0;
    scan.names = null;
  }
  if (char === OBJECT || char === ARRAY) {
    const isObject = char === OBJECT;
    if (isElement) (scan.value as unknown[]).push({});
    if (isMeant && depth === steps.length) {
      scan.from = scan.at;
      scan.targetDepth = depth + 1;
    }
    open(scan, isObject);
    if (isMeant && depth === steps.length) {
      scan.value = isObject ? {} : [];
      if (isObject && scan.isListed) scan.names = new Set();
      if (!isObject && scan.isListed) scan.insideDepth = depth + 1;
    } else if (isMeant && (typeof steps[depth] === "string") === isObject) {
      scan.onPath = depth + 1;
      scan.indexes[depth] = 0;
    }
    return isObject ? "first name" : "first value";
  }
  const from = scan.at;
  if (!skipPlain(scan, char)) return null;
  const isWanted = isMeant && depth === steps.length;
  if (isWanted || isElement) {
    const value = plainAt(scan, from);
    if (isWanted) scan.value = value;
    else (scan.value as unknown[]).push(value);
  }
  return depth === 0 ? "nothing" : "rest";
}

/** Whether a value in the innermost array or object, which lies on the path, is the path's next. */
const isNextStep = ({ depth, isObject, indexes, steps, isNamed }: Scan): boolean =>
  isObject[depth - 1] === 1 ? isNamed : indexes[depth - 1] === steps[depth - 1];

function takeName(scan: Scan): Next | null {
  const from = scan.at;
  if (scan.text.charCodeAt(from) !== QUOTE || !skipText(scan)) return null;
  if (scan.targetDepth === scan.depth) scan.names?.add(plainAt(scan, from) as string);
  if (scan.onPath === scan.depth) scan.isNamed = plainAt(scan, from) === scan.steps[scan.depth - 1];
  skipSpace(scan);
  if (scan.text.charCodeAt(scan.at) !== COLON) return null;
  scan.at += 1;
  return "value";
}

function open(scan: Scan, isObject: boolean): void {
  if (scan.depth === scan.isObject.length) {
    const larger = new Uint8Array(scan.depth * 2);
    larger.set(scan.isObject);
    scan.isObject = larger;
  }
  scan.isObject[scan.depth] = isObject ? 1 : 0;
  scan.depth += 1;
  scan.at += 1;
}

function close(scan: Scan): Next {
  if (scan.insideDepth === scan.depth) scan.insideDepth = -1;
  scan.at += 1;
  if (scan.targetDepth === scan.depth) {
    scan.to = scan.at;
    scan.targetDepth = -1;
  }
  scan.depth -= 1;
  scan.onPath = Math.min(scan.onPath, scan.depth);
  return scan.depth === 0 ? "nothing" : "rest";
}

/** Passes over a text, a number, true, false or null; false: there is none. */
function skipPlain(scan: Scan, char: number): boolean {
  if (char === QUOTE) return skipText(scan);
  const literal = LITERALS.get(char);
  if (literal === undefined) return skipMatch(scan, NUMBER);
  if (!scan.text.startsWith(literal, scan.at)) return false;
  scan.at += literal.length;
  return true;
}

function skipText(scan: Scan): boolean {
  const { text } = scan;
  for (scan.at += 1; scan.at < text.length; ) {
    const code = text.charCodeAt(scan.at);
    if (code < 0x20) return false;
    if (code === BACKSLASH) {
      if (!skipMatch(scan, ESCAPE)) return false;
      continue;
    }
    scan.at += 1;
    if (code === QUOTE) return true;
  }
  return false;
}

/** The text, number, true, false or null that was passed over from there. */
function plainAt({ text, at }: Scan, from: number): JsonValue {
  const written = text.slice(from, at);
  const first = text.charCodeAt(from);
  if (first === QUOTE) return written.includes("\\") ? (JSON.parse(written) as string) : written.slice(1, -1);
  return LITERALS.has(first) ? (JSON.parse(written) as boolean | null) : writtenNumber(written);
}

function skipMatch(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at;
  if (!pattern.test(scan.text)) return false;
  scan.at = pattern.lastIndex;
  return true;
}

function skipSpace(scan: Scan): void {
  for (; ; scan.at += 1) {
    const code = scan.text.charCodeAt(scan.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
  }
}
