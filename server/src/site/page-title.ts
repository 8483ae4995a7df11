import { bodyText } from "../check/charset.ts";
import { readHtml } from "./html.ts";

const MAX_TITLE_LENGTH = 300;
/** How much of a title is looked at: white space in it is collapsed before it is cut. */
const MAX_READ_LENGTH = 4096;

/**
 * The title of an HTML page: its `title` element, else its `og:title`; entities decoded, white space collapsed, at
 * most 300 characters. Null when it has none, or is not HTML. Never throws.
 */
export function pageTitle(body: Buffer, contentType: string | undefined): string | null {
  if (contentType !== undefined && !/html|xml/i.test(contentType)) return null;
  let title = "";
  let openGraph = "";
  let inside = false;
  let told = false;
  let foreign = 0;
  readHtml(bodyText(body, contentType), {
    onOpen(name, attributes) {
      // An icon drawn into the page has a title of its own.
      if (name === "svg" || name === "math") foreign++;
      else if (name === "title" && foreign === 0) inside = true;
      else if (name === "meta" && openGraph === "") openGraph = openGraphTitle(attributes);
    },
    onText(text) {
      if (!inside) return;
      told ||= text.trim() !== "";
      if (told && title.length < MAX_READ_LENGTH) title += text;
    },
    onClose(name) {
      if (name === "svg" || name === "math") foreign = Math.max(0, foreign - 1);
      if (name !== "title" || !inside) return;
      inside = false;
      return told;
    },
  });
  return tidy(title) ?? tidy(openGraph);
}

function openGraphTitle(attributes: Record<string, string>): string {
  const name = (attributes.property ?? attributes.name ?? "").toLowerCase();
  return name === "og:title" ? (attributes.content ?? "") : "";
}

function tidy(text: string): string | null {
  const line = text
    .slice(0, MAX_READ_LENGTH)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line === "") return null;
  const letters = Array.from(line);
  return letters.length <= MAX_TITLE_LENGTH ? line : `${letters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`;
}
