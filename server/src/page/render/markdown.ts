import type { Nodes, Parents, Root } from "mdast";
import { html, lines, linkTo, type Markup, paragraphs } from "./html.ts";
import { MAX_DEPTH } from "./markdown-limits.ts";
import { readTree, withPlainLines } from "./markdown-tree.ts";

/** Reading takes longer than everything else about a page, and the same text is there whenever the page is read again. */
const MAX_CACHED_CHARACTERS = 4_000_000;

const cache = new Map<string, readonly Markup[]>();
let cachedCharacters = 0;

/**
 * Markdown (CommonMark) that somebody wrote, as blocks of HTML that can do nothing: made of the elements below, HTML in it is
 * text, pictures are links, links lead to the web and to mail only. Line breaks stay, and addresses of the web are links.
 */
export function markdown(text: string): readonly Markup[] {
  const known = cache.get(text);
  const blocks = known ?? readBlocks(text);
  // The first of a map is what was asked for least lately.
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

/** Where a node stands. */
interface Place {
  /** Where links of the form `[text][name]` lead, by name. */
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
