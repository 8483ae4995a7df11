/** What one request may do with many monitors. */
export const BULK_ACTIONS = ["pause", "resume", "delete", "tag"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
