export const FORMAT_NAMES = ["vedette", "kuma", "gatus", "csv", "urls"] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export const MAX_FILE_CHARACTERS = 2 * 1024 * 1024;
/** A database is sent compressed, as base64. */
export const MAX_CONTENT_CHARACTERS = 7 * 1024 * 1024;
export const MAX_FILE_ENTRIES = 10_000;
export const MAX_ENTRIES_AT_ONCE = 1000;
