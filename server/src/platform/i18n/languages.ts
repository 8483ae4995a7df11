/** English is what all others fall back to. */
export const LANGUAGES = ["en", "de", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Traditional Chinese is not the Chinese that we have. */
const UNKNOWN = /^zh-(?:hant|tw|hk|mo)\b/i;

/** Those of ours that an Accept-Language header names, in its order (RFC 9110, 12.5.4: best first is how browsers send it). */
export function wantedLanguages(header = ""): readonly Language[] {
  const wanted = new Set<Language>();
  for (const tag of header.split(",").map((one) => one.trim())) {
    const [named] = (!UNKNOWN.test(tag) && /^[a-z]+/i.exec(tag)) || [];
    const own = LANGUAGES.find((one) => one === named?.toLowerCase());
    if (own) wanted.add(own);
  }
  return [...wanted];
}

/** The first of those offered that an Accept-Language header names, else the first of them. */
export const preferredLanguage = (header?: string, offered: readonly Language[] = LANGUAGES): Language =>
  wantedLanguages(header).find((one) => offered.includes(one)) ?? offered[0] ?? "en";
