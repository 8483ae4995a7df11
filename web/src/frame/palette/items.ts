import type { ParseKeys, TFunction } from "i18next";
import type { ReactNode } from "react";
import type { MonitorKind } from "../../kinds.ts";

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
  /** The palette stays open until this action closes it. */
  stays?: boolean;
  run: () => void;
}

export interface PaletteGroup {
  id: "found" | "incidents" | "recent" | "down" | "pages" | "settings" | "actions";
  items: PaletteItem[];
}

export interface LocalItem extends PaletteItem {
  /** Search terms that are not shown. */
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

/** What has to be chosen first: the monitor of the action. */
export const steps = ["check", "toggle", "copyId"] as const;
export type Step = (typeof steps)[number];

export interface PaletteControls {
  close: () => void;
  /** Has a monitor chosen. */
  openStep: (step: Step) => void;
  /** Says what went wrong, in the palette. */
  fail: (message: string) => void;
}

/** Text as it is compared: upper and lower case are the same, in every script. */
const fold = (text: string): string => text.normalize("NFC").toLowerCase();

/** After one of these a word begins. */
const wordBreak = /[\s\-_./:(@]/;

/** How well a name fits, the best first, as the server ranks what it finds; `apart`: its words are there, but not together. */
export const fits = ["whole", "start", "word", "part", "apart"] as const;

/** A place in `fits`; null for none. `more`: search terms that are not shown, such as another language's name. */
export function fitOf(typed: string, name: string, more: readonly string[] = []): number | null {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const phrase = words.join(" ");
  const own = fold(name);
  const all = [own, ...more.map(fold)];
  if (!words.every((word) => all.some((text) => text.includes(word)))) return null;
  if (own === phrase) return fits.indexOf("whole");
  if (own.startsWith(phrase)) return fits.indexOf("start");
  for (let at = own.indexOf(phrase); at > 0; at = own.indexOf(phrase, at + 1)) {
    if (wordBreak.test(own[at - 1] ?? "")) return fits.indexOf("word");
  }
  return fits.indexOf(own.includes(phrase) ? "part" : "apart");
}

/** What looks like a site: a name with a dot, an IPv4 address, or anything with `http://` in front. */
const site =
  /^(?:https?:\/\/\S+|(?:localhost|(?:\d{1,3}\.){3}\d{1,3}|[^\s/:?#@]+\.[^\s/:?#@.]{2,})(?:[:/?#]\S*)?)$/i;

/** The address that was typed; null for what cannot be one. */
export function addressIn(typed: string): string | null {
  const text = typed.trim();
  return site.test(text) ? text : null;
}

/** The text of a key, and in English: a command can also be found by its English name. */
export const named = (
  t: TFunction<"frame/palette">,
  key: ParseKeys<"frame/palette">,
  values: Record<string, unknown> = {},
) => ({ text: t(key, values), also: [t(key, { ...values, lng: "en" })] });
