import type { Overall, PublicIncident, ShownStatus } from "../document/public-page.ts";
import { html, type Markup } from "./html.ts";

/** A status's colour: a class of page.css. */
export type Tone = "ok" | "warn" | "bad" | "work" | "idle";

export const TONE_OF_STATUS: Readonly<Record<ShownStatus, Tone>> = {
  operational: "ok",
  degraded: "warn",
  outage: "bad",
  partial_outage: "warn",
  maintenance: "work",
  unknown: "idle",
  paused: "idle",
};

export const TONE_OF_OVERALL: Readonly<Record<Overall, Tone>> = {
  operational: "ok",
  degraded: "warn",
  partial_outage: "warn",
  major_outage: "bad",
  maintenance: "work",
  unknown: "idle",
};

const TONE_OF_IMPACT: Readonly<Record<PublicIncident["impact"], Tone>> = {
  none: "idle",
  minor: "warn",
  major: "bad",
  critical: "bad",
};

export const toneOfIncident = ({ impact, resolvedAt }: PublicIncident): Tone =>
  resolvedAt === null ? TONE_OF_IMPACT[impact] : "ok";

const DISC = "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z";
/** On a field of 24 by 24: a tick, a sign of warning, a cross, a clock and a dash. */
const SHAPES: Readonly<Record<Tone, string>> = {
  ok: `${DISC}m-1.3 14.6-4.4-4.4 1.6-1.6 2.8 2.8 5.4-5.6 1.6 1.6Z`,
  warn: "M12 2.5 1.2 21h21.6ZM11 9.5h2v6h-2Zm0 7.5h2v2h-2Z",
  bad: `${DISC}m4.4 12.8-1.6 1.6L12 13.6l-2.8 2.8-1.6-1.6 2.8-2.8-2.8-2.8 1.6-1.6 2.8 2.8 2.8-2.8 1.6 1.6-2.8 2.8Z`,
  work: `${DISC}m1.1 4.5h-2.2v6.2l4.5 2.7 1.1-1.8-3.4-2Z`,
  idle: `${DISC}m-5 8.9h10v2.2h-10Z`,
};

/** Beside words that say the same. */
export const iconOf = (tone: Tone): Markup =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d="${SHAPES[tone]}"/></svg>`;

const FAVICON_COLOURS: Readonly<Record<Tone, string>> = {
  ok: "1f9d6b",
  warn: "d07f07",
  bad: "dc3d45",
  work: "4a6fe3",
  idle: "8a8f9b",
};

/** The same for the browser's tab, in the address itself: it costs no request. */
export function faviconOf(tone: Tone): string {
  const path = `<path fill='#${FAVICON_COLOURS[tone]}' fill-rule='evenodd' d='${SHAPES[tone]}'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>${path}</svg>`;
  return `data:image/svg+xml,${svg.replaceAll("%", "%25").replaceAll("#", "%23")}`;
}
