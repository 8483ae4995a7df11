import type { Page } from "playwright-core";
import type { projectDomainDetail } from "../../server/src/monitors/schemas/domains.ts";
import type { projectDomainCheck, projectStatusPeriod } from "../../server/src/monitors/schemas/history.ts";
import type { projectDay, projectPhasesPoint } from "../../server/src/monitors/schemas/monitor-stats.ts";
import { inEnglish } from "../../server/src/platform/i18n/english.ts";
import { msg } from "../../server/src/platform/i18n/message.ts";
import { northwindDomains } from "./northwind.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const refusal = msg("refused", { where: "api.northwind.example (203.0.113.24:443)" });
const refused = inEnglish(refusal);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
/** Looks like noise, and is the same every time: -1…1. */
const wave = (at: number) => Math.sin(at * 1.7) * 0.5 + Math.sin(at * 0.31) * 0.3 + Math.sin(at * 7.1) * 0.2;

type Detail = ReturnType<typeof projectDomainDetail>;

function detail(state: "up" | "down"): Partial<Detail> {
  const down = state === "down";
  return {
    ...northwindDomains[0],
    id: 1,
    status: state,
    state,
    flapping: down,
    statusSince: ago(down ? 4 * minuteMs : 12 * dayMs),
    lastReason: down ? refused : null,
    lastReasonFact: down ? refusal : null,
    checkInterval: 60,
    timeout: 10,
    certificateStatus: "expiring_soon",
    certificate: {
      valid: true,
      status: "expiring_soon",
      reason: null,
      reasonFact: null,
      expiresAt: ago(-9.5 * dayMs),
      startsAt: ago(80 * dayMs),
      host: null,
      expiresFirst: null,
      subject: "CN=api.northwind.example",
      issuer: "C=US, O=Let's Encrypt, CN=E7",
      names: ["api.northwind.example", "checkout.northwind.example", "pay.northwind.example"].flatMap(
        (name) => [name, `www.${name}`],
      ),
      keyType: "EC prime256v1",
      fingerprint: "ab".repeat(32),
      chain: [
        {
          subject: "CN=api.northwind.example",
          issuer: "C=US, O=Let's Encrypt, CN=E7",
          expiresAt: ago(-9.5 * dayMs),
          isUsed: true,
        },
        {
          subject: "C=US, O=Let's Encrypt, CN=E7",
          issuer: "C=US, O=ISRG, CN=ISRG Root X1",
          expiresAt: ago(-480 * dayMs),
          isUsed: true,
        },
      ],
    },
  };
}

function check(minutesAgo: number, failed: boolean): ReturnType<typeof projectDomainCheck> {
  const server = 74 + 22 * wave(minutesAgo) + (minutesAgo === 23 ? 160 : 0);
  const phases = { dns: 1.4, connect: 12.2 + 3 * wave(minutesAgo + 9), tls: 26.5, firstByte: server };
  const total = Math.round(10 * (phases.dns + phases.connect + phases.tls + server + 6)) / 10;
  return {
    id: 1_000_000 - minutesAgo,
    domainId: 1,
    location: "local",
    timestamp: ago(minutesAgo * minuteMs + 12_000),
    ...(failed
      ? {
          status: "down",
          state: "down",
          statusCode: null,
          reason: refused,
          reasonCode: "refused",
          reasonFact: refusal,
          responseTime: 2.1,
        }
      : {
          status: "up",
          state: "up",
          statusCode: 200,
          reason: null,
          reasonCode: null,
          reasonFact: null,
          responseTime: total,
        }),
    message: null,
    messageFact: null,
    phases: failed
      ? { dns: 1.4, connect: null, tls: null, firstByte: null, transfer: null, total: 2.1 }
      : { ...phases, transfer: 5.8, total },
  };
}

function day(daysAgo: number): ReturnType<typeof projectDay> {
  const known = daysAgo < 78;
  const downSeconds = { 4: 610, 31: 9_400, 52: 45 }[daysAgo] ?? 0;
  return {
    date: ago(daysAgo * dayMs).slice(0, 10),
    uptimePercentage: known ? 100 - downSeconds / 864 : null,
    downSeconds,
    totalChecks: known ? 1440 : 0,
    failedChecks: Math.round(downSeconds / 60),
    avgResponseTime: known ? 120 : null,
  };
}

