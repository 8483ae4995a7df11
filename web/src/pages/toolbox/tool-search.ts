/** Every field of every tool, as the server names it. */
export const fieldNames = [
  "domain",
  "record_type",
  "server",
  "target",
  "count",
  "host",
  "port",
  "url",
  "method",
  "scanType",
  "protocol",
  "timeout",
  "ports",
  "ip",
  "query",
] as const;

/** What a tool is asked, as a form has it: numbers are texts. */
export type ToolValues = Partial<Record<(typeof fieldNames)[number], string>>;

/** What the page's address says: which tool, and what it is asked. */
export type ToolSearch = ToolValues & { tool?: string };

const maxLength = 2048;

/** Anything but numbers and texts is left out. */
export const toolSearch = (search: Record<string, unknown>): ToolSearch =>
  Object.fromEntries(
    ["tool", ...fieldNames].flatMap((name) => {
      const value = search[name];
      const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
      return text === "" || text.length > maxLength ? [] : [[name, text]];
    }),
  );
