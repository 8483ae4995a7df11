import type { LookSettings } from "../look/look.ts";
import { readCss } from "../look/read-css.ts";
import { html } from "../render/html.ts";
import { markdown } from "../render/markdown.ts";
import type { Appearance } from "./public-page.ts";

/** What visitors get of it: of style sheets only what is allowed now, whatever was when they were written. */
export function appearanceOf(
  { theme, accent, footer, css, languages }: LookSettings,
  logo: string | null,
): Appearance {
  return {
    ...{ theme, accent, logo, languages },
    footer: html`${markdown(footer)}`.text || null,
    css: readCss(css).css || null,
  };
}
