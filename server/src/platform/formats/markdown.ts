import type { Nodes, Parents, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { html, isWebAddress, lines, linkTo, type Markup, paragraphs } from "./html.ts";
import { isTooMuch, MAX_DEPTH } from "./markdown-limits.ts";

interface MarkdownTree {
  root: Root;
  /** Where links of the form `[text][name]` lead, by name. */
  definitions: ReadonlyMap<string, string>;
}

/** The lines of a text that was written anywhere (CommonMark ends lines by `\r`, too). */
const withPlainLines = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Parses Markdown (CommonMark); null: over the limits. Lines end with `\n`. */
function readTree(text: string): MarkdownTree | null {
  if (isTooMuch(text)) return null;
  const root = fromMarkdown(text);
  const definitions = root.children.flatMap((node) =>
    node.type === "definition" ? [[node.identifier, node.url] as const] : [],
  );
  return { root, definitions: new Map(definitions) };
}

/** Reading takes longer than everything else about a page, and the same text is there whenever the page is read again. */
const MAX_CACHED_CHARACTERS = 4_000_000;

const cache = new Map<string, readonly Markup[]>();
let cachedCharacters = 0;

/**
 * Untrusted Markdown (CommonMark) as safe HTML: HTML in it is text, pictures are links, links lead to web and
 * mail only, line breaks stay.
 */
export function markdown(text: string): readonly Markup[] {
  const known = cache.get(text);
  const blocks = known ?? readBlocks(text);
  // The first entry of a map is the least recently used.
  cache.delete(text);
  cache.set(text, blocks);
  if (!known) cachedCharacters += text.length;
  while (cachedCharacters > MAX_CACHED_CHARACTERS) {
    const oldest = cache.keys().next().value as string;
    cache.delete(oldest);
    cachedCharacters -= oldest.length;
  }
  return blocks;
}

function readBlocks(written: string): readonly Markup[] {
  const text = withPlainLines(written);
  const tree = readTree(text);
  const blocks = tree && blocksOf(tree.root, { definitions: tree.definitions, depth: 0, isLink: false });
  return blocks ?? paragraphs(text);
}

interface Place {
  definitions: ReadonlyMap<string, string>;
  depth: number;
  /** A link has no links in it. */
  isLink: boolean;
}

/** What is in a node; null: it is nested too deep. */
function blocksOf(node: Parents | Root, place: Place): Markup[] | null {
  if (place.depth > MAX_DEPTH) return null;
  const inner = { ...place, depth: place.depth + 1, isLink: place.isLink || node.type === "link" };
  const found: Markup[] = [];
  for (const child of node.children) {
    const content = "children" in child ? blocksOf(child, inner) : [];
    if (content === null) return null;
    found.push(elementOf(child, { parent: node, content, place: inner }));
  }
  return found;
}

interface Found {
  parent: Parents | Root;
  content: Markup[];
  place: Place;
}

type Elements = { [Type in Nodes["type"]]?: (node: Extract<Nodes, { type: Type }>, found: Found) => Markup };

/** Of other nodes, their content is shown. */
const ELEMENTS: Elements = {
  paragraph: (_, { parent, content }) =>
    parent.type === "listItem" && !parent.spread ? html`${content}` : html`<p>${content}</p>`,
  // The page has headings of its own, in order.
  heading: (_, { content }) => html`<p><strong>${content}</strong></p>`,
  list: ({ ordered, start }, { content }) => listOf(ordered ? (start ?? 1) : null, content),
  listItem: (_, { content }) => html`<li>${content}</li>`,
  blockquote: (_, { content }) => html`<blockquote>${content}</blockquote>`,
  code: ({ value }) => html`<pre><code>${value}</code></pre>`,
  html: ({ value }, { parent }) => (isBlock(parent) ? html`<p>${lines(value)}</p>` : html`${value}`),
  thematicBreak: () => html`<hr>`,
  strong: (_, { content }) => html`<strong>${content}</strong>`,
  emphasis: (_, { content }) => html`<em>${content}</em>`,
  break: () => html`<br>`,
  link: ({ url }, { content }) => linkTo(url, content),
  linkReference: ({ identifier }, { content, place }) =>
    linkTo(place.definitions.get(identifier) ?? "", content),
  image: ({ url, alt }, { place }) => (place.isLink ? html`${alt}` : linkTo(url, alt || url)),
  imageReference: ({ alt }) => html`${alt}`,
  inlineCode: ({ value }) => html`<code>${value}</code>`,
  text: ({ value }, { place }) => (place.isLink ? html`${value}` : html`${lines(value)}`),
};

function elementOf(node: Nodes, found: Found): Markup {
  const element = ELEMENTS[node.type] as ((node: Nodes, found: Found) => Markup) | undefined;
  return element ? element(node, found) : html`${found.content}`;
}

const isBlock = ({ type }: Parents | Root): boolean =>
  type === "root" || type === "blockquote" || type === "listItem";

function listOf(start: number | null, items: Markup[]): Markup {
  if (start === null) return html`<ul>${items}</ul>`;
  return start === 1 ? html`<ol>${items}</ol>` : html`<ol start="${start}">${items}</ol>`;
}

/** The same update goes to thousands. */
const MAX_CACHED = 200;
const plainTexts = new Map<string, string>();

/** As plain text: without marks, with lines, lists and quotes, and each link's address behind its words. */
export function plainText(written: string): string {
  const said = plainTexts.get(written) ?? readText(written);
  if (plainTexts.size >= MAX_CACHED) plainTexts.clear();
  plainTexts.set(written, said);
  return said;
}

function readText(written: string): string {
  const text = withPlainLines(written).trim();
  const tree = readTree(text);
  const blocks = tree && contentOf(tree.root, tree, 0);
  return blocks ? together(blocks) : text;
}

interface PlainBlock {
  /** Of what is in the node, piece by piece. */
  content: string[];
  definitions: MarkdownTree["definitions"];
}

type Texts = {
  [Type in Nodes["type"]]?: (node: Extract<Nodes, { type: Type }>, found: PlainBlock) => string;
};

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
    const say = TEXTS[child.type] as ((node: Nodes, found: PlainBlock) => string) | undefined;
    found.push(say ? say(child, { content, definitions: tree.definitions }) : content.join(""));
  }
  return found;
}

const together = (blocks: readonly string[], between = "\n\n"): string =>
  blocks.filter((block) => block !== "").join(between);

/** An item whose further lines are indented below its first. */
const hanging = (mark: string, item: string): string =>
  mark + item.replaceAll("\n", `\n${" ".repeat(mark.length)}`);

/** Words with the address that they lead to, unless they are that address. */
function linked(words: string, url: string): string {
  if (!isWebAddress(url)) return words;
  const isSame = words === "" || words === url || `mailto:${words}` === url;
  return isSame ? url.replace(/^mailto:/i, "") : `${words} (${url})`;
}
