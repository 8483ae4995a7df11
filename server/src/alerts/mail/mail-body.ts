import { unlinkedName } from "../channels/message.ts";

/** A mail in its reader's words, each on one line. */
export interface MailWords {
  subject: string;
  text: string;
  /** What its link is called. */
  action: string | null;
  ending: string | null;
  footer: string | null;
}

/** What a mail says. `html`: its text as HTML that is safe already, where it is more than lines. */
export interface Said extends MailWords {
  /** Above the text. Absent: the text says by itself what it is about. */
  heading?: string;
  /** Below the text, a line each: names, and where each leads. */
  links?: readonly { label: string; url: string }[];
  html?: string | null;
}

/** What else can be done from a mail. */
interface Second {
  label: string;
  url: string;
}

/** A mail's two forms, of the same words: text, and HTML that loads nothing from anywhere. `second`: a button beside the link's. */
export function bodiesOf(
  words: Said,
  link: string | null,
  second: Second | null = null,
): { text: string; html: string } {
  return { text: textOf(words, link, second), html: htmlOf(words, link, second) };
}

function textOf(
  { heading, text, links = [], ending, footer }: Said,
  link: string | null,
  second: Second | null,
): string {
  const action = second && `${second.label}: ${second.url}`;
  const listed = links.map(({ label, url }) => `${label}: ${url}`).join("\n");
  const parts = [heading, text, listed, link, action, ending, footer && `-- \n${footer}`];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

const PARAGRAPH = "margin:0 0 20px;line-height:1.5";
const HEADING = "margin:0 0 12px;line-height:1.3;font-size:20px;font-weight:600;overflow-wrap:anywhere";
const WRITTEN = `${PARAGRAPH};overflow-wrap:anywhere`;
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5fd6;color:#ffffff;text-decoration:none;font-weight:600";
const SECOND = `${BUTTON};background:#ffffff;color:#1f5fd6;box-shadow:inset 0 0 0 1px #1f5fd6`;
const SMALL = "margin:0 0 20px;line-height:1.5;font-size:13px;color:#5b6472;overflow-wrap:anywhere";

function htmlOf(
  { subject, heading, text, html, links = [], action, ending, footer }: Said,
  link: string | null,
  second: Second | null,
): string {
  const paragraph = (style: string, inner: string) => `<p style="${style}">${inner}</p>`;
  const button = (style: string, label: string, url: string) =>
    `<a href="${escaped(url)}" style="${style}">${escaped(label)}</a>`;
  const buttons = [
    link && button(BUTTON, action ?? link, link),
    second && button(link ? SECOND : BUTTON, second.label, second.url),
  ].filter(Boolean);
  const listed = links.map(({ label, url }) => `<a href="${escaped(url)}">${escaped(label)}</a>`);
  const parts = [
    heading && `<h1 style="${HEADING}">${escaped(heading)}</h1>`,
    html
      ? `<div style="${WRITTEN}">${html}</div>`
      : paragraph(PARAGRAPH, escaped(text).replaceAll("\n", "<br>")),
    listed.length > 0 && paragraph(WRITTEN, listed.join("<br>")),
    buttons.length > 0 && paragraph(PARAGRAPH, buttons.join("&nbsp; ")),
    // For those whose mail program shows no buttons, or who want to see where they are led.
    link && paragraph(`${SMALL};word-break:break-all`, escaped(link)),
    ending && paragraph(SMALL, escaped(ending).replaceAll("\n", "<br>")),
    footer && paragraph(SMALL, linked(escaped(footer))),
  ];
  const body = parts.filter(Boolean).join("\n");
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(unlinkedName(subject))}</title></head>
<body style="margin:0;padding:24px 16px;font:16px system-ui,sans-serif;color:#1a1f27;background:#ffffff">
<div style="max-width:520px;margin:0 auto">
${body}
</div></body></html>
`;
}

/** Addresses of the web in a footer that is escaped already: its words are our own, names in it are unlinked. */
const linked = (html: string): string =>
  html.replaceAll("\n", "<br>").replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML has it. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
