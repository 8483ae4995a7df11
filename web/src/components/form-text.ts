/** What was typed into the box of that name; empty when there is no such box. */
export function textOf(typed: FormData, name: string): string {
  const value = typed.get(name);
  return typeof value === "string" ? value : "";
}
