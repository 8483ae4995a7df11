import { isNode, Lexer, LineCounter, parseDocument } from "yaml";
import { fact } from "../texts/fact.ts";
import { FileProblem } from "./file-entry.ts";
import { writeOutAliases } from "./yaml-aliases.ts";

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
  if (isMonstrous(content)) throw new FileProblem(fact("import.unreadable"));
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
    throw error instanceof FileProblem ? error : new FileProblem(fact("import.unreadable"));
  }
}

const unreadable = (line: number) => new FileProblem(fact("import.syntax", { format: "YAML", line }));

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
