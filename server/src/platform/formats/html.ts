/** Markup that may be placed in a page as it is. Made by `html`, which escapes what is put into it, or by `trusted`. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can be put into a template: text is escaped, lists are joined, nothing is left out. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** What HTML forbids in a document: control characters but tab and line breaks, and halves of surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes what is put in for elements and double-quoted attributes, the only places for slots. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = parts[0] ?? "";
  for (const [at, content] of contents.entries()) text += textOf(content) + (parts[at + 1] ?? "");
  return new Markup(text);
}

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (typeof content === "string" || typeof content === "number") return escaped(String(content));
  if (content === null || content === undefined || content === false) return "";
  return content.map(textOf).join("");
}

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replace(/[&<>"']/g, (one) => ESCAPES[one] ?? "");

/** For markup that something else has made safe: say at the call what. */
export const trusted = (text: string): Markup => new Markup(text);

const LINK = /https?:\/\/[^\s<>"'`{}|\\^\u3000-\u303f\uff00-\uffef]+/giu;
/** What ends a sentence belongs to it, not to the address before. */
const AFTER_LINK = /[.,;:!?)\]]+$/;
const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)/i;

/** Plain text as paragraphs: unchanged, with its line breaks, and web addresses as links. */
export function paragraphs(text: string): Markup[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => html`<p>${lines(part)}</p>`);
}

export const lines = (text: string): Markup[] =>
  text.split("\n").map((line, at) => html`${at > 0 && html`<br>`}${linked(line)}`);

function linked(line: string): Markup[] {
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(LINK)) {
    const address = found.replace(AFTER_LINK, "");
    if (!URL.canParse(address)) continue;
    parts.push(html`${line.slice(end, index)}${linkTo(address, address)}`);
    end = index + address.length;
  }
  parts.push(html`${line.slice(end)}`);
  return parts;
}

/** A link that sends no referrer. Addresses that lead elsewhere than to the web or to mail become text. */
export function linkTo(address: string, content: Content): Markup {
  if (!isWebAddress(address)) return html`${content}`;
  return html`<a href="${address}" rel="nofollow noopener noreferrer ugc">${content}</a>`;
}

export const isWebAddress = (address: string): boolean => WEB_ADDRESS.test(address) && URL.canParse(address);
