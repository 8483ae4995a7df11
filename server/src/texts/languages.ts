/** The languages in which Vedette speaks to people; English is what all others fall back to. */
export const LANGUAGES = ["en", "de", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Traditional Chinese is not the Chinese that we have. */
const UNKNOWN = /^zh-(?:hant|tw|hk|mo)\b/i;

/** The first of ours that an Accept-Language header names (RFC 9110, 12.5.4: best first is how browsers send it), else the first of those offered. */
export function preferredLanguage(header = "", offered: readonly Language[] = LANGUAGES): Language {
  const tags = header.split(",").map((tag) => tag.trim());
  const wanted = tags
    .filter((tag) => !UNKNOWN.test(tag))
    .map((tag) => /^[a-z]+/i.exec(tag)?.[0].toLowerCase());
  const found = wanted.map((one) => offered.find((own) => own === one)).find((own) => own !== undefined);
  return found ?? offered[0] ?? "en";
}
