import type { Atrule, CssNode, Declaration, List, Rule } from "css-tree";
import generate from "css-tree/generator";
import parse from "css-tree/parser";
import { tokenize, tokenTypes } from "css-tree/tokenizer";
import walk from "css-tree/walker";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";

/** At-rules that only limit when or where others apply. */
const CSS_RULES: ReadonlySet<string> = new Set(["container", "keyframes", "media", "supports"]);

/** Functions that load nothing. */
const CSS_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs blur brightness calc circle clamp color color-mix conic-gradient contrast counter counters cubic-bezier drop-shadow
  ellipse fit-content grayscale hsl hsla hue-rotate hwb inset invert lab lch light-dark linear-gradient matrix matrix3d max
  min minmax oklab oklch opacity perspective polygon radial-gradient repeat repeating-conic-gradient
  repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez round saturate scale
  scale3d scalex scaley scalez sepia skew skewx skewy steps translate translate3d translatex translatey translatez
  var`.split(/\s+/),
);

const PROPERTIES: ReadonlySet<string> = new Set(
  `accent-color all appearance aspect-ratio backdrop-filter box-decoration-break box-shadow box-sizing break-after
  break-before break-inside caret-color clear clip-path color color-scheme column-count column-gap column-rule column-span
  column-width columns contain container container-name container-type content counter-increment counter-reset cursor
  direction display filter float gap hyphens isolation justify-content justify-items justify-self letter-spacing
  line-height opacity order orphans perspective place-content place-items place-self pointer-events position quotes rotate
  row-gap scale stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width tab-size translate
  unicode-bidi vertical-align visibility white-space widows word-break word-spacing writing-mode z-index zoom fill
  fill-opacity bottom left right top height width`.split(/\s+/),
);

const FAMILY =
  /^(?:align|animation|background|border|flex|font|grid|inset|list-style|margin|mask|max|min|object|outline|overflow|overscroll-behavior|padding|scroll-margin|scroll-padding|text|transform|transition)(?:-[a-z-]+)?$/;
const OWN = /^--[a-z0-9_-]+$/i;

/** Custom properties (`--…`) are always allowed. */
function isCssProperty(name: string): boolean {
  const plain = name.toLowerCase().replace(/^-webkit-/, "");
  return OWN.test(name) || PROPERTIES.has(plain) || FAMILY.test(plain);
}

/** Nothing may cover the page while it scrolls. */
const CSS_POSITIONS: ReadonlySet<string> = new Set([
  "absolute",
  "inherit",
  "initial",
  "relative",
  "static",
  "unset",
]);

const MAX_NESTED = 50;
const CLOSING: ReadonlyMap<number, number> = new Map([
  [tokenTypes.Function, tokenTypes.RightParenthesis],
  [tokenTypes.LeftParenthesis, tokenTypes.RightParenthesis],
  [tokenTypes.LeftSquareBracket, tokenTypes.RightSquareBracket],
  [tokenTypes.LeftCurlyBracket, tokenTypes.RightCurlyBracket],
]);

/** Null: fine. Checked before parsing: the parser recurses for each bracket, and the stack is limited. */
function lineNestedTooDeep(text: string): number | null {
  const open: number[] = [];
  let tooDeepAt = null as number | null;
  tokenize(text, (type, start) => {
    const closing = CLOSING.get(type);
    if (closing !== undefined) {
      open.push(closing);
      if (open.length > MAX_NESTED) tooDeepAt ??= start;
    } else if (type === open.at(-1)) open.pop();
  });
  return tooDeepAt === null ? null : text.slice(0, tooDeepAt).split(/\r\n|[\n\r\f]/).length;
}

// oxlint-disable-next-line typescript/triple-slash-reference -- the app reads the types of this file, too, and looks nowhere else for these

/// <reference path="./css-tree-parts.d.ts" />

const MAX_PROBLEMS = 20;
/** Each costs the parser more than a rule does; real style sheets have few. */
const MAX_SYNTAX_ERRORS = 100;
const MAX_CACHED = 100;
const MAX_DEPTH = 20;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** The filtered style sheet, and what was removed, by line. */
export interface ReadCss {
  css: string;
  problems: MessageDescriptor[];
}

const cache = new Map<string, ReadCss>();

/**
 * Filters a style sheet by lists of allowed rules, properties and functions, none of which
 * loads anything; names what was removed, with its line.
 */
export function readCss(text: string): ReadCss {
  const known = cache.get(text);
  if (known) return known;
  const read = text.trim() === "" ? { css: "", problems: [] } : readWhole(text);
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
  cache.set(text, read);
  return read;
}

/** An unreadable style sheet is dropped: the page is shown without it. */
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
  const problems = new Map<string, MessageDescriptor>();
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

class HopelessCss extends Error {
  readonly problems: MessageDescriptor[];

  constructor(problems: MessageDescriptor[]) {
    super("more syntax errors than a style sheet has");
    this.problems = problems;
  }
}

type Problem = (at: { line: number }) => MessageDescriptor;
type Say = (line: number, problem: Problem) => void;

const unreadable: Problem = (at) => msg("page.css_syntax", at);

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
  if (!CSS_RULES.has(name.toLowerCase())) return (at) => msg("page.css_rule", { ...at, name: `@${name}` });
  return block && prelude ? problemWithin(prelude) : unreadable;
};

function problemOfDeclaration({ property, value }: Declaration): Problem | null {
  if (!isCssProperty(property)) return (at) => msg("page.css_property", { ...at, name: property });
  const problem = problemWithin(value);
  if (problem !== null || property.toLowerCase() !== "position") return problem;
  const text = generate(value).toLowerCase();
  return CSS_POSITIONS.has(text)
    ? null
    : (at) => msg("page.css_value", { ...at, name: property, value: text });
}

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
  if (node.type === "Url") return PICTURE.test(node.value) ? null : (at) => msg("page.css_url", at);
  if (node.type !== "Function" || CSS_FUNCTIONS.has(node.name.toLowerCase())) return null;
  return (at) => msg("page.css_function", { ...at, name: `${node.name}()` });
}
