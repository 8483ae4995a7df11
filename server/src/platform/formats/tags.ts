import { type MessageDescriptor, msg } from "../i18n/message.ts";

/** The limits on tags; every schema that takes tags has them from here. */
export const MAX_TAGS = 20;
/** In characters. */
export const MAX_TAG_LENGTH = 50;

/** Beside its length; null: nothing. */
export const tagProblem = (text: string): MessageDescriptor | null =>
  text.trim() === "" ? msg("tag.empty") : null;

export const cleanTags = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.trim()))];
