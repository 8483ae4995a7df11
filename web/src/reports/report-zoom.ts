import type { TimeSpan } from "../components/chart-data.ts";

/** The part that the reader looks at, and how long the time of the report was. Milliseconds. */
export interface Zoomed {
  zoom: TimeSpan;
  length: number;
}

/** That part, until another time is chosen, or it has passed: a report that is left open moves on with its time. */
export function zoomIn(zoomed: Zoomed | null, { fromMs, toMs }: TimeSpan): TimeSpan | null {
  if (zoomed?.length !== toMs - fromMs) return null;
  const { zoom } = zoomed;
  return zoom.toMs > fromMs && zoom.fromMs < toMs ? zoom : null;
}
