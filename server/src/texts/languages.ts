/** The languages in which Vedette speaks to people; English is what all others fall back to. */
export const LANGUAGES = ["en", "de", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Traditional Chinese is not the Chinese that we have. */
const UNKNOWN = /^zh-(?:hant|tw|hk|mo)\b/i;

/** The first of ours that an Accept-Language header names (RFC 9110, 12.5.4: best first is how browsers send it), else English. */
export function preferredLanguage(header = ""): Language {
  const tags = header.split(",").map((tag) => tag.trim());
  const wanted = tags
    .filter((tag) => !UNKNOWN.test(tag))
    .map((tag) => /^[a-z]+/i.exec(tag)?.[0].toLowerCase());
  return wanted.map((one) => LANGUAGES.find((own) => own === one)).find((own) => own !== undefined) ?? "en";
}
