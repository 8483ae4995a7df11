/** Milliseconds by Retry-After (RFC 9110, 10.2.3): seconds, maybe with a fraction, or a date. Null: none. */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  const said = header?.trim() ?? "";
  if (said === "") return null;
  const seconds = Number(said);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1000) : null;
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
