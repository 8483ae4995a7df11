const MAX_LENGTH = 48;

/** `Größe & Co.` becomes `grosse-co`: what stands in addresses and filters for an organization. Never only digits, which would read as an id. */
export function slugOf(name: string): string {
  const slug = name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, "");
  if (slug === "") return "organization";
  return /^\d+$/.test(slug) ? `organization-${slug}` : slug;
}
