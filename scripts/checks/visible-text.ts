import { readFileSync } from "node:fs";
import ts from "typescript";
import { listFiles } from "./files.ts";
import { fromFindings, type StepResult } from "./run.ts";

const APP = "web/src";
/** Read by developers only, in English. */
const ENGLISH_ONLY = /^web\/src\/styleguide\//;
/** What people or their screen readers get of an element, and what our own components show. */
const SHOWN_ATTRIBUTES = new Set(
  [
    ["alt", "aria-description", "aria-label", "aria-placeholder", "aria-roledescription", "aria-valuetext"],
    ["hint", "label", "note", "placeholder", "submitLabel", "text", "title"],
  ].flat(),
);
/** Functions that show what they are given, and which argument. */
const SHOWING_CALLS = new Map([
  ["usePageTitle", 0],
  ["showToast", 1],
]);

/** A text in the code; its `text` is without quotes and escapes. */
type Written = ts.JsxText | ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

/** Every text that the app shows comes from the text files (en.json and the like of it): none is written where it is shown. */
export async function checkVisibleText(): Promise<StepResult> {
  const files = listFiles(APP).filter((file) => /\.tsx?$/.test(file) && !ENGLISH_ONLY.test(file));
  return fromFindings(files.flatMap(findWrittenText));
}

function findWrittenText(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    for (const shown of shownBy(node)) {
      if (!/\p{L}/u.test(shown.text)) continue;
      const text = shown.getText(source).trim();
      const { line } = source.getLineAndCharacterOfPosition(shown.getStart(source));
      faults.push(`${file}:${line + 1}: ${text} is in the code; give it a key in the en.json of its page.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** The written texts that `node` itself, not what is inside it, puts in front of people. */
function shownBy(node: ts.Node): Written[] {
  if (ts.isJsxText(node)) return [node];
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return textsIn(node.expression);
  if (ts.isJsxAttribute(node) && SHOWN_ATTRIBUTES.has(node.name.getText())) {
    const { initializer } = node;
    return textsIn(initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer);
  }
  if (ts.isCallExpression(node)) {
    const position = SHOWING_CALLS.get(node.expression.getText());
    return position === undefined ? [] : textsIn(node.arguments[position]);
  }
  return [];
}

/** The texts that an expression may come to; calls, such as that of `t`, answer for themselves. */
function textsIn(expression: ts.Node | undefined): Written[] {
  if (!expression) return [];
  if (ts.isStringLiteralLike(expression)) return [expression];
  if (ts.isTemplateExpression(expression)) {
    const { head, templateSpans } = expression;
    return [head, ...templateSpans.flatMap((span) => [span.literal, ...textsIn(span.expression)])];
  }
  if (ts.isConditionalExpression(expression)) {
    return [...textsIn(expression.whenTrue), ...textsIn(expression.whenFalse)];
  }
  if (ts.isBinaryExpression(expression)) {
    return isComparison(expression) ? [] : [...textsIn(expression.left), ...textsIn(expression.right)];
  }
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression)) {
    return textsIn(expression.expression);
  }
  return [];
}

function isComparison({ operatorToken }: ts.BinaryExpression): boolean {
  return /^(?:[!=]==?|[<>]=?|in|instanceof)$/.test(operatorToken.getText());
}
