import {
  type Document,
  isAlias,
  isCollection,
  isNode,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import { msg } from "../../platform/i18n/message.ts";
import { FileProblem, type Variables } from "./file-entry.ts";

/** `${NAME}`, and `$$` for one `$`. */
const IN_BRACES = /\$(?:(\$)|\{([A-Za-z_]\w{0,99})\})/g;
/** The same, and `$NAME`, as in a shell. */
export const BARE_OR_IN_BRACES = /\$(?:(\$)|\{([A-Za-z_]\w{0,99})\}|([A-Za-z_]\w{0,99}))/g;

/** In every text within a value; `$$` is one `$`. Unknown variables are added to `missing`, and stay. */
export function fillIn(
  value: unknown,
  variables: Variables,
  missing: Set<string>,
  form: RegExp = IN_BRACES,
): unknown {
  if (typeof value === "string") return filled(value, variables, missing, form);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables, missing, form));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fillIn(inner, variables, missing, form)]),
  );
}

function filled(text: string, variables: Variables, missing: Set<string>, form: RegExp): string {
  if (!text.includes("$")) return text;
  return text.replace(form, (whole: string, dollar?: string, braced?: string, bare?: string | number) => {
    if (dollar) return "$";
    const name = braced ?? (typeof bare === "string" ? bare : undefined);
    if (name !== undefined && Object.hasOwn(variables, name)) return variables[name] ?? "";
    missing.add(name ?? "");
    return whole;
  });
}

/** Escaped for `fillIn`. */
export const literally = (text: string): string => text.replaceAll("$", "$$$$");

export interface YamlFile {
  value: unknown;
  /** From 1. */
  lineOf(path: readonly (string | number)[]): number | null;
}

/** More would take the parser seconds; real files are far from it. */
const MAX_TOKENS = 600_000;
const MAX_FLOW_DEPTH = 100;

const OPTIONS = { logLevel: "error", merge: true, prettyErrors: false, uniqueKeys: false } as const;

/**
 * A single YAML 1.2 document, with merge keys. Throws FileProblem for anything else, and for expanding
 * aliases.
 */
export function readYaml(content: string): YamlFile {
  if (isMonstrous(content)) throw new FileProblem(msg("import.unreadable"));
  const lines = new LineCounter();
  try {
    const document = parseDocument(content, { ...OPTIONS, lineCounter: lines });
    const [error] = document.errors;
    if (error) throw unreadable(Math.max(1, lines.linePos(error.pos[0]).line));
    writeOutAliases(document);
    return {
      value: document.toJS(),
      lineOf(path) {
        const node: unknown = document.getIn(path, true);
        return isNode(node) && node.range ? lines.linePos(node.range[0]).line : null;
      },
    };
  } catch (error) {
    // Too deep for the stack, or too many aliases.
    throw error instanceof FileProblem ? error : new FileProblem(msg("import.unreadable"));
  }
}

const unreadable = (line: number) => new FileProblem(msg("import.syntax", { format: "YAML", line }));

/** Lexing is cheap for any input; parsing is superlinear in nested brackets. */
function isMonstrous(content: string): boolean {
  let depth = 0;
  let count = 0;
  for (const token of new Lexer().lex(content)) {
    count += 1;
    if (token === "[" || token === "{") depth += 1;
    else if (depth > 0 && (token === "]" || token === "}")) depth -= 1;
    if (depth > MAX_FLOW_DEPTH || count > MAX_TOKENS) return true;
  }
  return false;
}

/** A quick check for a top-level key, without parsing. */
export const hasKey = (content: string, names: string): boolean =>
  new RegExp(`^(?:\\uFEFF)?["']?(?:${names})["']?\\s*:`, "m").test(content);

/** With aliases expanded, keys included. */
const MAX_VALUES = 1_000_000;

/** Aliases that are unknown, circular, or too large. */
class AliasError extends Error {}

/**
 * Expands aliases in one pass over the values: the library searches the whole file for every alias. Throws
 * AliasError.
 */
function writeOutAliases(document: Document.Parsed): void {
  const anchored = new Map<string, Node>();
  const sizes = new Map<Node, number>();

  /** The expanded node, and its number of values. */
  const writeOut = (node: unknown): { node: unknown; size: number } => {
    if (isAlias(node)) {
      const meant = anchored.get(node.source);
      const size = meant && sizes.get(meant);
      if (size === undefined) throw new AliasError(node.source);
      return { node: meant, size };
    }
    if (isPair(node)) {
      const [key, value] = [writeOut(node.key), writeOut(node.value)];
      [node.key, node.value] = [key.node, value.node];
      return { node, size: key.size + value.size };
    }
    let size = 1;
    if ((isCollection(node) || isScalar(node)) && node.anchor !== undefined) anchored.set(node.anchor, node);
    if (isCollection(node)) {
      for (const [at, item] of node.items.entries()) {
        const written = writeOut(item);
        node.items[at] = written.node;
        size += written.size;
        if (size > MAX_VALUES) throw new AliasError();
      }
    }
    if (isCollection(node) || isScalar(node)) sizes.set(node, size);
    return { node, size };
  };

  writeOut(document.contents);
}
