/** Of everything about status pages that is kept. */
export const statusPagesKey = "status-pages";

/** What pages would look like, which changes with all that they show. */
export const previewsKey = [statusPagesKey, "preview"] as const;
