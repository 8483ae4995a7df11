import type uPlot from "uplot";
import type { ChartData, TimeSpan } from "./chart-data.ts";

const hatchStepPx = 6;
const leastSpanPx = 2;

/** Under the figures: outages red from edge to edge, and hatched where nothing was measured. */
export function drawSpans(plot: uPlot, box: HTMLElement, { outages, gaps }: ChartData): void {
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

/** Over the figures: failed checks as red lines, dashed where the watching began again, and deployments with a flag. */
export function drawMarks(
  plot: uPlot,
  box: HTMLElement,
  { failures, restarts, deployments = [] }: ChartData,
): void {
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

/** At the foot of a mark, so that it is told from one that says that something failed. */
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
export function colourOf(box: HTMLElement, token: string): string {
  const before = box.style.color;
  box.style.color = `var(${token})`;
  const colour = getComputedStyle(box).color;
  box.style.color = before;
  return colour;
}
