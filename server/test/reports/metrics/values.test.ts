import { describe, expect, test } from "vitest";
import { missingServers } from "../../harness/daemons.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { agentOf, metrics, serverWithDevices, T0 } from "../../monitors/devices/device-setup.ts";
import { promtoolSays, type Sample, samplesOf } from "./samples.ts";

const DAY_MS = 86_400_000;
const HOSTILE = ['a"} 1', "back\\slash\\", "\\n", "{}=,# HELP x", "漢字 🛰 \u200d", "'; --", "%s ${x}"];

/** A domain of which this much is known, as the pipeline would have stored it. */
async function addDomain(server: TestServer, name: string, state: object = {}): Promise<number> {
  const { status, body } = await server.api("POST", "/api/domains", { name, url: `https://${T0}.test` });
  expect([status, body.errors]).toEqual([201, undefined]);
  const monitor_id = body.data.id as number;
  const known = {
    ...{ monitor_id, status: "up", status_since: T0 - DAY_MS, rules: "{}", flapping: 0 },
    ...{ last_check_at: T0 - 5_000, last_outcome: 0, last_status_code: 200, last_total_us: 1_500 },
    ...{ last_result: null, consecutive_failures: 0, stale_at: null },
    ...state,
  };
  const { db } = server.ctx.store;
  await db.deleteFrom("monitor_states").where("monitor_id", "=", monitor_id).execute();
  await db
    .insertInto("monitor_states")
    .values(known as never)
    .execute();
  return monitor_id;
}

async function scrape(server: Pick<TestServer, "api">, key?: string) {
  const { status, body } = await server.api("GET", "/metrics", undefined, key === undefined ? {} : { key });
  expect(status).toBe(200);
  return samplesOf(body).filter(({ metric }) => /^vedette_(monitor|device)_/.test(metric));
}

/** What there is of one monitor, without the labels that every sample of it has. */
const knownFromPage = (samples: readonly Sample[], name: string): Record<string, number> =>
  Object.fromEntries(
    samples
      .filter(({ labels }) => labels["name"] === name)
      .map(({ metric, labels: { organization: _, monitor, name: _name, kind, ...own }, value }) => [
        [metric.replace(/^vedette_/, ""), ...Object.values(own)].join(" "),
        value,
      ]),
  );

