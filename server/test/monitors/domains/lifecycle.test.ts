import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import {
  DAY,
  makeDomain,
  NOW,
  serve,
  serveWithChanges,
  setCertificate,
  setHistory,
  setState,
} from "./factories.ts";

eachEngine("the life of a domain", (engine) => {
  test("every change reaches the engine here, and the event log for those elsewhere", async () => {
    const { server, changedIds } = await serveWithChanges({ engine });
    const { id } = await makeDomain(server);
    await server.api("PUT", `/v2/domains/${id}`, { check_interval: 90 });
    await server.api("DELETE", `/api/domains/${id}`);
    expect(changedIds).toEqual([id, id, id]);
    const events = await server.ctx.store.db.selectFrom("events").selectAll().orderBy("id").execute();
    const changes = events.filter((event) => event.type === "monitor.changed");
    expect(changes.map((event) => [event.organization_id, JSON.parse(event.payload)])).toEqual(
      Array.from({ length: 3 }, () => [server.person.organization.id, { monitorId: id, monitorIds: [id] }]),
    );
  });

  test("what is refused is not sent and leaves nothing behind", async () => {
    const { server, changedIds } = await serveWithChanges({ engine });
    const { db } = server.ctx.store;
    await server.api("POST", "/api/domains", { url: "https://a.test", locations: ["mars"] });
    expect(changedIds).toEqual([]);
    expect(await db.selectFrom("monitors").select("id").execute()).toEqual([]);
    expect(await db.selectFrom("events").select("id").execute()).toEqual([]);
  });

  test("pausing makes it unknown and paused, resuming waits for the next check", async () => {
    const server = await serve({ engine });
    const { store } = server.ctx;
    const { id } = await makeDomain(server);
    await setState(store, id, { status: "up" });
    const paused = (await server.api("PUT", `/api/domains/${id}`, { enabled: false })).body.data;
    expect(paused).toMatchObject({ enabled: false, state: "paused" });
    const resumed = (await server.api("PUT", `/v2/domains/${id}`, { enabled: true })).body.data;
    expect(resumed).toMatchObject({ enabled: true, status: "unknown", state: "unknown" });
  });

  test("a domain created paused is not up, down or looked at", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { enabled: false });
    const { data } = (await server.api("GET", `/v2/domains/${id}`)).body;
    expect(data).toMatchObject({ enabled: false, status: "unknown", state: "paused" });
  });

  test("deleting answers its ids, hides it everywhere and forgets its secrets", async () => {
    const server = await serve({ engine });
    const { db } = server.ctx.store;
    const { id, uuid } = await makeDomain(server, { headers: { Authorization: "x" } });
    const answer = await server.api("DELETE", `/v2/domains/${uuid}`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message: "Domain deleted.", data: { id, uuid } },
    ]);
    expect((await server.api("GET", "/api/domains")).body.data).toEqual([]);
    expect((await server.api("GET", "/api/domains/stats")).body.data.total).toBe(0);
    expect((await server.api("GET", "/api/domains/response-time-trends")).body.data).toEqual([]);
    const row = await db.selectFrom("monitors").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect([row.deleted_at, row.secrets]).toEqual([NOW, null]);
  });

  test("the detail shows a last check of before the transfer was measured", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    const phases = { dnsUs: null, connectUs: 20_000, tlsUs: null, firstByteUs: 40_000, totalUs: 61_000 };
    const last = { location: "local", address: null, protocol: null, phases, reasonCode: null, reason: null };
    await setState(server.ctx.store, id, { last_check_at: NOW, last_result: JSON.stringify(last) });
    const { data } = (await server.api("GET", `/api/domains/${id}`)).body;
    expect(data.phases).toMatchObject({ connect: 20, transfer: null, total: 61 });
  });

  test("the detail shows the last check and the certificate in full", async () => {
    const server = await serve({ engine });
    const { store } = server.ctx;
    const { id } = await makeDomain(server);
    const phases = {
      dnsUs: 1_234,
      connectUs: 20_000,
      tlsUs: 30_000,
      firstByteUs: 40_051,
      transferUs: 651,
      totalUs: 91_936,
    };
    const last = {
      location: "local",
      address: "127.0.0.1",
      protocol: "http/1.1",
      phases,
      reasonCode: "status",
    };
    await setState(store, id, {
      status: "down",
      status_since: NOW - 60_000,
      last_check_at: NOW - 5_000,
      last_outcome: 1,
      last_status_code: 503,
      last_total_us: 91_936,
      last_result: JSON.stringify({ ...last, reason: "The server answered 503." }),
    });
    await setHistory(store, id, [
      [NOW - DAY, "up"],
      [NOW - DAY / 4, "down"],
    ]);
    const leaf = {
      subject: "CN=shop.test",
      issuer: "CN=Test CA",
      names: ["shop.test"],
      notBefore: NOW - DAY,
      notAfter: NOW + 90 * DAY,
      keyType: "EC prime256v1",
    };
    const report = { chain: [leaf], invalidReason: "It is for another name.", fingerprint: "ab" };
    await setCertificate(store, id, { valid: false, expiresAt: NOW + 90 * DAY, report });
    const { data } = (await server.api("GET", `/api/domains/${id}`)).body;
    expect(data).toMatchObject({
      status: "down",
      state: "down",
      statusSince: "2026-11-21T12:01:30.000Z",
      lastCheck: "2026-11-21T12:02:25.000Z",
      uptimePercentage: 75,
      responseTime: 91.9,
      statusCode: 503,
      lastReason: "The server answered 503.",
      location: "local",
      address: "127.0.0.1",
      protocol: "http/1.1",
      phases: { dns: 1.2, connect: 20, tls: 30, firstByte: 40.1, transfer: 0.7, total: 91.9 },
      certificateStatus: "invalid",
      certificate: {
        valid: false,
        expiresAt: "2027-02-19T12:02:30.000Z",
        issuer: "Test CA",
        status: "invalid",
        reason: "It is for another name.",
        subject: "CN=shop.test",
        names: ["shop.test"],
        startsAt: "2026-11-20T12:02:30.000Z",
        keyType: "EC prime256v1",
        fingerprint: "ab",
        chain: [{ subject: "CN=shop.test", issuer: "CN=Test CA", expiresAt: "2027-02-19T12:02:30.000Z" }],
      },
    });
    const v2 = (await server.api("GET", `/v2/domains/${id}`)).body.data;
    expect(v2).toMatchObject({
      status: "down",
      response_time: 91.9,
      monitor: { uptime_status: "down" },
      certificate_status: "invalid",
      certificate_expiration_date: "2027-02-19T12:02:30.000Z",
      last_reason: "The server answered 503.",
      phases: { first_byte: 40.1, transfer: 0.7 },
      certificate: {
        starts_at: "2026-11-20T12:02:30.000Z",
        key_type: "EC prime256v1",
        chain: [{ subject: "CN=shop.test", issuer: "CN=Test CA", expires_at: "2027-02-19T12:02:30.000Z" }],
      },
    });
  });
});
