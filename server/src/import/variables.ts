import type { Variables } from "./file-entry.ts";

const REFERENCE = /\$(?:(\$)|\{([A-Za-z_]\w{0,99})\})/g;

/**
 * `${NAME}` filled in, in every text within a value; `$$` stands for one `$`. Names that nobody has a value for are added to
 * `missing`, and stay as they are.
 */
export function fillIn(value: unknown, variables: Variables, missing: Set<string>): unknown {
  if (typeof value === "string") return filled(value, variables, missing);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables, missing));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fillIn(inner, variables, missing)]),
  );
}

function filled(text: string, variables: Variables, missing: Set<string>): string {
  if (!text.includes("$")) return text;
  return text.replace(REFERENCE, (whole, dollar?: string, name?: string) => {
    if (dollar) return "$";
    if (name !== undefined && Object.hasOwn(variables, name)) return variables[name] ?? "";
    missing.add(name ?? "");
    return whole;
  });
}

/** A text that `fillIn` leaves as it is. */
export const literally = (text: string): string => text.replaceAll("$", "$$$$");
