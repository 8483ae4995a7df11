import { createHash } from "node:crypto";
import { Parser } from "htmlparser2";
import { imageSize } from "image-size";
import { pictureType, svgExpansion } from "../../checks/site/picture-type.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { PageLogo } from "../queries/page-domains.ts";
import { MAX_LOGO_BYTES } from "../schemas/page-look.ts";

/** Elements that run scripts or embed documents. */
const ACTIVE: ReadonlySet<string> = new Set([
  "script",
  "foreignobject",
  "iframe",
  "embed",
  "object",
  "handler",
]);
/** Attributes with an address, whatever their prefix means. */
const LINKS: ReadonlySet<string> = new Set(["href", "src"]);
const MAX_ELEMENTS = 20_000;
/** Functions of CSS that take an address; its beginning is enough. */
const ADDRESSES = /(?:url|src|image|image-set)\(([^)]{0,99})/gi;

/**
 * An SVG is only shown as a picture, in which no script runs; opened at its own address it must not do more.
 */
function svgProblem(text: string): MessageDescriptor | null {
  let found: string | null = null;
  let elements = 0;
  let isBroken = false;
  let opened: string | null = null;
  const open: string[] = [];
  let styles = "";
  const find = (name: string | null) => {
    found ??= name;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        if (open.length === 0 && elements > 1) isBroken = true;
        open.push(name);
        opened = name;
        find(activeOf(name, attributes));
        if (isBroken || elements > MAX_ELEMENTS) parser.pause();
      },
      ontext(piece) {
        if (localName(open.at(-1) ?? "") === "style") styles += piece;
        else if (open.length === 0 && piece.trim() !== "") isBroken = true;
        opened = null;
      },
      onclosetag(name, isImplied) {
        open.pop();
        const closesItself = opened === name && text.startsWith("/>", parser.endIndex - 1);
        if (isImplied && !closesItself) isBroken = true;
        opened = null;
      },
      onprocessinginstruction(name, data) {
        if (/^!doctype/i.test(name) && data.includes("[")) find("<!DOCTYPE […]>");
        if (/^\?xml-stylesheet/i.test(name)) find("<?xml-stylesheet?>");
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  find(cssFromElsewhere(styles));
  if (isBroken || elements === 0 || elements > MAX_ELEMENTS) return msg("page.logo_broken");
  if (found !== null) return msg("page.logo_active", { found });
  const expansion = svgExpansion(text);
  return expansion === null ? null : msg("page.logo_expands", { found: expansion });
}

/** Active or external content of an element. */
function activeOf(tag: string, attributes: Readonly<Record<string, string>>): string | null {
  if (ACTIVE.has(localName(tag))) return `<${tag}>`;
  for (const [name, value] of Object.entries(attributes)) {
    const shown = `${name}="${value.slice(0, 80)}"`;
    if (/^on/i.test(name)) return name;
    if (LINKS.has(localName(name)) && !isWithin(value)) return shown;
    // An animation that changes a link.
    if (name.toLowerCase() === "attributename" && localName(value.trim()) === "href") return shown;
    // Attributes of editors have a prefix, and are no style.
    if (!name.includes(":") && cssFromElsewhere(value) !== null) return shown;
  }
  return null;
}

/** Null: nothing external. Escapes are rejected, since nothing legitimate needs them. */
function cssFromElsewhere(css: string): string | null {
  const rule = /@import|@[\w-]*\\/i.exec(css);
  if (rule) return rule[0];
  const escapedAt = css.indexOf("\\");
  if (escapedAt !== -1 && css.includes("(", escapedAt)) return css.slice(escapedAt).slice(0, 40);
  for (const [all, address = ""] of css.matchAll(ADDRESSES)) {
    if (!/^\s*["']?\s*(?:#|data:)/i.test(address)) return all;
  }
  return null;
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase();

/** A fragment of the picture, or an embedded picture. */
const isWithin = (address: string): boolean =>
  /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp)[;,])/i.test(address);

const MAX_PIXELS = 4_096;
const TYPES: ReadonlySet<string | null> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/svg+xml",
]);

/** Reads only the head: the picture is never decoded here. */
export function readLogo(data: Buffer): { logo: PageLogo } | { problem: MessageDescriptor } {
  if (data.length > MAX_LOGO_BYTES)
    return { problem: msg("page.logo_large", { limit: MAX_LOGO_BYTES / 1024 }) };
  const contentType = pictureType(data);
  if (contentType === null || !TYPES.has(contentType)) return { problem: msg("page.logo_type") };
  const problem = contentType === "image/svg+xml" ? svgProblem(data.toString("utf8")) : sizeProblem(data);
  if (problem !== null) return { problem };
  const hash = createHash("sha256").update(data).digest("base64url").slice(0, 22);
  return { logo: { contentType, data, hash } };
}

function sizeProblem(data: Buffer): MessageDescriptor | null {
  try {
    // A copy: the library reads past the end of a view, and Node's pool may hold other clients' data behind a short one.
    const { width, height } = imageSize(new Uint8Array(data));
    if (Math.max(width, height) <= MAX_PIXELS && Math.min(width, height) > 0) return null;
    return msg("page.logo_size", { limit: MAX_PIXELS, width, height });
  } catch {
    return msg("page.logo_broken");
  }
}
