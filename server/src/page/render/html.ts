/** Markup that may stand in a page as it is. Made by `html`, which escapes what is put into it, or by `trusted`. */
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

/**
 * A template tag for HTML. Whatever is put in is escaped for elements and for attributes in double quotes, which are the only
 * places where a template may have a slot.
 */
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
