/** Blocks of `Field: value` lines with an empty line between them; a line that begins with a blank goes on with the one before. */
export function stanzasOf(text: string): ReadonlyMap<string, string>[] {
  return text.split(/\n{2,}/).flatMap((block) => {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      const end = line.indexOf(":");
      if (end > 0 && !/^\s/.test(line)) fields.set(line.slice(0, end), line.slice(end + 1).trim());
    }
    return fields.size > 0 ? [fields] : [];
  });
}

/** A size as a package manager says it, in bytes; null where it says none. `unit`: the bytes that it counts in. */
export function bytesIn(text: string | undefined, unit = 1): number | null {
  const count = Number(text || Number.NaN);
  return Number.isFinite(count) ? count * unit : null;
}

/** `Name <address>` without the address. */
export const withoutAddress = (text: string | undefined): string | null =>
  text?.replace(/\s*<[^>]*>/, "").trim() || null;
