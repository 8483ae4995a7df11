import { html, type Markup } from "./html.ts";

const LINK = /https?:\/\/[^\s<>"'`{}|\\^\u3000-\u303f\uff00-\uffef]+/giu;
/** What ends a sentence belongs to it, not to the address before. */
const AFTER_LINK = /[.,;:!?)\]]+$/;

/** What somebody wrote, as paragraphs: as it stands, with its line breaks, and addresses of the web as links. */
export function paragraphs(text: string): Markup[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(
      (part) =>
        html`<p>${part.split("\n").map((line, at) => html`${at > 0 && html`<br>`}${linked(line)}`)}</p>`,
    );
}

/** A line with its links. A link tells its page nothing of where the reader came from. */
function linked(line: string): Markup[] {
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(LINK)) {
    const address = found.replace(AFTER_LINK, "");
    if (!URL.canParse(address)) continue;
    parts.push(
      html`${line.slice(end, index)}<a href="${address}" rel="nofollow noopener noreferrer ugc">${address}</a>`,
    );
    end = index + address.length;
  }
  parts.push(html`${line.slice(end)}`);
  return parts;
}
