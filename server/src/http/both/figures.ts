import type { TSchema } from "typebox";
import { domainFigures } from "../../monitor/domain-figures.ts";
import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { ResponseTimeTrends } from "../../monitor/response-time-trends.ts";
import { serviceFigures } from "../../monitor/service-figures.ts";
import type { Verb } from "../../verb/verb.ts";
import { writeTrends } from "../../wire/trend-json.ts";
import type { DefineBoth } from "../both-families.ts";

/** The figures of one kind of monitor, and where they are. */
interface Figures {
  kind: MonitorKind;
  /** Where legacy has the checks of one, below its address. */
  historyPath: string;
  verbs: Record<keyof typeof domainFigures, Verb> & {
    trends: Verb<TSchema, TSchema, { found: ResponseTimeTrends }>;
  };
}

/** What was measured of domains: stats, trends, history, locations, summary. */
export const describeDomainFigures = (define: DefineBoth): void =>
  describeFigures(define, { kind: "domain", historyPath: "/monitoring/history", verbs: domainFigures });

/** The same of services. */
export const describeServiceFigures = (define: DefineBoth): void =>
  describeFigures(define, { kind: "service", historyPath: "/history", verbs: serviceFigures });

function describeFigures(define: DefineBoth, figures: Figures): void {
  describeAll(define, figures);
  describeOne(define, figures);
}

function describeAll(define: DefineBoth, { kind, verbs }: Figures): void {
  const all = `/api/${kind}s`;
  define({
    verb: verbs.limits,
    method: "GET",
    url: `${all}/limits`,
    summary: "What the plan and the installation allow",
    description: `The smallest interval, how many ${kind}s, and the locations to check from.`,
  });
  define({
    verb: verbs.stats,
    method: "GET",
    url: `${all}/stats`,
    summary: `Figures of all ${kind}s together`,
    description:
      "How many there are in each status, and the mean response time and uptime of the last 24 hours.",
  });
  define({
    verb: verbs.sparklines,
    assistant: false,
    method: "GET",
    url: `${all}/sparklines`,
    summary: `The last 24 hours of many ${kind}s, for the rows of a list`,
    description: `For up to 100 ${kind}s, hour by hour: the worst status, the uptime and the mean response time. One small answer for a page of a list; in the order of their ids, without those that are unknown.`,
  });
  define({
    verb: verbs.trends,
    method: "GET",
    url: `${all}/response-time-trends`,
    summary: `Response times of every ${kind} over a range`,
    description: `One entry a ${kind}, newest ${kind} first, with its mean, fastest and slowest response time and the points of a chart.`,
    write: ({ found }, word, around) => writeTrends(kind, found, word, around),
  });
}

function describeOne(define: DefineBoth, { kind, historyPath, verbs }: Figures): void {
  const one = `/api/${kind}s/:id`;
  const v2 = `/v2/${kind}s/:uuid`;
  define({
    verb: verbs.history,
    method: "GET",
    url: `${one}${historyPath}`,
    summary: `The checks of a ${kind}, newest first`,
    description: "Each check with its result, the location it was made from, and what its time was spent on.",
    v2: { url: `${v2}/history` },
  });
  define({
    verb: verbs.locations,
    method: "GET",
    url: `${one}/monitoring/locations`,
    summary: `The checks of a ${kind} by location, newest first`,
    description: `An object with one list for each location code: compare how the ${kind} is seen from different places.`,
    v2: { url: `${v2}/locations` },
  });
  define({
    verb: verbs.phases,
    method: "GET",
    url: `${one}/monitoring/phases`,
    summary: `What a ${kind}'s response time was made of, oldest first`,
    description:
      "Mean time of name resolution, connection, TLS and first byte, point by point, for a stacked chart.",
    v2: { url: `${v2}/phases` },
  });
  define({
    verb: verbs.days,
    method: "GET",
    url: `${one}/monitoring/days`,
    summary: `A ${kind} day by day, oldest first`,
    description:
      "Uptime, downtime, checks and mean response time of each day in UTC. Days before the first check have no figures.",
    v2: { url: `${v2}/days` },
  });
  define({
    verb: verbs.statusHistory,
    method: "GET",
    url: `${one}/monitoring/status-history`,
    summary: `What a ${kind}'s status was and when, newest first`,
    description:
      "One entry a period, with the reason. The oldest may have begun before the days asked for; periods without any status yet have no entry.",
    v2: { url: `${v2}/status-history` },
  });
  define({
    verb: verbs.objective,
    method: "GET",
    url: `${one}/monitoring/objective`,
    summary: `What is left of a ${kind}'s error budget`,
    description:
      "What its objective allows to be down, what was used of that, what is left, and how fast it is being used up.",
    v2: { url: `${v2}/objective` },
  });
  define({
    verb: verbs.summary,
    method: "GET",
    url: `${one}/summary`,
    summary: `A ${kind}'s summary`,
    description:
      "Uptime over a day, a week and a month, checks and response time of the last 30 days, and the certificate.",
  });
}