eachEngine("the values of /metrics", (engine) => {
  test("are a domain's state, response time, uptime and certificate, in seconds and ratios", async () => {
    const { server, ctx } = await serverWithDevices(engine);
    const monitorId = await addDomain(server, "Shop", { status: "degraded" });
    await ctx.store.db
      .insertInto("certificates")
      .values({
        ...{ monitor_id: monitorId, valid: 1, expires_at: T0 + 30 * DAY_MS, issuer: "CA" },
        ...{ fingerprint: "f", report: "{}", seen_at: T0 },
      })
      .execute();
    const organization_id = server.person.organization.id;
    const change = { organization_id, monitor_id: monitorId, location_id: null, maintenance: 0 as const };
    for (const [from_status, to_status, at] of [
      ["unknown", "up", T0 - 10 * DAY_MS],
      ["up", "down", T0 - 3 * DAY_MS],
      ["down", "degraded", T0 - 2.5 * DAY_MS],
    ] as const) {
      await ctx.store.db
        .insertInto("transitions")
        .values({ ...change, from_status, to_status, at, detected_at: at, reason: null })
        .execute();
    }
    expect(knownFromPage(await scrape(server), "Shop")).toEqual({
      monitor_up: 1,
      monitor_status: 2,
      monitor_status_since_timestamp_seconds: (T0 - DAY_MS) / 1000,
      monitor_enabled: 1,
      monitor_maintenance: 0,
      monitor_last_check_timestamp_seconds: (T0 - 5_000) / 1000,
      monitor_response_seconds: 0.0015,
      monitor_certificate_expiry_timestamp_seconds: (T0 + 30 * DAY_MS) / 1000,
      monitor_certificate_valid: 1,
      "monitor_uptime_ratio 24h": 1,
      "monitor_uptime_ratio 7d": 6.5 / 7,
      "monitor_uptime_ratio 30d": 0.95,
    });
  });

  test("say nothing of what is not known yet, and that a monitor is paused or in maintenance", async () => {
    const { server } = await serverWithDevices(engine);
    const { body } = await server.api("POST", "/api/domains", { name: "New", url: "https://new.test" });
    await server.api("PUT", `/api/domains/${body.data.id}`, { enabled: false });
    await addDomain(server, "Worked on", { status: "down", maintenance_until: T0 + 1 });
    const samples = await scrape(server);
    expect(knownFromPage(samples, "New")).toMatchObject({ monitor_status: 0, monitor_enabled: 0 });
    expect(knownFromPage(samples, "New")).not.toHaveProperty("monitor_up");
    expect(knownFromPage(samples, "New")).not.toHaveProperty("monitor_response_seconds");
    expect(knownFromPage(samples, "Worked on")).toMatchObject({ monitor_up: 0, monitor_maintenance: 1 });
  });

  test("are what a device reported last, in bytes, seconds and ratios, until it is silent for too long", async () => {
    const { server, clock, addDevice } = await serverWithDevices(engine);
    const device = await addDevice({ name: "web-1" });
    expect(knownFromPage(await scrape(server), "web-1")).not.toHaveProperty(
      "device_last_report_timestamp_seconds",
    );
    clock.ms += 5_000;
    const more = {
      "cpu.core0.usage": 99,
      "disk./srv/a.b.inodes": 10,
      "disk.sda.busy": 25,
      "disk.sda.write": 7,
      "network.eth0.tx": 8,
      "network.eth0.errors": 0,
      "memory.swap.usage": 1,
    };
    await agentOf(server, device.token).report({ metrics: metrics({ "cpu.usage": 1 }) });
    clock.ms += 5_000;
    await agentOf(server, device.token).report({ metrics: metrics(more) });
    const reported = knownFromPage(await scrape(server), "web-1");
    expect(reported).toMatchObject({
      device_last_report_timestamp_seconds: (T0 + 5_000) / 1000,
      device_health: 0,
    });
    const expected = {
      device_cpu_usage_ratio: 0.01,
      device_memory_usage_ratio: 0.41,
      device_memory_used_bytes: 3_000_000_000,
      "device_filesystem_usage_ratio /var": 0.7,
      "device_network_receive_bytes_per_second eth0": 1_000,
    };
    expect(reported).toMatchObject(expected);
    clock.ms += 60_000;
    const silent = knownFromPage(await scrape(server), "web-1");
    expect(Object.keys(silent).filter((name) => name.startsWith("device_"))).toEqual([
      "device_last_report_timestamp_seconds",
    ]);
  });

  test("of a device are bounded, whatever its agent reports", async () => {
    const { server, clock, addDevice } = await serverWithDevices(engine);
    const device = await addDevice({ name: "many" });
    const names = Array.from({ length: 300 }, (_, i) => `/data/${String(i).padStart(3, "0")}"\\`);
    const own = names.flatMap((name) => [
      [`disk.${name}.usage`, 1],
      [`disk.${name}.used`, 2],
      [`network.${name}.rx`, 3],
    ]);
    await agentOf(server, device.token).report({ metrics: Object.fromEntries([...own, ["cpu.new", 1]]) });
    clock.ms += 1;
    const samples = await scrape(server);
    const count = (metric: string) =>
      samples.filter((one) => one.metric === `vedette_device_${metric}`).length;
    expect(count("filesystem_usage_ratio")).toBe(50);
    expect(count("filesystem_used_bytes")).toBe(50);
    expect(count("network_receive_bytes_per_second")).toBe(50);
    expect(samples.find(({ labels }) => "mountpoint" in labels)?.labels["mountpoint"]).toBe(names[0]);
  });

  test("carry hostile names as they are", async () => {
    const { server } = await serverWithDevices(engine);
    for (const name of HOSTILE) await addDomain(server, name);
    const up = (await scrape(server)).filter(({ metric }) => metric === "vedette_monitor_up");
    expect(up.map(({ labels }) => labels["name"]).sort()).toEqual(HOSTILE.toSorted());
  });

  test("are those of the key's organization, and of no other one, also within the seconds that they are cached", async () => {
    const { server } = await serverWithDevices(engine);
    const other = await server.createOrganization();
    const theirs = await server.createKey({ person: other, scopes: ["read:metrics"] });
    await addDomain(server, "Mine");
    for (const again of [1, 2]) {
      expect([again, knownFromPage(await scrape(server), "Mine")]).toMatchObject([again, { monitor_up: 1 }]);
      expect([again, await scrape(server, theirs)]).toEqual([again, []]);
    }
  });

  test("are read at most once in five seconds for an organization", async () => {
    const { server, clock } = await serverWithDevices(engine);
    await addDomain(server, "First");
    await scrape(server);
    await addDomain(server, "Second");
    clock.ms += 4_999;
    expect(knownFromPage(await scrape(server), "Second")).toEqual({});
    clock.ms += 1;
    expect(knownFromPage(await scrape(server), "Second")).toMatchObject({ monitor_up: 1 });
  });

  test.each([
    ["no key", null, 401],
    ["an unknown key", `vdt_${"x".repeat(43)}`, 401],
    ["a device's token", "device", 401],
    ["a key for domains only", ["read:domains"], 403],
    ["a key for metrics", ["read:metrics"], 200],
  ] as const)("answer to %s with the status for it", async (_, key, status) => {
    const { server, addDevice } = await serverWithDevices(engine);
    const own =
      key === "device"
        ? (await addDevice()).token
        : Array.isArray(key)
          ? await server.createKey({ scopes: [...key] })
          : (key as string | null);
    expect((await server.api("GET", "/metrics", undefined, { key: own })).status).toBe(status);
  });

  test("are not for a plan without the full API", async () => {
    const { server } = await serverWithDevices(engine, { plan: "pro" });
    expect((await server.api("GET", "/metrics")).status).toBe(403);
  });
});

const missing = missingServers("promtool");

describe.skipIf(missing)("promtool", () => {
  test("has nothing against /metrics, with every metric that there is and hostile names in it", async () => {
    const { server, clock, addDevice } = await serverWithDevices("sqlite");
    for (const name of HOSTILE) await addDomain(server, name);
    const device = await addDevice({ name: 'web "1"\\' });
    await agentOf(server, device.token).report({
      metrics: metrics({ 'disk./a"b\\.usage': 1, "disk.sda.read": 1.5e17, "network.eth0.errors": 0 }),
    });
    clock.ms += 10_000;
    const { body } = await server.api("GET", "/metrics");
    expect(promtoolSays(body)).toBe("");
    expect(promtoolSays(`${body}vedette_unexplained_total 1\n`)).toContain("vedette_unexplained_total");
  });
});
