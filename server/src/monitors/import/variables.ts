import type { Variables } from "./file-entry.ts";

/** `${NAME}`, and `$$` for one `$`. */
const IN_BRACES = /\$(?:(\$)|\{([A-Za-z_]\w{0,99})\})/g;
/** The same, and `$NAME`, as in a shell. */
export const BARE_OR_IN_BRACES = /\$(?:(\$)|\{([A-Za-z_]\w{0,99})\}|([A-Za-z_]\w{0,99}))/g;

/** In every text within a value; `$$` is one `$`. Unknown variables are added to `missing`, and stay. */
export function fillIn(
  value: unknown,
  variables: Variables,
  missing: Set<string>,
  form: RegExp = IN_BRACES,
): unknown {
  if (typeof value === "string") return filled(value, variables, missing, form);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables, missing, form));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fillIn(inner, variables, missing, form)]),
  );
}

function filled(text: string, variables: Variables, missing: Set<string>, form: RegExp): string {
  if (!text.includes("$")) return text;
  return text.replace(form, (whole: string, dollar?: string, braced?: string, bare?: string | number) => {
    if (dollar) return "$";
    const name = braced ?? (typeof bare === "string" ? bare : undefined);
    if (name !== undefined && Object.hasOwn(variables, name)) return variables[name] ?? "";
    missing.add(name ?? "");
    return whole;
  });
}

/** Escaped for `fillIn`. */
export const literally = (text: string): string => text.replaceAll("$", "$$$$");
