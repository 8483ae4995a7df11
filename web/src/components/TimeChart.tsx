import { ZoomOut } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { currentTimeZone } from "../i18n/format.ts";
import { useTheme } from "../theme.ts";
import type { ChartData, TimeSpan } from "./chart-data.ts";
import { type ChartHandle, type ChartLook, drawChart } from "./time-chart-drawing.ts";

interface TimeChartProps {
  /** What it shows, in a sentence, for those who cannot see it; they also need the values as a table. */
  label: string;
  data: ChartData;
  /** The part of it that is shown; null for all of it. */
  zoom: TimeSpan | null;
  onZoom: (zoom: TimeSpan | null) => void;
  formatValue: (value: number) => string;
  /** A time on the axis; `stepMs` to the next one. */
  formatTick: (timeMs: number, stepMs: number) => string;
  /** Charts of the same name share the cursor. */
  cursorName?: string;
  /** The index of the time under the pointer, null when it leaves. */
  onPoint: (index: number | null) => void;
}

/** Values over time, drawn by uPlot. Dragging zooms; a button or a double click shows the whole again. */
export function TimeChart(props: TimeChartProps) {
  const theme = usePaintedTheme();
  const { layers, lines } = props.data;
  const shape = [...layers, ...lines].map(({ label, colour }) => `${label} ${colour}`).join();
  return <Drawing key={`${theme} ${currentTimeZone()} ${shape}`} {...props} />;
}

/** One drawing: new values update it; other lines or another theme make a new one. */
function Drawing({ label, data, zoom, ...chartProps }: TimeChartProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ChartHandle | null>(null);
  const [failed, setFailed] = useState(false);
  const latest = useRef({ data, zoom, ...chartProps });
  useEffect(() => {
    latest.current = { data, zoom, ...chartProps };
    chart.current?.update(data, zoom);
  });

  useEffect(() => {
    let gone = false;
    const look: ChartLook = {
      formatValue: (value) => latest.current.formatValue(value),
      formatTick: (timeMs, stepMs) => latest.current.formatTick(timeMs, stepMs),
      onPoint: (index) => latest.current.onPoint(index),
      onZoom: (span) => latest.current.onZoom(span),
      cursorName: latest.current.cursorName,
    };
    loadUplot().then(
      (Uplot) => {
        if (!gone && box.current) chart.current = drawChart(Uplot, box.current, latest.current, look);
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
      chart.current?.destroy();
      chart.current = null;
    };
  }, []);

  return (
    <div className="relative h-60">
      <div ref={box} role="img" aria-label={label} className="h-60 overflow-hidden" />
      {failed && (
        <p className="absolute inset-0 grid place-items-center text-ink-muted">{t("chart.failed")}</p>
      )}
      {zoom && (
        <button
          type="button"
          onClick={() => chartProps.onZoom(null)}
          className="arriving absolute top-1 right-1 flex h-7 items-center gap-1.5 rounded-md border border-line-strong bg-raised px-2 text-xs text-ink shadow-card hover:bg-hover"
        >
          <ZoomOut aria-hidden className="size-3.5" />
          {t("chart.resetZoom")}
        </button>
      )}
    </div>
  );
}

const darkness = matchMedia("(prefers-color-scheme: dark)");

/** The theme as it is painted: a canvas does not follow the style sheet by itself. */
function usePaintedTheme(): string {
  const theme = useTheme();
  const [dark, setDark] = useState(darkness.matches);
  useEffect(() => {
    const follow = () => setDark(darkness.matches);
    darkness.addEventListener("change", follow);
    return () => darkness.removeEventListener("change", follow);
  }, []);
  return theme === "system" ? String(dark) : theme;
}

/**
 * In its own chunk. `navigator.language` is pinned meanwhile: uPlot makes a number format of it, which throws
 * where the locale is no language tag, as with LANG=C.
 */
function loadUplot() {
  loading ??= load();
  return loading;
}

let loading: ReturnType<typeof load> | undefined;

async function load() {
  Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  try {
    const [module] = await Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]);
    return module.default;
  } catch (error) {
    loading = undefined;
    throw error;
  } finally {
    Reflect.deleteProperty(navigator, "language");
  }
}
