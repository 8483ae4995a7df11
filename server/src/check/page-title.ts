import { Parser } from "htmlparser2";
import { bodyText, metaCharset } from "./charset.ts";

const LONGEST_TITLE = 300;

/**
 * The title of an HTML page: its `title` element, else its `og:title`; entities decoded, white space
 * collapsed, at most 300 characters. Null when it has none, or is no HTML. Never throws.
 */
export function pageTitle(body: Buffer, contentType: string | undefined): string | null {
  if (contentType !== undefined && !/html|xml/i.test(contentType)) return null;
  let title = "";
  let openGraph = "";
  let inside = false;
  let ended = false;
  let foreign = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // An icon drawn into the page has a title of its own.
        if (name === "svg" || name === "math") foreign++;
        else if (name === "title" && foreign === 0 && !ended) inside = true;
        else if (name === "meta" && openGraph === "") openGraph = openGraphTitle(attributes);
      },
      ontext(text) {
        if (inside && title.length < 4096) title += text;
      },
      onclosetag(name) {
        if (name === "svg" || name === "math") foreign = Math.max(0, foreign - 1);
        if (name !== "title" || !inside) return;
        inside = false;
        ended = title.trim() !== "";
      },
    },
    { decodeEntities: true },
  );
  parser.end(bodyText(body, contentType, metaCharset(body)));
  return tidy(title) ?? tidy(openGraph);
}

function openGraphTitle(attributes: Record<string, string>): string {
  const name = (attributes.property ?? attributes.name ?? "").toLowerCase();
  return name === "og:title" ? (attributes.content ?? "") : "";
}

function tidy(text: string): string | null {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (line === "") return null;
  const letters = Array.from(line);
  return letters.length <= LONGEST_TITLE ? line : `${letters.slice(0, LONGEST_TITLE - 1).join("")}…`;
}
