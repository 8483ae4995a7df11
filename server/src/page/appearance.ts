import type { Appearance } from "./public-page.ts";

/** What a page looks like of which nothing was set. */
export const USUAL_APPEARANCE: Appearance = {
  theme: "auto",
  accent: null,
  logo: null,
  footer: null,
  css: null,
  languages: [],
};
