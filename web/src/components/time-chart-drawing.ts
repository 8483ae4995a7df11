import type uPlot from "uplot";
import { currentTimeZone } from "../i18n/format.ts";
import type { ChartData, TimeSpan } from "./chart-data.ts";

export interface ChartLook {
  formatValue: (value: number) => string;
  formatTick: (timeMs: number, stepMs: number) => string;
  onPoint: (index: number | null) => void;
  onZoom: (zoom: TimeSpan | null) => void;
  /** Charts of the same name share the cursor. */
  cursorName?: string | undefined;
}

export interface ChartHandle {
  update: (data: ChartData, zoom: TimeSpan | null) => void;
  destroy: () => void;
}

const heightPx = 240;
/** Half of a label's width: one closer to the edge would be cut off. */
const tickRoomPx = 28;

/** Draws into `box` and follows its width; uPlot counts seconds, everything else milliseconds. */
export function drawChart(
  Uplot: typeof uPlot,
  box: HTMLElement,
  first: { data: ChartData; zoom: TimeSpan | null },
  look: ChartLook,
): ChartHandle {
  let { data, zoom } = first;
  const options: uPlot.Options = {
    width: Math.max(1, box.clientWidth),
    height: heightPx,
    padding: [12, 0, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => Uplot.tzDate(new Date(seconds * 1000), currentTimeZone()),
    series: [{}, ...seriesOptions(box, data)],
    bands: bandsOf(data),
    scales: {
      x: { time: true, ...secondsOf(zoom ?? data) },
      y: { range: (_plot, _min, max) => [0, data.top ?? topOf(max)] },
    },
    axes: axesOptions(box, look, () => data),
    cursor: {
      y: false,
      points: { show: data.layers.length === 0, size: 7 },
      drag: { x: true, y: false, setScale: false },
      ...(look.cursorName !== undefined && { sync: sharing(look.cursorName) }),
      bind: {
        dblclick: () => () => {
          look.onZoom(null);
          return null;
        },
      },
    },
    hooks: {
      setCursor: [({ cursor }) => look.onPoint(cursor.idx ?? null)],
      setSelect: [(self) => zoomIn(self, look)],
      drawClear: [(self) => drawSpans(self, box, data)],
      draw: [(self) => drawMarks(self, box, data)],
    },
  };
  const plot = new Uplot(options, toColumns(data), box);
  const follow = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: heightPx }));
  follow.observe(box);
  return {
    update(nextData, nextZoom) {
      if (nextData === data && nextZoom?.fromMs === zoom?.fromMs && nextZoom?.toMs === zoom?.toMs) return;
      zoom = nextZoom;
      if (nextData !== data) plot.setData(toColumns((data = nextData)), false);
      plot.setScale("x", secondsOf(zoom ?? data));
    },
    destroy() {
      follow.disconnect();
      plot.destroy();
    },
  };
}

/** The pointer is shared; what is dragged is not, because the zoom is shared by the page. */
const sharing = (key: string): uPlot.Cursor.Sync => {
  const isPointer = (type: string) => type === "mousemove" || type === "mouseleave";
  return { key, setSeries: false, filters: { pub: isPointer, sub: isPointer } };
};

const secondsOf = ({ fromMs, toMs }: TimeSpan) => ({ min: fromMs / 1000, max: toMs / 1000 });

/** What was dragged over becomes the zoom, and the mark of dragging goes. */
function zoomIn(plot: uPlot, look: ChartLook): void {
  const { left, width } = plot.select;
  if (width === 0) return;
  const msAt = (px: number) => Math.round(plot.posToVal(px, "x") * 1000);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  look.onZoom({ fromMs: msAt(left), toMs: msAt(left + width) });
}

/** Layers as sums, the topmost first, so that each is filled down to the next; then the lines. */
function toColumns({ times, layers, lines }: ChartData): uPlot.AlignedData {
  const sums: (number | null)[][] = [];
  for (const { values } of layers) {
    const below = sums[0];
    sums.unshift(values.map((value, at) => (value === null ? null : value + (below?.[at] ?? 0))));
  }
  return [times.map((time) => time / 1000), ...sums, ...lines.map(({ values }) => [...values])];
}

/** Between each layer and the one below it. */
const bandsOf = ({ layers }: ChartData): uPlot.Band[] =>
  layers.slice(1).map((_, at) => ({ series: [at + 1, at + 2] }));

const layerOpacity = 25;

function seriesOptions(box: HTMLElement, { layers, lines }: ChartData): uPlot.Series[] {
  const filled = layers.toReversed().map(({ label, colour }): uPlot.Series => {
    const fill = `color-mix(in srgb, ${colourOf(box, colour)} ${layerOpacity}%, transparent)`;
    return { label, width: 0, fill, points: { show: false }, spanGaps: false };
  });
  const drawn = lines.map(({ label, colour, dashed }, at): uPlot.Series => {
    const stroke = colourOf(box, colour);
    if (dashed) return { label, stroke, width: 1, dash: [4, 4], points: { show: false }, spanGaps: false };
    const fill = layers.length === 0 && at === 0 ? { fill: fade(stroke) } : {};
    return { label, stroke, width: 1.75, ...fill, points: { size: 4, fill: stroke }, spanGaps: false };
  });
  return [...filled, ...drawn];
}

