import { expect, it, onTestFinished } from "vitest";
import { hang, redirect, respond, slow, status } from "../../harness/behaviours.ts";
import { eventually } from "../../harness/eventually.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget, startTlsTarget, type Target } from "../../harness/targets.ts";
import { type Answer, type Installation, install } from "./client.ts";

const SLOW_MS = 150;
/** The plan allows 1,200 requests a minute. */
const POLL_MS = 150;
/** Two intervals, where the one recheck an interval was made before, and the checks themselves. */
const CONFIRMED_WITHIN_MS = 25_000;

/** One site of every kind that the story is about. */
async function startSites() {
  const sites = {
    up: await startHttpTarget(),
    slow: await startHttpTarget({ handler: slow(SLOW_MS) }),
    failing: await startHttpTarget({ handler: status(503) }),
    hanging: await startHttpTarget({ handler: hang }),
    secure: await startTlsTarget({ certificate: "valid" }),
    expired: await startTlsTarget({ certificate: "expired" }),
    moved: await startHttpTarget(),
  };
  sites.moved.set((socket, request) =>
    (request.path === "/" ? redirect("/elsewhere") : respond())(socket, request),
  );
  for (const site of Object.values(sites)) onTestFinished(() => site.close());
  return sites;
}

type Sites = Awaited<ReturnType<typeof startSites>>;
type Ids = Record<keyof Sites, Answer>;

async function addDomains({ call }: Installation, sites: Sites): Promise<Ids> {
  const ids: Partial<Ids> = {};
  for (const [name, site] of Object.entries(sites) as [keyof Sites, Target][]) {
    const degraded = [{ type: "response_time", degradedAboveMs: SLOW_MS / 3 }];
    const body = {
      name,
      url: site.url,
      checkInterval: 10,
      timeout: 1,
      ...(name === "slow" && { assertions: degraded }),
    };
    ids[name] = (await call("/api/domains", { method: "POST", body })).data;
  }
  return ids as Ids;
}

const EXPECTED: Record<keyof Sites, { status: string; state: string; reason: RegExp | null }> = {
  up: { status: "up", state: "up", reason: null },
  slow: { status: "up", state: "degraded", reason: null },
  failing: { status: "down", state: "down", reason: /503/ },
  hanging: { status: "down", state: "down", reason: /within|answer|second/i },
  secure: { status: "up", state: "up", reason: null },
  expired: { status: "down", state: "down", reason: /certificate.*expired|expired/i },
  moved: { status: "up", state: "up", reason: null },
};

/** Both families' details of one domain. */
const look = async ({ call }: Installation, own: Answer) => ({
  legacy: (await call(`/api/domains/${own.id}`)).data,
  v2: (await call(`/v2/domains/${own.uuid}`)).data,
});

eachEngine("the whole server reports the truth", (engine) => {
  it("of targets that are up, slow, failing, hanging, moved, secure and badly certified, through every domain endpoint", async () => {
    const sites = await startSites();
    const installation = await install(engine);
    const { call } = installation;
    const ids = await addDomains(installation, sites);

    for (const [name, expected] of Object.entries(EXPECTED) as [keyof Sites, (typeof EXPECTED)["up"]][]) {
      const { legacy, v2 } = await eventually(
        () => look(installation, ids[name]),
        ({ legacy: seen }) => seen.state === expected.state,
        10_000,
        POLL_MS,
      );
      expect(legacy).toMatchObject({ id: ids[name].id, name, status: expected.status, checkInterval: 10 });
      expect(v2).toMatchObject({ uuid: ids[name].uuid, name, status: expected.status });
      if (expected.reason) expect(legacy.lastReason).toMatch(expected.reason);
    }
    await expectLists(call);
    await expectCertificates(installation, ids);
    await expectStats(installation, ids);
    expect(sites.moved.requests.map(({ path }) => path)).toContain("/elsewhere");
    const incidents = (await call("/api/incidents")).data;
    expect(incidents.map(({ affectedServices }: Answer) => affectedServices[0]).sort()).toEqual([
      "expired",
      "failing",
      "hanging",
    ]);

    sites.failing.set(respond());
    await sites.up.refuse();
    await eventually(
      () => look(installation, ids.failing),
      ({ legacy }) => legacy.status === "up",
      CONFIRMED_WITHIN_MS,
      POLL_MS,
    );
    const fallen = await eventually(
      () => look(installation, ids.up),
      ({ v2 }) => v2.status === "down",
      CONFIRMED_WITHIN_MS,
      POLL_MS,
    );
    expect(fallen.legacy.lastReason).toMatch(/refused/i);
    const open = (await call("/api/incidents?status=resolved")).data;
    expect(open).toMatchObject([{ affectedServices: ["failing"], status: "resolved" }]);
    const summary = (await call(`/api/domains/${ids.failing.id}/summary`)).data;
    expect(summary.stats.uptime24h).toBeGreaterThan(0);
    expect(summary.stats.uptime24h).toBeLessThan(100);
  }, 240_000);
});

