const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
};
const PART = /(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|[smhd])/g;
const WHOLE = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|ms|[smhd]))+$/;

/** `90s`, `1m30s`, `500ms` in seconds; undefined for anything else. */
export function secondsOf(text: unknown): number | undefined {
  if (typeof text !== "string" || text.length > 50 || !WHOLE.test(text)) return undefined;
  const seconds = [...text.matchAll(PART)].reduce(
    (sum, [, count, unit = "s"]) => sum + Number(count) * (UNITS[unit] ?? 1),
    0,
  );
  return Math.round(seconds * 1e6) / 1e6;
}
