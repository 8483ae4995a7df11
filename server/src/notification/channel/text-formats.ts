import { linesWithin } from "./cut.ts";

/**
 * Texts of a message hold what strangers wrote: a server's banner, an address that a redirect leads to, the author of a
 * deployment. Here stands how each format says them as they are. What is not named here takes plain text only.
 */

/** Unseen, and where it stands no program makes a mark, a link or a mention of what is around it. */
const BREAK = "\u200b";
/** Where links that programs find by themselves begin, mentions, emoji and characters by their names, and angle brackets. */
const LIVE = /@|<|&(?=#?\w+;)|:(?=\/\/)|:(?=[a-z+-][\w+-]*:)|\bwww\.|\](?=[([])/gi;

/** Where a mail program begins or goes on with an address: `https:`, `//host`, `www.host`, `host.example`, `me@host`. */
const JOINT = /([.:/@])(?=[^\s\u200b])/g;

/** A name in a mail to somebody who does not know its owner: whatever it holds, mail programs make no link of it. */
export const unlinkedName = (name: string): string => name.replace(JOINT, `$1${BREAK}`);

/** Text in which nothing becomes a link, an image or a mention, though marks of emphasis may be read as such. */
export const unlinkedText = (text: string): string => text.replace(LIVE, `$&${BREAK}`);

/** Text as Markdown has it, which shows it as it is (CommonMark, Discord, Mattermost). */
export const inMarkdown = (text: string): string =>
  unlinkedText(text)
    // Without brackets there is no link or image, so parentheses and "!" stay readable.
    .replace(/[\\`*_[\]#<>~|]/g, "\\$&")
    .replace(/^(\s*)([-+])(?=\s)/gm, "$1\\$2")
    .replace(/^(\s*\d+)([.)])(?=\s)/gm, "$1\\$2");

/** A link that is ours, in Markdown; its label is shown as it is. */
export const markdownLink = ({ label, url }: { label: string; url: string }): string =>
  `[${inMarkdown(label)}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;

/** What stands below a text in Markdown: links, a line each, of which as many as take no more than `limit`; then an action. */
export const markdownEnd = (
  links: readonly { label: string; url: string }[],
  action: string | null,
  limit: number,
): string =>
  [linesWithin(links.map(markdownLink), limit).join("\n"), action ?? ""]
    .flatMap((part) => (part === "" ? [] : `\n\n${part}`))
    .join("");

/** Text as Slack's mrkdwn has it: links and mentions begin with one of three characters, emphasis before a word. */
export const inMrkdwn = (text: string): string =>
  unlinkedText(text)
    .replaceAll("&", "&amp;")
    // Escaped it is no angle bracket, and needs no break.
    .replaceAll(`<${BREAK}`, "&lt;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/(?<![\p{L}\p{N}])[*_~`]/gu, `${BREAK}$&${BREAK}`);
