/**
 * How long a server wants no further request, milliseconds from `now`: its Retry-After header (RFC 9110,
 * 10.2.3), seconds, which some give a fraction of, or a date. Null: it has none that says so.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  const said = header?.trim() ?? "";
  if (said === "") return null;
  const seconds = Number(said);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1000) : null;
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
