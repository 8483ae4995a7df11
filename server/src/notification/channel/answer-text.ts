import type { ChannelAnswer } from "./kind.ts";

/** What there is to read in a page of an error stands at its beginning. */
const MAX_READ = 16_384;
const HTML = /^\s*<(?:!doctype|html|head|body)\b/i;
const TITLE = /<title\b[^<>]*>([^<]*)/i;
const UNREAD = /<(script|style)\b[^]*?(?:<\/\1[^<>]*>?|$)/gi;
const TAG = /<[^<>]*>?/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", " "],
]);

/** What an answer says to people: of a web page its title, or else its words. */
export function textOfAnswer({ body, header }: ChannelAnswer): string {
  if (!HTML.test(body) && !/^text\/html\b/i.test(header("content-type") ?? "")) return body;
  const page = body.slice(0, MAX_READ);
  return inWords(TITLE.exec(page)?.[1] ?? "") || inWords(page.replace(UNREAD, " ").replace(TAG, " "));
}

const inWords = (text: string): string =>
  text
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity)
    .replace(/\s+/g, " ")
    .trim();
