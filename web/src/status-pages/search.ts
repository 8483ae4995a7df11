/** The parts of a page's editor, in order. */
export const pageParts = ["contents", "about", "look", "access", "subscribers", "address"] as const;
export type PagePart = (typeof pageParts)[number];

export const readPart = (search: Record<string, unknown>): { part?: PagePart } => ({
  part: pageParts.find((name) => name === search["part"]),
});

/** What the address of a new template says: the built-in one that it begins with. */
export const readTemplateSearch = ({ copy }: Record<string, unknown>): { copy?: string } => ({
  copy: typeof copy === "string" ? copy : undefined,
});

export const readPagesSearch = ({ q }: Record<string, unknown>): { q?: string } => ({
  q: typeof q === "string" && q !== "" ? q : undefined,
});
