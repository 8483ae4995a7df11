import { type Content, html, type Markup } from "./html.ts";

const LINK = /https?:\/\/[^\s<>"'`{}|\\^\u3000-\u303f\uff00-\uffef]+/giu;
/** What ends a sentence belongs to it, not to the address before. */
const AFTER_LINK = /[.,;:!?)\]]+$/;
const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)/i;

/** What somebody wrote, as paragraphs: as it stands, with its line breaks, and addresses of the web as links. */
export function paragraphs(text: string): Markup[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => html`<p>${lines(part)}</p>`);
}

/** Text with its line breaks and links. */
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

/** A link that tells its page nothing of where the reader came from. What leads elsewhere than to the web or to mail is none. */
export function linkTo(address: string, content: Content): Markup {
  if (!isWebAddress(address)) return html`${content}`;
  return html`<a href="${address}" rel="nofollow noopener noreferrer ugc">${content}</a>`;
}

/** Whether an address leads to the web or to mail. */
export const isWebAddress = (address: string): boolean => WEB_ADDRESS.test(address) && URL.canParse(address);