async function expectLists(call: Installation["call"]): Promise<void> {
  const names = (answer: Answer) => answer.data.map(({ name }: Answer) => name).sort();
  const all = await call("/api/domains");
  expect(all.pagination).toEqual({ page: 1, limit: 20, total: 7, totalPages: 1 });
  expect(names(await call("/api/domains?status=down"))).toEqual(["expired", "failing", "hanging"]);
  expect(names(await call("/api/domains?status=up"))).toEqual(["moved", "secure", "slow", "up"]);
  expect(names(await call("/api/domains?search=ANG"))).toEqual(["hanging"]);
  const v2 = await call("/v2/domains?per_page=100");
  const uptimeStatus = Object.fromEntries(
    v2.data.map((item: Answer) => [item.pivot.user_domain_name, item.monitor.uptime_status]),
  );
  expect(uptimeStatus).toEqual({
    up: "up",
    slow: "up",
    failing: "down",
    hanging: "down",
    secure: "up",
    expired: "down",
    moved: "up",
  });
  expect((await call("/api/domains/stats")).data).toMatchObject({ total: 7, up: 4, down: 3, unknown: 0 });
  expect((await call("/v2/domains/stats")).data).toMatchObject({ total: 7, up: 4, down: 3, unknown: 0 });
  expect((await call("/api/dashboard/stats")).data).toMatchObject({ domains: { total: 7, up: 4, down: 3 } });
}

async function expectCertificates({ call }: Installation, ids: Ids): Promise<void> {
  const list = (await call("/v2/domains?per_page=100")).data;
  const certificateOf = (name: string) => list.find((item: Answer) => item.pivot.user_domain_name === name);
  expect(certificateOf("secure").certificate_status).toBe("valid");
  expect(certificateOf("expired").certificate_status).toBe("expired");
  expect(certificateOf("up").certificate_status).toBe("none");
  const secure = (await call(`/api/domains/${ids.secure.id}`)).data.certificate;
  expect(secure).toMatchObject({ valid: true, issuer: expect.any(String) });
  expect(Date.parse(secure.expiresAt)).toBeGreaterThan(Date.now());
  const expired = (await call(`/api/domains/${ids.expired.id}/summary`)).data.certificate;
  expect(expired.valid).toBe(false);
  expect(Date.parse(expired.expiresAt)).toBeLessThan(Date.now());
}

async function expectStats({ call }: Installation, ids: Ids): Promise<void> {
  const history = (await call(`/api/domains/${ids.slow.id}/monitoring/history?range=1h`)).data;
  expect(history[0]).toMatchObject({ domainId: ids.slow.id, status: "up", statusCode: 200 });
  expect(history[0].responseTime).toBeGreaterThanOrEqual(SLOW_MS);
  const failures = (await call(`/v2/domains/${ids.failing.uuid}/history?range=1h`)).data;
  expect(failures.length).toBeGreaterThanOrEqual(2);
  expect(failures[0]).toMatchObject({ status: "down", status_code: 503 });
  const locations = (await call(`/api/domains/${ids.hanging.id}/monitoring/locations`)).data;
  expect(Object.keys(locations)).toEqual(["local"]);
  expect(locations.local[0]).toMatchObject({ status: "down" });
  const v2Locations = (await call(`/v2/domains/${ids.up.uuid}/locations`)).data;
  expect(v2Locations.local[0]).toMatchObject({ status: "up" });
  for (const path of [
    "/api/domains/response-time-trends?range=1h",
    "/v2/domains/response-time-trends?range=1h",
  ]) {
    const trends = (await call(path)).data;
    const slowest = trends.find((item: Answer) => (item.domainName ?? item.domain_name) === "slow");
    expect(slowest.avgResponseTime ?? slowest.avg_response_time).toBeGreaterThanOrEqual(SLOW_MS);
  }
  const v2Summary = (await call(`/v2/domains/${ids.failing.uuid}/summary`)).data;
  expect(v2Summary.stats.failed_checks).toBe(v2Summary.stats.total_checks);
}
