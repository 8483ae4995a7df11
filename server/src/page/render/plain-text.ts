import type { Nodes, Parents, Root } from "mdast";
import { isWebAddress } from "./html.ts";
import { MAX_DEPTH } from "./markdown-limits.ts";
import { type MarkdownTree, readTree, withPlainLines } from "./markdown-tree.ts";

/** The same update goes to thousands. */
const MAX_CACHED = 200;
const cache = new Map<string, string>();

/**
 * Markdown (CommonMark) that somebody wrote, for what knows plain text alone: without its marks, with its lines, lists and quotes,
 * and with the address of each link behind its words.
 */
export function plainText(written: string): string {
  const said = cache.get(written) ?? readText(written);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(written, said);
  return said;
}

function readText(written: string): string {
  const text = withPlainLines(written).trim();
  const tree = readTree(text);
  const blocks = tree && contentOf(tree.root, tree, 0);
  return blocks ? together(blocks) : text;
}

interface Found {
  /** Of what is in the node, piece by piece. */
  content: string[];
  definitions: MarkdownTree["definitions"];
}

type Texts = { [Type in Nodes["type"]]?: (node: Extract<Nodes, { type: Type }>, found: Found) => string };

/** Of other nodes, their content is said. */
const TEXTS: Texts = {
  text: ({ value }) => value,
  inlineCode: ({ value }) => value,
  code: ({ value }) => value,
  html: ({ value }) => value,
  break: () => "\n",
  thematicBreak: () => "---",
  definition: () => "",
  list: ({ ordered, start }, { content }) =>
    content.map((item, at) => hanging(ordered ? `${(start ?? 1) + at}. ` : "- ", item)).join("\n"),
  blockquote: (_, { content }) => together(content).replace(/^/gm, "> "),
  listItem: ({ spread }, { content }) => together(content, spread ? "\n\n" : "\n"),
  link: ({ url }, { content }) => linked(content.join(""), url),
  linkReference: ({ identifier }, { content, definitions }) =>
    linked(content.join(""), definitions.get(identifier) ?? ""),
  image: ({ url, alt }) => linked(alt ?? "", url),
  imageReference: ({ alt }) => alt ?? "",
};

/** What is in a node, piece by piece; null: it is nested too deep. */
function contentOf(node: Parents | Root, tree: MarkdownTree, depth: number): string[] | null {
  if (depth > MAX_DEPTH) return null;
  const found: string[] = [];
  for (const child of node.children) {
    const content = "children" in child ? contentOf(child, tree, depth + 1) : [];
    if (content === null) return null;
    const say = TEXTS[child.type] as ((node: Nodes, found: Found) => string) | undefined;
    found.push(say ? say(child, { content, definitions: tree.definitions }) : content.join(""));
  }
  return found;
}

const together = (blocks: readonly string[], between = "\n\n"): string =>
  blocks.filter((block) => block !== "").join(between);

/** An item whose further lines stand below its first. */
const hanging = (mark: string, item: string): string =>
  mark + item.replaceAll("\n", `\n${" ".repeat(mark.length)}`);

/** Words with the address that they lead to, unless they are that address. */
function linked(words: string, url: string): string {
  if (!isWebAddress(url)) return words;
  const isSame = words === "" || words === url || `mailto:${words}` === url;
  return isSame ? url.replace(/^mailto:/i, "") : `${words} (${url})`;
}
