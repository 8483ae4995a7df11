/** A page's texts with their columns: for store, API and editor. */
export const PAGE_TEXTS = {
  name: { column: "name", usual: "" },
  /** Unique in the installation. */
  slug: { column: "slug", usual: "" },
  /** Plain text. */
  description: { column: "description", usual: "" },
  timeZone: { column: "time_zone", usual: "UTC" },
} as const satisfies Record<string, { column: string; usual: string }>;

/** A page's switches with their columns: for store, API and editor. */
export const PAGE_SWITCHES = {
  isPublic: {
    column: "is_public",
    description: "False: only members of the organization can see it.",
    usual: true,
  },
  showAutomatic: {
    column: "show_automatic",
    description:
      "Whether outages of what it shows appear automatically. False: only incidents with an update for visitors.",
    usual: true,
  },
} as const satisfies Record<string, { column: string; description: string; usual: boolean }>;

export type PageText = keyof typeof PAGE_TEXTS;
export type PageSwitch = keyof typeof PAGE_SWITCHES;
export type TextColumn = (typeof PAGE_TEXTS)[PageText]["column"];
export type SwitchColumn = (typeof PAGE_SWITCHES)[PageSwitch]["column"];

export type PlainSettings = Record<PageText, string> & Record<PageSwitch, boolean>;

export const SWITCH_NAMES = Object.keys(PAGE_SWITCHES) as PageSwitch[];
export const TEXT_NAMES = Object.keys(PAGE_TEXTS) as PageText[];

export const ofEach = <Name extends string, T>(names: readonly Name[], make: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;

export const plainSettings = (page: PlainSettings): PlainSettings => ({
  ...ofEach(TEXT_NAMES, (name) => page[name]),
  ...ofEach(SWITCH_NAMES, (name) => page[name]),
});

/** Defaults; name and slug are always given. */
export const USUAL_PLAIN: PlainSettings = {
  ...ofEach(TEXT_NAMES, (name) => PAGE_TEXTS[name].usual),
  ...ofEach(SWITCH_NAMES, (name) => PAGE_SWITCHES[name].usual),
};
