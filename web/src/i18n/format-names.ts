/** What stands between names as the language enumerates: ", ", "、". */
export const nameSeparator = (language: string): string =>
  new Intl.ListFormat(language).formatToParts(["A", "B", "C"])[1]?.value ?? ", ";

/** Names one after the other: "A, B, C", "A、B、C". */
export const formatNames = (names: readonly string[], language: string): string =>
  names.join(nameSeparator(language));
