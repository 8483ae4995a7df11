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
import { FileProblem } from "./file-entry.ts";

export interface YamlFile {
  value: unknown;
  /** The line on which the value at this path begins, from 1. */
  lineOf(path: readonly (string | number)[]): number | null;
}

/** What the parser takes seconds for: honest files are far from it. */
const MAX_TOKENS = 600_000;
const MAX_FLOW_DEPTH = 100;

const OPTIONS = { logLevel: "error", merge: true, prettyErrors: false, uniqueKeys: false } as const;

/** The one document of a YAML file (1.2, with merge keys). Throws FileProblem where it is none, or is made to explode. */
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
    // Nested too deep for the stack, or aliases that say too much.
    throw error instanceof FileProblem ? error : new FileProblem(msg("import.unreadable"));
  }
}

const unreadable = (line: number) => new FileProblem(msg("import.syntax", { format: "YAML", line }));

/** The lexer takes little, whatever it reads; the parser takes ever longer for brackets within brackets. */
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

/** A look at a file, without reading all of it: has it this key at its top? */
export const hasKey = (content: string, names: string): boolean =>
  new RegExp(`^(?:\\uFEFF)?["']?(?:${names})["']?\\s*:`, "m").test(content);

/** What a file may say once each alias is written out: its values, keys included. */
const MAX_VALUES = 1_000_000;

/** A file whose aliases name nothing, or themselves, or say too much. */
class AliasError extends Error {}

/**
 * Puts what each alias stands for in its place, in one look at each value of the file: the library searches all of the
 * file for every alias. Throws AliasError.
 */
function writeOutAliases(document: Document.Parsed): void {
  const anchored = new Map<string, Node>();
  const sizes = new Map<Node, number>();

  /** What stands there once aliases are written out, and of how many values it is. */
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