/** A day in steps of five minutes, a week or a month in hours; a hole in it, and a slow time. */
function points(range: string): ReturnType<typeof projectPhasesPoint>[] {
  const [lengthMs, stepMs] =
    range === "24h" ? [dayMs, 5 * minuteMs] : [range === "7d" ? 7 * dayMs : 30 * dayMs, hourMs];
  const count = lengthMs / stepMs;
  const latest = Math.floor(Date.now() / stepMs) * stepMs;
  return Array.from({ length: count }, (_, at) => {
    const server = 74 + 18 * wave(at / 3) + 30 * Math.exp(-(((at - count * 0.6) / (count / 40)) ** 2));
    const phases = { dns: 1.4, connect: 12.2 + 2 * wave(at / 5 + 9), tls: 26.5, firstByte: server };
    const total = phases.dns + phases.connect + phases.tls + server + 6;
    const failedChecks = at === Math.floor(count * 0.8) ? 2 : 0;
    const timestamp = new Date(latest - (count - 1 - at) * stepMs).toISOString();
    return {
      timestamp,
      totalChecks: stepMs / minuteMs,
      failedChecks,
      phases: { ...phases, transfer: 5.8, total },
      p95: total * 1.3,
      p99: total * 1.8,
    };
  }).filter((_, at) => at < count * 0.31 || at > count * 0.33);
}

/** It came back that long ago and went down before, four times. */
const turns = (agoMs: number, eachMs: number): [number, "up" | "down"][] =>
  [0, 1, 2, 3].flatMap((at) => [
    [agoMs + 2 * at * eachMs, "up"],
    [agoMs + (2 * at + 1) * eachMs, "down"],
  ]);

/** What its status was, newest first: outages, one of them across a restart, and a time of flapping. */
function periods(state: "up" | "down", flapping = false): ReturnType<typeof projectStatusPeriod>[] {
  const changes: (readonly [agoMs: number, state: "up" | "down" | "unknown"])[] = [
    ...(state === "down" ? ([[4 * minuteMs, "down"]] as const) : []),
    ...(flapping ? turns(30_000, minuteMs) : []),
    [37 * minuteMs, "up"],
    [39 * minuteMs, "down"],
    [5 * hourMs, "up"],
    [5 * hourMs + 20 * minuteMs, "down"],
    [5 * hourMs + 24 * minuteMs, "unknown"],
    [5 * hourMs + 40 * minuteMs, "down"],
    ...turns(4 * dayMs, 3 * minuteMs),
    [78 * dayMs, "up"],
  ];
  const now = Date.now();
  const before = (agoMs: number) => new Date(now - agoMs).toISOString();
  return changes.map(([agoMs, status], at) => ({
    state: status,
    startedAt: before(agoMs),
    endedAt: at === 0 ? null : before(changes[at - 1]?.[0] ?? 0),
    maintenance: false,
    reason: status === "down" ? refused : null,
    reasonFact: status === "down" ? refusal : status === "unknown" ? msg("watch.silent") : null,
  }));
}

/** One domain of a company with three months of history, which cannot be had in a test any other way. */
export async function answerWithNorthwindDomain(
  page: Page,
  options: {
    state?: "up" | "down";
    /** It went down and came back four times in the last ten minutes. */
    flapping?: boolean;
    /** What is otherwise than usual. */
    change?: Partial<Detail>;
    /** Until then there is nothing but the monitor itself. */
    ready?: Promise<void>;
  } = {},
): Promise<void> {
  const { state = "up" } = options;
  const failed = (minutesAgo: number) =>
    (state === "down" && minutesAgo < 4) || minutesAgo === 6 || minutesAgo === 38;
  const history = Array.from({ length: 100 }, (_, at) => check(at, failed(at)));
  const older = (query: URLSearchParams) =>
    history.filter(({ id }) => id < Number(query.get("before") ?? Infinity));
  const answers: [RegExp, (query: URLSearchParams) => unknown][] = [
    [/\/phases$/, (query) => points(query.get("range") ?? "24h")],
    [/\/history$/, (query) => older(query).slice(0, Math.min(60, Number(query.get("limit"))))],
    [/\/status-history$/, () => periods(state, options.flapping)],
    [/\/days$/, () => Array.from({ length: 90 }, (_, at) => day(89 - at))],
    [/\/locations$/, () => ({ local: history.slice(0, 30), "eu-central": history.slice(4, 34) })],
    [
      /\/summary$/,
      () => ({
        stats: {
          uptime24h: 99.722,
          uptime7d: 99.88,
          uptime30d: 99.964,
          avgResponseTime: 121.4,
          totalChecks: 43_180,
          failedChecks: 14,
          knownSeconds24h: 86_400,
          knownSeconds7d: 7 * 86_400,
          knownSeconds30d: 12 * 86_400,
        },
      }),
    ],
    [
      /\/domains\/1$/,
      () => ({ ...detail(state), ...(options.flapping && { flapping: true }), ...options.change }),
    ],
  ];
  await page.route(/\/api\/domains\/1\b/, async (route) => {
    const url = new URL(route.request().url());
    if (url.pathname !== "/api/domains/1") await options.ready;
    const data = answers.find(([path]) => path.test(url.pathname))?.[1](url.searchParams);
    await route.fulfill({ json: { success: true, message: "OK", data } }).catch(() => {});
  });
}
