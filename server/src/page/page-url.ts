import type { StatusPage } from "../store/queries/status-pages.ts";

/** Where visitors find a page: at its own domain, else below the address of the installation; null: neither is known. */
export function pageUrl(
  { slug, customDomain }: Pick<StatusPage, "slug" | "customDomain">,
  publicUrl: string | null,
): string | null {
  if (customDomain !== null) return originAt(customDomain, publicUrl);
  return publicUrl === null ? null : `${publicUrl}/status/${slug}`;
}

/** A host of a page's own is reached the same way as the installation. */
function originAt(host: string, publicUrl: string | null): string {
  const { protocol = "https:", port = "" } = URL.parse(publicUrl ?? "") ?? {};
  return `${protocol}//${host}${port && `:${port}`}`;
}
