/** The languages in which Vedette speaks to people; English is what all others fall back to. */
export const LANGUAGES = ["en", "de", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];
