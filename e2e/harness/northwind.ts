import type { projectDomain } from "../../server/src/monitors/schemas/domains.ts";
import type { projectSparkline } from "../../server/src/monitors/schemas/monitor-stats.ts";
import { inEnglish } from "../../server/src/platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../server/src/platform/i18n/message.ts";

type Domain = ReturnType<typeof projectDomain>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

let lastId = 0;

/** Up for `sinceMs` with a certificate of `certificateDays` (null: plain http), changed where it differs. */
function domain(
  name: string,
  url: string,
  sinceMs: number,
  responseTime: number,
  certificateDays: number | null,
  change: Partial<Domain> = {},
): Domain {
  const id = ++lastId;
  const now = Date.now();
  const ends = certificateDays === null ? null : new Date(now + certificateDays * dayMs + hourMs);
  return {
    id,
    uuid: `0190b6a4-7f4b-7c3a-9c61-${String(id).padStart(12, "0")}`,
    name,
    url,
    status: "up",
    state: "up",
    flapping: false,
    maintenanceUntil: null,
    suppressedBy: null,
    parents: [],
    statusSince: new Date(now - sinceMs).toISOString(),
    uptimePercentage: 100,
    responseTime,
    lastCheck: new Date(now - 12_000).toISOString(),
    lastReason: null,
    lastReasonFact: null,
    checkInterval: 60,
    enabled: true,
    tags: [],
    certificateStatus:
      certificateDays === null
        ? "none"
        : certificateDays < 0
          ? "expired"
          : certificateDays < 14
            ? "expiring_soon"
            : "valid",
    certificateExpiresAt: ends?.toISOString() ?? null,
    certificateUnverified: false,
    createdAt: new Date(now - 120 * dayMs).toISOString(),
    updatedAt: new Date(now - 120 * dayMs).toISOString(),
    ...change,
  };
}

const reasonOf = (reason: MessageDescriptor) => ({ lastReason: inEnglish(reason), lastReasonFact: reason });

/** The domains of a middle-sized company on an ordinary day: every state that the list can show, in the API's order by status. */
export const northwindDomains: Domain[] = [
  domain("Checkout API", "https://api.northwind.example/checkout/health", 4 * minuteMs, 30_000, 41, {
    status: "down",
    state: "down",
    uptimePercentage: 99.712,
    tags: ["production", "payments", "eu", "tier-1", "Kasse"],
    ...reasonOf(msg("refused", { where: "api.northwind.example (203.0.113.24:443)" })),
  }),
  domain("Product search", "https://search.northwind.example/_health", 18 * minuteMs, 1840.2, 78, {
    state: "degraded",
    uptimePercentage: 99.948,
    ...reasonOf(msg("slow", { took: 1840, limit: 1500 })),
  }),
  domain("Blog", "https://blog.northwind.example/", 0, 0, null, {
    status: "unknown",
    state: "unknown",
    statusSince: null,
    lastCheck: null,
    responseTime: null,
    uptimePercentage: null,
  }),
  domain("Customer portal", "https://portal.northwind.example/login", 12 * dayMs, 203.1, 64, {
    tags: ["production", "eu"],
  }),
  domain("Documentation", "https://docs.northwind.example/", 31 * dayMs, 74.3, 9),
  domain("Images", "https://img.northwind.example/ping", 3 * hourMs, 8.3, 202, { uptimePercentage: 99.871 }),
  domain("Partner feed", "https://partners.northwind.example/feed.xml", 2 * dayMs, 318.9, -3, {
    uptimePercentage: 98.2,
  }),
  domain("Shop", "https://www.northwind.example/", 37 * dayMs, 128.4, 64, { uptimePercentage: 99.984 }),
  domain("Warehouse gateway", "http://10.20.0.14:8080/status", 5 * dayMs, 12.6, null),
  domain("staging.northwind.example", "https://staging.northwind.example/", 6 * dayMs, 410.7, 33, {
    status: "unknown",
    state: "paused",
    enabled: false,
    uptimePercentage: 97.1,
  }),
];

type Sparkline = ReturnType<typeof projectSparkline>;

/** Looks like noise, and is the same every time: -1…1. */
const wave = (at: number) => Math.sin(at * 1.7) * 0.6 + Math.sin(at * 0.31) * 0.4;

/** Their last 24 hours: what is down was up until now, and was down for a while eight hours ago. */
export const northwindSparklines = (ids: readonly number[]): Sparkline[] => {
  const thisHour = Date.now() - (Date.now() % hourMs);
  return northwindDomains
    .filter(({ id, lastCheck }) => ids.includes(id) && lastCheck !== null)
    .map(({ id, uuid, state, enabled, responseTime }) => ({
      id,
      uuid,
      iconUrl: null,
      iconDue: false,
      hours: Array.from({ length: 24 }, (_, hour) => {
        const isNow = hour > 22;
        const status =
          state === "down" && (isNow || hour === 15)
            ? "down"
            : state === "degraded" && hour > 19
              ? "degraded"
              : enabled || hour < 10
                ? "up"
                : "unknown";
        return {
          timestamp: new Date(thisHour - (23 - hour) * hourMs).toISOString(),
          status: status as "up" | "down" | "degraded" | "unknown",
          uptimePercentage: status === "unknown" ? null : status === "down" ? 60 : 100,
          responseTime:
            status === "unknown" || status === "down"
              ? null
              : (responseTime ?? 0) * (1 + wave(hour + id) / 3),
        };
      }),
    }));
};
