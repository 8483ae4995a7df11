import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { DAY, makeDomain, NOW, serve, setCertificate, setState } from "./factories.ts";

eachEngine("an item of the list of domains", (engine) => {
  const failed = { last_outcome: 1, last_result: JSON.stringify({ reason: "The connection was refused." }) };

  test("says what the last check found wrong", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    await setState(server.ctx.store, id, failed);
    const [legacy] = (await server.api("GET", "/api/domains")).body.data;
    const [v2] = (await server.api("GET", "/v2/domains")).body.data;
    expect([legacy.lastReason, v2.last_reason]).toEqual(Array(2).fill("The connection was refused."));
  });

  test("has no reason once a check has passed, nor before the first", async () => {
    const server = await serve({ engine });
    await makeDomain(server, { name: "never checked" });
    const { id } = await makeDomain(server, { name: "recovered" });
    await setState(server.ctx.store, id, { ...failed, last_outcome: 0 });
    const { data } = (await server.api("GET", "/api/domains")).body;
    expect(data.map((item: { lastReason: unknown }) => item.lastReason)).toEqual([null, null]);
  });

  test("says when the certificate ends", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    await setCertificate(server.ctx.store, id, { valid: true, expiresAt: NOW + 30 * DAY });
    const [item] = (await server.api("GET", "/api/domains")).body.data;
    expect(item).toMatchObject({
      certificateStatus: "valid",
      certificateExpiresAt: new Date(NOW + 30 * DAY).toISOString(),
      certificateUnverified: false,
    });
  });

  test("says that an invalid certificate is accepted", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { ignoreCertificate: true });
    await setCertificate(server.ctx.store, id, { valid: false, expiresAt: NOW + 9 * DAY });
    const [legacy] = (await server.api("GET", "/api/domains")).body.data;
    const [v2] = (await server.api("GET", "/v2/domains")).body.data;
    expect(legacy).toMatchObject({ certificateStatus: "invalid", certificateUnverified: true });
    expect(v2).toMatchObject({ certificate_status: "invalid", certificate_unverified: true });
  });
});
