/** Text as it is compared: upper and lower case are the same, in every script. */
const fold = (text: string): string => text.normalize("NFC").toLowerCase();

/** After one of these a word begins. */
const wordBreak = /[\s\-_./:(@]/;

/** How well a name fits, the best first, as the server ranks what it finds; `apart`: its words are there, but not together. */
export const fits = ["whole", "start", "word", "part", "apart"] as const;

/**
 * How well `typed` fits a name: a place in `fits`; null for not at all. `more`: words that stand for it without being
 * shown, such as its name in another language.
 */
export function fitOf(typed: string, name: string, more: readonly string[] = []): number | null {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const phrase = words.join(" ");
  const own = fold(name);
  const all = [own, ...more.map(fold)];
  if (!words.every((word) => all.some((text) => text.includes(word)))) return null;
  if (own === phrase) return fits.indexOf("whole");
  if (own.startsWith(phrase)) return fits.indexOf("start");
  for (let at = own.indexOf(phrase); at > 0; at = own.indexOf(phrase, at + 1)) {
    if (wordBreak.test(own[at - 1] ?? "")) return fits.indexOf("word");
  }
  return fits.indexOf(own.includes(phrase) ? "part" : "apart");
}

/** What looks like a site: a name with a dot, an IPv4 address, or anything with `http://` in front. */
const site =
  /^(?:https?:\/\/\S+|(?:localhost|(?:\d{1,3}\.){3}\d{1,3}|[^\s/:?#@]+\.[^\s/:?#@.]{2,})(?:[:/?#]\S*)?)$/i;

/** The address that was typed; null for what cannot be one. */
export function addressIn(typed: string): string | null {
  const text = typed.trim();
  return site.test(text) ? text : null;
}
