/** What stands instead of a secret. */
export const MASK = "********";

/** The text with a mask instead of each of these secrets; but for what a mask itself has in it. */
export function masked(text: string, secrets: readonly string[]): string {
  const told = new Set(secrets.filter((secret) => !MASK.includes(secret) && text.includes(secret)));
  if (told.size === 0) return text;
  const longestFirst = [...told].sort((a, b) => b.length - a.length);
  const pattern = longestFirst.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return text.replace(new RegExp(pattern, "g"), MASK);
}
