/** What a page may show of a component beside its status, with its column: for store, API and app. */
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
export type ShownMetrics = Record<ComponentMetric, boolean>;

export const METRIC_NAMES = Object.keys(COMPONENT_METRICS) as ComponentMetric[];

export const ofEachMetric = <T>(make: (metric: ComponentMetric) => T) =>
  Object.fromEntries(METRIC_NAMES.map((metric) => [metric, make(metric)])) as Record<ComponentMetric, T>;

export const metricsOf = (shown: ShownMetrics): ShownMetrics => ofEachMetric((metric) => shown[metric]);

export const DEFAULT_METRICS: ShownMetrics = ofEachMetric((metric) => COMPONENT_METRICS[metric].usual);
