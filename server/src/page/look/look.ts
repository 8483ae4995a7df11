import type { Language } from "../../texts/languages.ts";
import type { Appearance } from "../document/public-page.ts";

/** What people set of how a page looks. */
export interface LookSettings {
  theme: Appearance["theme"];
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
