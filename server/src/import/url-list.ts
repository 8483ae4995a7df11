import { monitorAt } from "./address.ts";
import { entryAt, type FileFormat } from "./file-entry.ts";

/** A URL, or what could be a host: a row of a table is neither. */
const ADDRESS = /^(?:[a-z][\da-z+.-]*:\/\/\S+|(?=\S*[\p{L}\d])[^\s,;"'/?#{}<>()=]+(?:[/?#]\S*)?)$/iu;

/** Addresses, one a line: URLs, hosts, `host:port`. Empty lines, and what stands behind a `#` of its own, are left out. */
export const urlList: FileFormat = {
  isLike: (content) =>
    linesOf(content)
      .slice(0, 50)
      .every(({ text }) => ADDRESS.test(text)),
  read: (content) => ({
    entries: linesOf(content).map(({ line, text }) => {
      const found = monitorAt(text);
      if ("problem" in found) return { ...entryAt(line, "service", {}), problem: found.problem };
      return entryAt(line, found.kind, found.body);
    }),
    notes: [],
    missing: [],
  }),
};

/** A `#` within an address is part of it. */
function linesOf(content: string): { line: number; text: string }[] {
  return content.split(/\r\n|\n|\r/).flatMap((whole, at) => {
    const text = whole.replace(/(?:^|\s)#.*$/s, "").trim();
    return text === "" ? [] : [{ line: at + 1, text }];
  });
}
