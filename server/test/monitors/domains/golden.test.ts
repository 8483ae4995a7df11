import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { DAY, makeDomain, NOW, serve, setCertificate, setHistory, setState } from "./factories.ts";

/** One domain that is down, with everything known of it. */
async function sample(engine: "sqlite" | "postgres") {
  const server = await serve({ engine, alone: true });
  const { store } = server.ctx;
  const { id, uuid } = await makeDomain(server, { name: "Shop", url: "münchen.test", tags: ["eu"] });
  await setState(store, id, {
    status: "down",
    status_since: NOW - 60_000,
    flapping: 1,
    last_check_at: NOW - 5_000,
    last_outcome: 1,
    last_total_us: 91_285,
    last_result: JSON.stringify({ reason: "The server answered 503." }),
  });
  await setHistory(store, id, [
    [NOW - DAY, "up"],
    [NOW - DAY / 8, "down"],
  ]);
  await setCertificate(store, id, { valid: true, expiresAt: NOW + 14 * DAY });
  return { server, id, uuid };
}

eachEngine("the shape in the API", (engine) => {
  test("of a domain in the legacy list", async () => {
    const { server, id, uuid } = await sample(engine);
    expect((await server.api("GET", "/api/domains")).body).toEqual({
      success: true,
      message: "OK",
      data: [
        {
          id,
          uuid,
          url: "https://münchen.test",
          name: "Shop",
          status: "down",
          state: "down",
          flapping: true,
          statusSince: "2026-11-21T12:01:30.000Z",
          lastReason: "The server answered 503.",
          lastReasonFact: { code: "text", params: { text: "The server answered 503." } },
          maintenanceUntil: null,
          suppressedBy: null,
          parents: [],
          uptimePercentage: 87.5,
          responseTime: 91.3,
          lastCheck: "2026-11-21T12:02:25.000Z",
          checkInterval: 60,
          enabled: true,
          tags: ["eu"],
          certificateStatus: "expiring_soon",
          certificateExpiresAt: "2026-12-05T12:02:30.000Z",
          certificateUnverified: false,
          createdAt: "2026-11-21T12:02:30.000Z",
          updatedAt: "2026-11-21T12:02:30.000Z",
        },
      ],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    });
  });

  test("of a domain in the v2 list", async () => {
    const { server, id, uuid } = await sample(engine);
    expect((await server.api("GET", "/v2/domains")).body).toEqual({
      success: true,
      message: "OK",
      data: [
        {
          id,
          uuid,
          name: "Shop",
          url: "https://münchen.test",
          status: "down",
          response_time: 91.3,
          created_at: "2026-11-21T12:02:30.000Z",
          updated_at: "2026-11-21T12:02:30.000Z",
          monitor: { uptime_status: "down" },
          certificate_status: "expiring_soon",
          certificate_expiration_date: "2026-12-05T12:02:30.000Z",
          certificate_unverified: false,
          pivot: { user_domain_name: "Shop" },
          state: "down",
          flapping: true,
          status_since: "2026-11-21T12:01:30.000Z",
          last_reason: "The server answered 503.",
          last_reason_fact: { code: "text", params: { text: "The server answered 503." } },
          maintenance_until: null,
          parents: [],
          suppressed_by: null,
          uptime_percentage: 87.5,
          last_check: "2026-11-21T12:02:25.000Z",
          check_interval: 60,
          enabled: true,
          tags: ["eu"],
        },
      ],
      pagination: { page: 1, per_page: 15, total: 1, total_pages: 1 },
    });
  });

  test("of a creation in the legacy family, nothing being known yet", async () => {
    const server = await serve({ engine, alone: true });
    const { body } = await server.api("POST", "/api/domains", { url: "http://a.test", name: "A" });
    expect(body).toEqual({
      success: true,
      message: "Domain created.",
      data: { ...FRESH, id: 1, uuid: expect.any(String) },
    });
  });
});

const PHASES = { dns: null, connect: null, tls: null, firstByte: null, transfer: null, total: null };

const FRESH = {
  url: "http://a.test",
  name: "A",
  status: "unknown",
  state: "unknown",
  flapping: false,
  statusSince: "2026-11-21T12:02:30.000Z",
  lastReason: null,
  lastReasonFact: null,
  maintenanceUntil: null,
  suppressedBy: null,
  parents: [],
  uptimePercentage: null,
  responseTime: null,
  lastCheck: null,
  checkInterval: 60,
  enabled: true,
  tags: [],
  certificateStatus: "none",
  certificateExpiresAt: null,
  certificateUnverified: false,
  createdAt: "2026-11-21T12:02:30.000Z",
  updatedAt: "2026-11-21T12:02:30.000Z",
  timeout: 10,
  isApi: false,
  authType: "none",
  method: "GET",
  headers: {},
  body: "",
  assertions: [],
  bodyBytes: 65_536,
  followRedirects: true,
  maxRedirects: 10,
  requireTls: false,
  hostHeader: "",
  serverName: "",
  legacyRenegotiation: false,
  ignoreCertificate: false,
  certificateExpiryDays: 14,
  locations: [],
  confirmations: 2,
  recoveries: 2,
  recheckDelay: 2,
  severity: "high",
  description: "",
  objective: 0,
  objectiveDays: 30,
  statusCode: null,
  location: null,
  address: null,
  protocol: null,
  phases: PHASES,
  certificate: {
    valid: null,
    host: null,
    expiresAt: null,
    expiresFirst: null,
    issuer: null,
    status: "none",
    reason: null,
    reasonFact: null,
    subject: null,
    names: [],
    startsAt: null,
    keyType: null,
    fingerprint: null,
    chain: [],
  },
};
