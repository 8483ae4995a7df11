import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type Range, ranges } from "../../api/monitor.ts";
import type { TimeSpan } from "../../components/chart-data.ts";

const hourMs = 3_600_000;
/** How far back each range goes. */
const rangesMs: Record<Range, number> = {
  "1h": hourMs,
  "24h": 24 * hourMs,
  "7d": 7 * 24 * hourMs,
  "30d": 30 * 24 * hourMs,
};
/** A younger monitor opens on its last hour, check by check: a day of it would be some dots at the edge. */
const youngMs = 6 * hourMs;

export interface ShownRange {
  range: Range;
  /** The part of it that is looked at; null for all of it. */
  zoom: TimeSpan | null;
  chooseRange: (range: Range) => void;
  zoomTo: (zoom: TimeSpan | null) => void;
}

/** The range and the zoom of the page's charts, which are in its address. `createdAt`: of the monitor. */
export function useRange(createdAt: string | undefined): ShownRange {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  // As old as it was when the page was opened: what is shown does not change by itself.
  const [openedMs] = useState(Date.now);
  const zoom = readZoom(search.zoom);
  const usual = usualRange(createdAt, openedMs);
  const change = (next: { range?: Range | undefined; zoom?: string | undefined }) =>
    void navigate({ to: ".", search: (was) => ({ ...was, ...next }), replace: true, resetScroll: false });
  return {
    // Other pages have ranges of their own.
    range: rangeThatHolds(ranges.find((one) => one === search.range) ?? usual, zoom, openedMs),
    zoom,
    chooseRange: (range) => change({ range: range === usual ? undefined : range, zoom: undefined }),
    zoomTo: (span) => change({ zoom: span ? writeZoom(span) : undefined }),
  };
}

/** As long as a chart is at least. */
const shortestMs = 60_000;

/** The range, of a younger monitor its time since `begunMs`, a minute at least, into which it grows. Milliseconds. */
export function chartSpan(range: Range, begunMs: number, now: number): TimeSpan {
  const fromMs = Math.max(begunMs, now - rangesMs[range]);
  return { fromMs, toMs: Math.max(now, fromMs + shortestMs) };
}

export const usualRange = (createdAt: string | undefined, now: number): Range =>
  createdAt !== undefined && now - Date.parse(createdAt) < youngMs ? "1h" : "24h";

/** The range, or the shortest longer one in which the zoom's beginning lies: an address is opened later than it is copied. */
export function rangeThatHolds(range: Range, zoom: TimeSpan | null, now: number): Range {
  if (!zoom) return range;
  return (
    ranges.find(
      (one) => ranges.indexOf(one) >= ranges.indexOf(range) && now - rangesMs[one] <= zoom.fromMs,
    ) ?? "30d"
  );
}

/** A zoom as an address has it: seconds since 1970, `1763766000-1763767800`. */
export const writeZoom = ({ fromMs, toMs }: TimeSpan): string =>
  `${Math.floor(fromMs / 1000)}-${Math.ceil(toMs / 1000)}`;

/** The other way round; null for what is none. */
export function readZoom(text: string | undefined): TimeSpan | null {
  const [, from, to] = /^(\d{9,11})-(\d{9,11})$/.exec(text ?? "") ?? [];
  const span = { fromMs: Number(from) * 1000, toMs: Number(to) * 1000 };
  return span.toMs > span.fromMs ? span : null;
}
