import { createHash } from "node:crypto";
import type { StatusPage } from "./queries/status-pages.ts";

/** At its own domain, else below the installation's address; null: neither is known. */
export function pageUrl(
  { slug, customDomain }: Pick<StatusPage, "slug" | "customDomain">,
  publicUrl: string | null,
): string | null {
  if (customDomain !== null) return originAt(customDomain, publicUrl);
  return publicUrl === null ? null : `${publicUrl}/status/${slug}`;
}

/** With the installation's scheme and port. */
function originAt(host: string, publicUrl: string | null): string {
  const { protocol = "https:", port = "" } = URL.parse(publicUrl ?? "") ?? {};
  return `${protocol}//${host}${port && `:${port}`}`;
}

/** A stable uuid (version 8, RFC 9562) for a part, which needs none in the store. */
export function derivedUuid(uuid: string, part: string | number): string {
  const hash = createHash("sha256").update(`${uuid} ${part}`).digest("hex");
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join("-");
}
