import type { PublicComponent } from "../document/public-page.ts";
import { html, type Markup } from "./html.ts";
import type { Words } from "./words.ts";

const HEIGHT = 24;

/** A component's response times of the last 24 hours, as a line that starts at zero, with a sentence for who cannot see it. */
export function responseChart({ responseTimes }: PublicComponent, words: Words): Markup | false {
  const known = (responseTimes ?? []).flatMap(({ ms }) => (ms === null ? [] : [ms]));
  if (responseTimes === null || known.length === 0) return false;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const ms = Math.round(known.at(-1) ?? 0);
  const label = words.say("speed.chart", { least: Math.round(least), most: Math.round(most) });
  const width = Math.max(1, responseTimes.length - 1);
  return html`<div class="speed"><span>${words.say("speed.label")}</span><svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${lineOf(responseTimes, most)}"/></svg><span>${words.say("speed.now", { ms })}</span></div>`;
}

/** The line has gaps where nothing was measured; a point alone is drawn as a dash. */
function lineOf(points: NonNullable<PublicComponent["responseTimes"]>, most: number): string {
  let path = "";
  for (const [at, { ms }] of points.entries()) {
    if (ms === null) continue;
    const y = (HEIGHT - 1 - ((HEIGHT - 2) * ms) / Math.max(most, 1)).toFixed(1);
    const goesOn = at > 0 && points[at - 1]?.ms !== null;
    path += goesOn ? `L${at} ${y}` : `M${at} ${y}`;
    if (!goesOn && (points[at + 1]?.ms ?? null) === null) path += "h.3";
  }
  return path;
}
