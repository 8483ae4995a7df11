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

/** A tool's input, as a form has it: numbers are texts. */
export type ToolValues = Partial<Record<(typeof fieldNames)[number], string>>;

/** The page's address: which tool, and its input. The router writes texts of digits in quotes. */
export type ToolSearch = Partial<Record<Exclude<keyof ToolValues, "url">, string | number>> & {
  tool?: string;
  url?: string;
};

const maxLength = 2048;
const digits = /^[1-9]\d{0,9}$/;

/** Anything but numbers and texts is left out. */
export const toolSearch = (search: Record<string, unknown>): ToolSearch =>
  Object.fromEntries(["tool", ...fieldNames].flatMap((name) => entryOf(name, search[name])));

function entryOf(name: string, value: unknown): [string, string | number][] {
  if (typeof value === "number") return name === "url" || name === "tool" ? [] : [[name, value]];
  return typeof value === "string" && value !== "" && value.length <= maxLength ? [[name, value]] : [];
}

/** What an address says, as a form has it. */
export const valuesIn = (search: ToolSearch): ToolValues =>
  Object.fromEntries(
    fieldNames.flatMap((name) => (search[name] === undefined ? [] : [[name, String(search[name])]])),
  );

/** A form's values, as an address has them. */
export const asSearch = (tool: string, values: ToolValues): ToolSearch => ({
  tool,
  ...Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name !== "url" && digits.test(value) ? Number(value) : value,
    ]),
  ),
});

/** The host of an address such as `https://shop.example.com/cart`; anything else is returned unchanged. */
export function hostIn(text: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  const host = URL.parse(text)?.hostname ?? "";
  return host === "" ? text : host.replace(/^\[(.*)\]$/, "$1");
}

/** A form's values, with the host of an address that was pasted where a host belongs. */
export function withHost(values: ToolValues, subject: keyof ToolValues): ToolValues {
  const value = values[subject];
  return subject === "url" || value === undefined ? values : { ...values, [subject]: hostIn(value) };
}
