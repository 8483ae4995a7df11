import type uPlot from "uplot";
import type { ChartData } from "./chart-data.ts";

/** How a chart speaks, and whom it tells. */
export interface ChartLook {
  formatValue: (value: number) => string;
  formatTick: (timeMs: number, stepMs: number) => string;
  onPoint: (index: number | null) => void;
  onZoom: (zoomed: boolean) => void;
}

/** A drawing on the page. */
export interface ChartHandle {
  update: (data: ChartData) => void;
  resetZoom: () => void;
  destroy: () => void;
}

const heightPx = 240;
/** Half of a time's width: one that stands nearer to the edge would be cut off. */
const tickRoomPx = 28;
const failureWidthPx = 2;
const failureHeightPx = 10;

/** Draws into `box` and follows its width; uPlot counts seconds, everything else milliseconds. */
export function drawChart(
  Uplot: typeof uPlot,
  box: HTMLElement,
  first: ChartData,
  look: ChartLook,
): ChartHandle {
  let data = first;
  let zoomed = false;
  const showWhole = () => {
    zoomed = false;
    look.onZoom(false);
    plot.setScale("x", { min: data.fromMs / 1000, max: data.toMs / 1000 });
  };
  const options: uPlot.Options = {
    width: Math.max(1, box.clientWidth),
    height: heightPx,
    padding: [12, 0, 0, 0],
    legend: { show: false },
    series: [{}, ...seriesOptions(box, first)],
    scales: {
      x: { time: true, min: first.fromMs / 1000, max: first.toMs / 1000 },
      y: { range: (_plot, _min, max) => [0, niceTop(max)] },
    },
    axes: axesOptions(box, look),
    cursor: {
      y: false,
      points: { show: first.series.length === 1, size: 7 },
      drag: { x: true, y: false, setScale: true },
      bind: {
        dblclick: () => () => {
          showWhole();
          return null;
        },
      },
    },
    hooks: {
      setCursor: [({ cursor }) => look.onPoint(cursor.idx ?? null)],
      setSelect: [
        (self) => {
          if (self.select.width === 0) return;
          zoomed = true;
          look.onZoom(true);
        },
      ],
      draw: [(self) => markFailures(self, data.failures, colourOf(box, "--color-down"))],
    },
  };
  const plot = new Uplot(options, toColumns(first), box);
  const follow = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: heightPx }));
  follow.observe(box);
  return {
    update(next) {
      if (next === data) return;
      data = next;
      plot.setData(toColumns(next), false);
      if (zoomed) plot.redraw();
      else showWhole();
    },
    resetZoom: showWhole,
    destroy() {
      follow.disconnect();
      plot.destroy();
    },
  };
}

/** The topmost sum is drawn first and each lower one over it, so that what shows is the layers. */
function toColumns({ times, series }: ChartData): uPlot.AlignedData {
  const sums: (number | null)[][] = [];
  for (const { values } of series) {
    const below = sums[0];
    sums.unshift(values.map((value, at) => (value === null ? null : value + (below?.[at] ?? 0))));
  }
  return [times.map((time) => time / 1000), ...sums];
}

function seriesOptions(box: HTMLElement, { series, times }: ChartData): uPlot.Series[] {
  const stacked = series.length > 1;
  return series.toReversed().map(({ label, colour }) => {
    const ink = colourOf(box, colour);
    return {
      label,
      stroke: ink,
      width: stacked ? 1 : 1.75,
      fill: stacked ? ink : fade(ink),
      // Layers stand for themselves; a line is also seen where it is one point long.
      points: stacked && times.length > 2 ? { show: false } : { size: 4, fill: ink },
      spanGaps: false,
    };
  });
}

/** From a tint under the line to nothing at the axis. */
const fade = (ink: string) => (plot: uPlot) => {
  const { top, height } = plot.bbox;
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
  gradient.addColorStop(0, `color-mix(in srgb, ${ink} 22%, transparent)`);
  gradient.addColorStop(1, `color-mix(in srgb, ${ink} 1%, transparent)`);
  return gradient;
};

function axesOptions(box: HTMLElement, look: ChartLook): uPlot.Axis[] {
  const stroke = colourOf(box, "--color-ink-faint");
  const line = colourOf(box, "--color-line");
  const font = `11px ${getComputedStyle(box).fontFamily}`;
  return [
    {
      stroke,
      font,
      size: 26,
      gap: 6,
      space: 72,
      grid: { show: false },
      ticks: { show: false },
      border: { show: true, stroke: line, width: 1 },
      values: (plot, splits, _axis, _space, stepSeconds) => {
        const lastPx = plot.bbox.width / devicePixelRatio - tickRoomPx;
        const isCut = (split: number) => plot.valToPos(split, "x") > lastPx;
        return splits.map((split) => (isCut(split) ? "" : look.formatTick(split * 1000, stepSeconds * 1000)));
      },
    },
    {
      stroke,
      font,
      size: 62,
      gap: 8,
      space: 44,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      values: (_plot, splits) => splits.map((split) => look.formatValue(split)),
    },
  ];
}

/** A tenth of air above the highest point, so that the line never touches the edge. */
const niceTop = (max: number | null): number => (max === null || max <= 0 ? 100 : max * 1.1);

function markFailures(plot: uPlot, failures: readonly number[], colour: string): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = colour;
  for (const failure of failures) {
    const x = plot.valToPos(failure / 1000, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const height = failureHeightPx * scale;
    ctx.fillRect(
      x - (failureWidthPx * scale) / 2,
      bbox.top + bbox.height - height,
      failureWidthPx * scale,
      height,
    );
  }
  ctx.restore();
}

/** What a colour of tokens.css comes to here, in the theme that is painted: `rgb(…)`. */
function colourOf(box: HTMLElement, token: string): string {
  const before = box.style.color;
  box.style.color = `var(${token})`;
  const colour = getComputedStyle(box).color;
  box.style.color = before;
  return colour;
}
