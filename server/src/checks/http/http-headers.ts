/** Of these the first counts where a server sends several, as in curl; a list of addresses would be none. */
const FIRST_COUNTS: ReadonlySet<string> = new Set(["location"]);

/** All of a header block, read once: names in lower case, values as headerOf gives them. */
export function headersOf(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split("\n").slice(1)) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = headers.get(name);
    if (known === undefined) headers.set(name, value);
    else if (!FIRST_COUNTS.has(name)) headers.set(name, `${known}, ${value}`);
  }
  return headers;
}

/** A header's value within a header block, names in any case; several of a name joined by `, `, unless the first counts. */
export function headerOf(head: string, name: string): string | undefined {
  const values = headerValues(head, name);
  if (FIRST_COUNTS.has(name)) return values[0];
  return values.length === 0 ? undefined : values.join(", ");
}

/** The values of every header of that name (in lower case) within a header block. */
export function headerValues(head: string, name: string): string[] {
  const values: string[] = [];
  // Line by line where they are: three headers are looked for in every answer.
  for (let at = 0; at < head.length; ) {
    const newline = head.indexOf("\n", at);
    const end = newline < 0 ? head.length : newline;
    const colon = at + name.length;
    if (head.charCodeAt(colon) === 0x3a && head.slice(at, colon).toLowerCase() === name)
      values.push(head.slice(colon + 1, end).trim());
    at = end + 1;
  }
  return values;
}
