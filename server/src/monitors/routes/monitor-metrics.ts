import type { TSchema } from "typebox";
import { allowLongCheck } from "../../platform/http/begin-in-turns.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import { capital } from "../../platform/operations/field.ts";
import type { Verb } from "../../platform/operations/operation.ts";
import type { bulkVerb } from "../bulk-verb.ts";
import type { checkVerbs } from "../check-verbs.ts";
import { domainMetrics, serviceMetrics } from "../metric-verbs.ts";
import type { ResponseTimeTrends } from "../monitor-stats.ts";
import { writeTrends } from "../schemas/history.ts";

/** The metrics of one kind of monitor, and where they are. */
interface MetricsOptions {
  kind: MonitorKind;
  /** Where legacy has the checks of one, below its address. */
  historyPath: string;
  verbs: Record<keyof typeof domainMetrics, Verb> & {
    trends: Verb<TSchema, TSchema, { found: ResponseTimeTrends }>;
  };
}

/** What was measured of domains: stats, trends, history, locations, summary. */
export const describeDomainMetrics = (define: DefineBoth): void =>
  describeMetrics(define, { kind: "domain", historyPath: "/monitoring/history", verbs: domainMetrics });

/** The same of services. */
export const describeServiceMetrics = (define: DefineBoth): void =>
  describeMetrics(define, { kind: "service", historyPath: "/history", verbs: serviceMetrics });

function describeMetrics(define: DefineBoth, options: MetricsOptions): void {
  describeAll(define, options);
  describeOne(define, options);
}

function describeAll(define: DefineBoth, { kind, verbs }: MetricsOptions): void {
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
    summary: `Metrics of all ${kind}s together`,
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

function describeOne(define: DefineBoth, { kind, historyPath, verbs }: MetricsOptions): void {
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
      "Uptime, downtime, checks and mean response time of each day in UTC. Days before the first check have no metrics.",
    v2: { url: `${v2}/days` },
  });
  define({
    verb: verbs.statusHistory,
    method: "GET",
    url: `${one}/monitoring/status-history`,
    summary: `What a ${kind}'s status was and when, newest first`,
    description:
      "One entry a period, with the reason. The oldest may have begun before the requested days; periods without any status yet have no entry.",
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

/** Where a kind of monitor is in the API. */
interface Checked<C extends TSchema> {
  url: `/api/${string}`;
  noun: string;
  verbs: ReturnType<typeof checkVerbs<C>>;
  /** The specification's words for settings in v2. */
  v2?: { body: TSchema };
}

/** To check at once: what is watched, and settings before they are saved. */
export function describeChecks<C extends TSchema>(
  define: DefineBoth,
  { url, noun, verbs, v2 }: Checked<C>,
): void {
  const limit = { group: `${noun}-test`, perMinute: 30 };
  define({
    verb: verbs.check,
    method: "POST",
    url: `${url}/:id/check`,
    limit: { group: `${noun}-check`, perMinute: 60 },
    failures: [409, 503],
    before: allowLongCheck,
    summary: `Check a ${noun} now`,
    description: `All locations that check it do so at once, beside the schedule; the answer is the first result, within the timeout and a second. Results are stored and count like any other: a failure still has to be confirmed. A check that is under way is not begun again. A failed check is a 200. 409 for a ${noun} that is paused or that nothing checks; 503 when no probe is there, or no result comes in time.`,
    message: `${noun === "domain" ? "Domain" : "Service"} checked.`,
  });
  define({
    verb: verbs.test,
    assistant: noun === "domain",
    method: "POST",
    url: `${url}/test`,
    limit,
    failures: [409],
    before: allowLongCheck,
    summary: `Check a ${noun} once without monitoring it`,
    description: `Takes what creating a ${noun} takes and checks it once, from the server itself. Nothing is stored, and a check that fails is a 200 with \`state: down\`.`,
    ...(v2 && { v2 }),
    message: `${noun === "domain" ? "Domain" : "Service"} checked.`,
  });
  define({
    verb: verbs.testChange,
    assistant: false,
    method: "POST",
    url: `${url}/:id/test`,
    limit,
    failures: [409],
    before: allowLongCheck,
    summary: `Check a ${noun} once as a change would have it`,
    description: `Takes what changing a ${noun} takes, checks once what would come of it, and changes nothing. Stored credentials are used, and refused, as the change itself would.`,
    message: `${noun === "domain" ? "Domain" : "Service"} checked.`,
  });
}

/** Where a kind of monitor is in the API. */
interface Changed {
  url: `/api/${string}`;
  noun: MonitorKind;
  verb: ReturnType<typeof bulkVerb>;
}

/** To change many at once. */
export function describeBulk(define: DefineBoth, { url, noun, verb }: Changed): void {
  define({
    verb,
    method: "POST",
    url: `${url}/bulk`,
    failures: [409],
    summary: `Pause, resume, delete or tag many ${noun}s`,
    description: `Runs in one transaction and counts as one write for the rate limit. Changes ${noun}s of one organization: the one that \`organization\` names, by default that of your key or session. ${capital(noun)}s that cannot be changed are listed in \`failed\`, with the error that changing them alone in that organization would return; the others are changed. Ids that are unknown there are a 404, also those of your other organizations: send a request for each.`,
  });
}