/** From a tint under the line to nothing at the axis. */
const fade = (ink: string) => (plot: uPlot) => {
  const { top, height } = plot.bbox;
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
  gradient.addColorStop(0, `color-mix(in srgb, ${ink} 22%, transparent)`);
  gradient.addColorStop(1, `color-mix(in srgb, ${ink} 1%, transparent)`);
  return gradient;
};

function axesOptions(box: HTMLElement, look: ChartLook, dataNow: () => ChartData): uPlot.Axis[] {
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
      grid: { stroke: () => (hasValues(dataNow()) ? line : "transparent"), width: 1 },
      ticks: { show: false },
      values: (_plot, splits) => valueLabels(dataNow(), splits, look.formatValue),
    },
  ];
}

/** Whether there is anything to read off the upright axis. */
const hasValues = ({ layers, lines }: Pick<ChartData, "layers" | "lines">): boolean =>
  [...layers, ...lines].some(({ values }) => values.some((value) => value !== null));

/** Labels of the vertical axis: none without values, because they would be invented. */
export const valueLabels = (
  data: Pick<ChartData, "layers" | "lines">,
  values: readonly number[],
  format: (value: number) => string,
): string[] => values.map((value) => (hasValues(data) ? format(value) : ""));

/** Where the upright axis ends: a tenth of air above the highest point, so that the line never touches the edge. */
export const topOf = (highest: number | null): number =>
  highest === null || highest <= 0 ? 1 : highest * 1.1;

const hatchStepPx = 6;
const leastSpanPx = 2;

/** Behind the values: outages red from edge to edge, and hatched where nothing was measured. */
function drawSpans(plot: uPlot, box: HTMLElement, { outages, gaps }: ChartData): void {
  const { ctx, bbox } = plot;
  ctx.save();
  const line = colourOf(box, "--color-line-strong");
  for (const gap of gaps) hatch(plot, rectangleOf(plot, gap), line);
  const red = colourOf(box, "--color-down");
  for (const outage of outages) {
    const { left, width } = rectangleOf(plot, outage);
    ctx.fillStyle = `color-mix(in srgb, ${red} 16%, transparent)`;
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.fillStyle = red;
    ctx.fillRect(left, bbox.top, width, 3 * devicePixelRatio);
  }
  ctx.restore();
}

/** Above the values: failed checks as red lines, dashed where monitoring resumed, and deployments with a flag. */
function drawMarks(plot: uPlot, box: HTMLElement, { failures, restarts, deployments = [] }: ChartData): void {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = `color-mix(in srgb, ${colourOf(box, "--color-down")} 70%, transparent)`;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  for (const failure of failures) upright(plot, failure);
  ctx.strokeStyle = colourOf(box, "--color-ink-faint");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const restart of restarts) upright(plot, restart);
  ctx.setLineDash([]);
  ctx.strokeStyle = colourOf(box, "--color-ink-muted");
  ctx.fillStyle = ctx.strokeStyle;
  for (const deployment of deployments) {
    upright(plot, deployment);
    flag(plot, deployment);
  }
  ctx.restore();
}

const flagPx = 5;

/** At the foot of a mark, to distinguish it from one of a failure. */
function flag({ ctx, bbox, valToPos }: uPlot, timeMs: number): void {
  const x = valToPos(timeMs / 1000, "x", true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  const [half, foot] = [flagPx * devicePixelRatio, bbox.top + bbox.height];
  ctx.beginPath();
  ctx.moveTo(x - half, foot);
  ctx.lineTo(x + half, foot);
  ctx.lineTo(x, foot - 1.5 * half);
  ctx.fill();
}

function upright({ ctx, bbox, valToPos }: uPlot, timeMs: number): void {
  const x = valToPos(timeMs / 1000, "x", true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
}

/** Within the chart; what is there at all is at least as wide as can be seen. */
function rectangleOf({ bbox, valToPos }: uPlot, { fromMs, toMs }: TimeSpan): { left: number; width: number } {
  const within = (x: number) => Math.min(Math.max(x, bbox.left), bbox.left + bbox.width);
  const left = within(valToPos(fromMs / 1000, "x", true));
  const right = within(valToPos(toMs / 1000, "x", true));
  const isSeen = right > bbox.left && left < bbox.left + bbox.width;
  return { left, width: isSeen ? Math.max(right - left, leastSpanPx * devicePixelRatio) : 0 };
}

function hatch({ ctx, bbox }: uPlot, { left, width }: { left: number; width: number }, colour: string): void {
  if (width === 0) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  const { top, height } = bbox;
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += hatchStepPx * devicePixelRatio) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
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
