/** Names one after the other, as the language enumerates: "A, B, C", "A、B、C". */
export function formatNames(names: readonly string[], language: string): string {
  const [, between] = new Intl.ListFormat(language).formatToParts(["A", "B", "C"]);
  return names.join(between?.value);
}
