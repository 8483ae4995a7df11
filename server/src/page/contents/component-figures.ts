/** What a page may show of a component beside its status, and where that is kept. Store, API and app have each of these by this table. */
export const COMPONENT_FIGURES = {
  showsUptime: {
    column: "shows_uptime",
    description: "Whether visitors see its uptime of 90 days.",
    usual: true,
  },
  showsDays: {
    column: "shows_days",
    description: "Whether they see each of the 90 days, with its outages.",
    usual: true,
  },
  showsResponseTimes: {
    column: "shows_response_times",
    description: "Whether they see its response times of 24 hours.",
    usual: false,
  },
} as const satisfies Record<string, { column: string; description: string; usual: boolean }>;

export type ComponentFigure = keyof typeof COMPONENT_FIGURES;
export type FigureColumn = (typeof COMPONENT_FIGURES)[ComponentFigure]["column"];
/** Which of them are shown. */
export type ShownFigures = Record<ComponentFigure, boolean>;

export const FIGURE_NAMES = Object.keys(COMPONENT_FIGURES) as ComponentFigure[];

/** Something of each. */
export const ofEachFigure = <T>(make: (figure: ComponentFigure) => T) =>
  Object.fromEntries(FIGURE_NAMES.map((figure) => [figure, make(figure)])) as Record<ComponentFigure, T>;

/** Of something that says more, which of them are shown. */
export const figuresOf = (shown: ShownFigures): ShownFigures => ofEachFigure((figure) => shown[figure]);

/** Which are shown where nothing is said. */
export const USUAL_FIGURES: ShownFigures = ofEachFigure((figure) => COMPONENT_FIGURES[figure].usual);
