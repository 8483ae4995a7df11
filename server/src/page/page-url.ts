import type { StatusPage } from "../store/queries/status-pages.ts";

/** Where visitors find a page: at its own domain, else below the address of the installation; null: neither is known. */
export function pageUrl(
  { slug, customDomain }: Pick<StatusPage, "slug" | "customDomain">,
  publicUrl: string | null,
): string | null {
  if (customDomain !== null) return `https://${customDomain}`;
  return publicUrl === null ? null : `${publicUrl}/status/${slug}`;
}
