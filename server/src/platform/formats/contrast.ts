import { type MessageDescriptor, msg } from "../i18n/message.ts";
import type { Language } from "../i18n/render.ts";

/** Backgrounds of the page and of its cards. */
export const BACKGROUNDS = {
  light: { page: "#f7f8fa", surface: "#ffffff" },
  dark: { page: "#0d0e10", surface: "#141518" },
} as const;

export type Shade = keyof typeof BACKGROUNDS;

/** What text needs against what is behind it (WCAG 2.2, success criterion 1.4.3, level AA). */
export const TEXT_CONTRAST = 4.5;
const STEPS = 50;

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** How well one color is seen on another, 1 to 21 (WCAG 2.2), two decimals, rounded down. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return Math.floor(((light + 0.05) / (dark + 0.05)) * 100) / 100;
}

/** An accent on the worse of a theme's backgrounds. */
export const accentContrast = (accent: string, shade: Shade): number =>
  Math.min(...Object.values(BACKGROUNDS[shade]).map((background) => contrastOf(accent, background)));

/** Itself where it can be read, else as little darker or lighter as it takes. */
export function readableAccent(accent: string, shade: Shade): string {
  const end = shade === "light" ? 0 : 255;
  for (let step = 0; step <= STEPS; step++) {
    const mixed = channelsOf(accent).map((channel) => Math.round(channel + ((end - channel) * step) / STEPS));
    const color = `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
    if (accentContrast(color, shade) >= TEXT_CONTRAST) return color;
  }
  return shade === "light" ? "#000000" : "#ffffff";
}

const COLOR = /^#[0-9a-f]{6}$/i;

export const colorProblem = (text: string): MessageDescriptor | null =>
  COLOR.test(text) ? null : msg("page.color");

export interface LookSettings {
  theme: "auto" | "light" | "dark";
  /** `#rrggbb`; null: ours. */
  accent: string | null;
  /** Markdown. */
  footer: string;
  /** As it was written. */
  css: string;
  /** What the page offers, its own first; empty: all. */
  languages: Language[];
}

export const USUAL_LOOK: LookSettings = { theme: "auto", accent: null, footer: "", css: "", languages: [] };
