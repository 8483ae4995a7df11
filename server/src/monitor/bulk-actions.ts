/** What one request may do with many domains. */
export const BULK_ACTIONS = ["pause", "resume", "delete", "tag"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Domains changed by one bulk action. */
export const MAX_BULK = 1000;
