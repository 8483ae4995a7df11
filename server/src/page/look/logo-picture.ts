import { createHash } from "node:crypto";
import { imageSize } from "image-size";
import { pictureType } from "../../site/picture-type.ts";
import type { PageLogo } from "../../store/queries/page-domains.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import { MAX_LOGO_BYTES } from "../../wire/page-look.ts";
import { svgProblem } from "./logo-svg.ts";

const MAX_PIXELS = 4_096;
const TYPES: ReadonlySet<string | null> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/svg+xml",
]);

/** A picture as a logo, or why it cannot be one. Its bytes are never decoded here, only their head is read. */
export function readLogo(data: Buffer): { logo: PageLogo } | { problem: Fact } {
  if (data.length > MAX_LOGO_BYTES)
    return { problem: fact("page.logo_large", { limit: MAX_LOGO_BYTES / 1024 }) };
  const contentType = pictureType(data);
  if (contentType === null || !TYPES.has(contentType)) return { problem: fact("page.logo_type") };
  const problem = contentType === "image/svg+xml" ? svgProblem(data.toString("utf8")) : sizeProblem(data);
  if (problem !== null) return { problem };
  const hash = createHash("sha256").update(data).digest("base64url").slice(0, 22);
  return { logo: { contentType, data, hash } };
}

function sizeProblem(data: Buffer): Fact | null {
  try {
    // A copy: it is read past the end of a view, and behind a short one in Node's pool stands what others sent.
    const { width, height } = imageSize(new Uint8Array(data));
    if (Math.max(width, height) <= MAX_PIXELS && Math.min(width, height) > 0) return null;
    return fact("page.logo_size", { limit: MAX_PIXELS, width, height });
  } catch {
    return fact("page.logo_broken");
  }
}
