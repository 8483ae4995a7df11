const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
const PART = /(\d{1,9}(?:\.\d{1,9})?)(ms|[smhd])/g;
const WHOLE = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd]))+$/;

/** `90s`, `1m30s`, `1h` in seconds, at least one; undefined for anything else. */
export function secondsOf(text: unknown): number | undefined {
  if (typeof text !== "string" || text.length > 50 || !WHOLE.test(text)) return undefined;
  const seconds = [...text.matchAll(PART)].reduce(
    (sum, [, count, unit = "s"]) => sum + Number(count) * (UNITS[unit] ?? 1),
    0,
  );
  return Math.max(1, Math.round(seconds));
}
