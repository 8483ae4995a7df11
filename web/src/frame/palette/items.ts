import type { ReactNode } from "react";
import type { MonitorKind } from "../../kinds.ts";

/** One line of the palette: something to open or to do. */
export interface PaletteItem {
  id: string;
  icon: ReactNode;
  text: string;
  /** Of the text, where it is not the page's. */
  lang?: string;
  /** Beside the text, for telling like ones apart. */
  detail?: string;
  /** At the end of the line. */
  end?: ReactNode;
  /** Where it leads, for another tab. */
  href?: string;
  /** Which monitor it is. */
  monitor?: { kind: MonitorKind; id: number };
  /** The palette stands until what this begins says otherwise. */
  stays?: boolean;
  run: () => void;
}

export interface PaletteGroup {
  id: "found" | "incidents" | "recent" | "down" | "pages" | "settings" | "actions";
  items: PaletteItem[];
}

/** A line of the app's own. */
export interface LocalItem extends PaletteItem {
  /** What stands for it without being shown. */
  also?: readonly string[];
  /** Shown before anything is typed, too. */
  atOnce?: boolean;
  /** Fits whatever was typed. */
  always?: boolean;
}

export interface LocalGroup {
  id: PaletteGroup["id"];
  all: readonly LocalItem[];
}

/** What is asked for first: a monitor, with which this is done. */
export const steps = ["check", "toggle", "copyId"] as const;
export type Step = (typeof steps)[number];

/** What items may do with the palette itself. */
export interface PaletteControls {
  close: () => void;
  /** Asks which monitor. */
  ask: (step: Step) => void;
  /** Says what went wrong, in the palette. */
  fail: (message: string) => void;
}
