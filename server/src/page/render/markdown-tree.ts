import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { isTooMuch } from "./markdown-limits.ts";

/** What somebody wrote, taken apart. */
export interface MarkdownTree {
  root: Root;
  /** Where links of the form `[text][name]` lead, by name. */
  definitions: ReadonlyMap<string, string>;
}

/** The lines of a text that was written anywhere (CommonMark ends lines by `\r`, too). */
export const withPlainLines = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Markdown (CommonMark) that somebody wrote; null: it is too much. Lines end with `\n`. */
export function readTree(text: string): MarkdownTree | null {
  if (isTooMuch(text)) return null;
  const root = fromMarkdown(text);
  const definitions = root.children.flatMap((node) =>
    node.type === "definition" ? [[node.identifier, node.url] as const] : [],
  );
  return { root, definitions: new Map(definitions) };
}
