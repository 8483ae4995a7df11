/** Which way a list is sorted by a column; undefined: by another one. `sort` as the API says it, `-name`. */
export function directionOf(
  column: string | undefined,
  sort: string,
): "ascending" | "descending" | undefined {
  if (column === undefined) return undefined;
  if (sort === column) return "ascending";
  return sort === `-${column}` ? "descending" : undefined;
}
