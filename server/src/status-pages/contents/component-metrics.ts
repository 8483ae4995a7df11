/** What a page may show of a component beside its status, and its column. Store, API and app take these from this table. */
export const COMPONENT_METRICS = {
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

export type ComponentMetric = keyof typeof COMPONENT_METRICS;
export type MetricColumn = (typeof COMPONENT_METRICS)[ComponentMetric]["column"];
/** Which of them are shown. */
export type ShownMetrics = Record<ComponentMetric, boolean>;

export const METRIC_NAMES = Object.keys(COMPONENT_METRICS) as ComponentMetric[];

/** Something of each. */
export const ofEachMetric = <T>(make: (metric: ComponentMetric) => T) =>
  Object.fromEntries(METRIC_NAMES.map((metric) => [metric, make(metric)])) as Record<ComponentMetric, T>;

/** Of something that says more, which of them are shown. */
export const metricsOf = (shown: ShownMetrics): ShownMetrics => ofEachMetric((metric) => shown[metric]);

/** Which are shown where nothing is said. */
export const DEFAULT_METRICS: ShownMetrics = ofEachMetric((metric) => COMPONENT_METRICS[metric].usual);
