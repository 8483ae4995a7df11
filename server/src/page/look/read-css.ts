// oxlint-disable-next-line typescript/triple-slash-reference -- the app reads the types of this file, too, and looks nowhere else for these
/// <reference path="./css-tree-parts.d.ts" />
import type { Atrule, CssNode, Declaration, List, Rule } from "css-tree";
import generate from "css-tree/generator";
import parse from "css-tree/parser";
import walk from "css-tree/walker";
import { type Fact, fact } from "../../texts/fact.ts";
import { CSS_FUNCTIONS, CSS_POSITIONS, CSS_RULES, isCssProperty } from "./css-allowed.ts";
import { lineNestedTooDeep } from "./css-nesting.ts";

const MAX_PROBLEMS = 20;
/** Each costs the parser more than a rule does, and nobody means to write so many. */
const MAX_SYNTAX_ERRORS = 100;
const MAX_KEPT = 100;
const MAX_DEPTH = 20;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** A style sheet as it can be sent, and what is not allowed of the one that was written, line by line. */
export interface ReadCss {
  css: string;
  problems: Fact[];
}

const kept = new Map<string, ReadCss>();

/**
 * Reads somebody's style sheet by a list of what may be in it (css-allowed.ts): rules, properties and functions of which none
 * loads anything. What is not allowed is left out, and named with its line.
 */
export function readCss(text: string): ReadCss {
  const known = kept.get(text);
  if (known) return known;
  const read = text.trim() === "" ? { css: "", problems: [] } : readWhole(text);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(text, read);
  return read;
}

/** Nothing is sent of what cannot be read at all: a page is there without its style sheet, too. */
function readWhole(text: string): ReadCss {
  const tooDeep = lineNestedTooDeep(text);
  if (tooDeep !== null) return { css: "", problems: [unreadable({ line: tooDeep })] };
  try {
    return readNow(text);
  } catch (error) {
    const problems = error instanceof HopelessCss ? error.problems : [unreadable({ line: 1 })];
    return { css: "", problems };
  }
}

function readNow(text: string): ReadCss {
  const problems = new Map<string, Fact>();
  const say: Say = (line, problemAt) => {
    if (problems.size >= MAX_PROBLEMS) return;
    const problem = problemAt({ line });
    problems.set(JSON.stringify(problem), problem);
  };
  const found = () => [...problems.values()];
  let errors = 0;
  const onParseError = ({ line }: { line: number }): void => {
    say(line, unreadable);
    errors += 1;
    if (errors > MAX_SYNTAX_ERRORS) throw new HopelessCss(found());
  };
  const sheet = parse(text, { positions: true, parseCustomProperty: true, onParseError });
  if (sheet.type === "StyleSheet") keepAllowed(sheet.children, say, 0);
  return { css: generate(sheet), problems: found() };
}

/** Ends the reading of what is no style sheet. */
class HopelessCss extends Error {
  readonly problems: Fact[];

  constructor(problems: Fact[]) {
    super("more syntax errors than a style sheet has");
    this.problems = problems;
  }
}

type Problem = (at: { line: number }) => Fact;
type Say = (line: number, problem: Problem) => void;

const unreadable: Problem = (at) => fact("page.css_syntax", at);

/** Takes everything out of a list of rules and declarations that is not allowed. */
function keepAllowed(nodes: List<CssNode>, say: Say, depth: number): void {
  nodes.forEach((node, item) => {
    const problem = depth > MAX_DEPTH ? unreadable : problemOf(node);
    if (problem !== null) {
      nodes.remove(item);
      if (node.type !== "Comment") say(node.loc?.start.line ?? 1, problem);
    } else if ((node.type === "Rule" || node.type === "Atrule") && node.block) {
      keepAllowed(node.block.children, say, depth + 1);
    }
  });
}

function problemOf(node: CssNode): Problem | null {
  if (node.type === "Rule") return problemWithin(node.prelude);
  if (node.type === "Atrule") return problemOfAtrule(node);
  return node.type === "Declaration" ? problemOfDeclaration(node) : unreadable;
}

const problemOfAtrule = ({ name, prelude, block }: Atrule): Problem | null => {
  if (!CSS_RULES.has(name.toLowerCase())) return (at) => fact("page.css_rule", { ...at, name: `@${name}` });
  return block && prelude ? problemWithin(prelude) : unreadable;
};

function problemOfDeclaration({ property, value }: Declaration): Problem | null {
  if (!isCssProperty(property)) return (at) => fact("page.css_property", { ...at, name: property });
  const problem = problemWithin(value);
  if (problem !== null || property.toLowerCase() !== "position") return problem;
  const text = generate(value).toLowerCase();
  return CSS_POSITIONS.has(text)
    ? null
    : (at) => fact("page.css_value", { ...at, name: property, value: text });
}

/** What is wrong with a value, or with what stands before a block. */
function problemWithin(
  part: Rule["prelude"] | Declaration["value"] | NonNullable<Atrule["prelude"]>,
): Problem | null {
  let problem = null as Problem | null;
  walk(part, (node) => {
    problem ??= problemOfPart(node);
  });
  return problem;
}

function problemOfPart(node: CssNode): Problem | null {
  if (node.type === "Raw") return unreadable;
  if (node.type === "Url") return PICTURE.test(node.value) ? null : (at) => fact("page.css_url", at);
  if (node.type !== "Function" || CSS_FUNCTIONS.has(node.name.toLowerCase())) return null;
  return (at) => fact("page.css_function", { ...at, name: `${node.name}()` });
}
