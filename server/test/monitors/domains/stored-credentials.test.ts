import { describe, expect, test } from "vitest";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "./factories.ts";

const BEARER = { authType: "bearer", authConfig: { token: "s3cret" } };
const HEADERS = { "X-Api-Key": "k3y", "X-Tenant": "northwind", Accept: "application/json" };
const URL_DANGER = "Stored credentials are not sent to a different scheme, host, port or server name.";
const AUTH_AGAIN = "Send all of authConfig again in this request, or set authType to none.";
const HEADERS_AGAIN = "Send the headers again in this request, or {} to remove them.";

/** Everything that another server, or a listener on the way, would be shown the credentials by. */
const ELSEWHERE = [
  "https://elsewhere.test",
  "http://shop.test",
  "https://shop.test:8443",
  "https://shop.test.elsewhere.test/",
  "https://www.shop.test",
  "https://[::1]",
  "//elsewhere.test",
  "elsewhere.test",
];

/** Other ways to write the same place, and other pages of it. */
const THE_SAME = ["https://shop.test/path?q=1#f", "https://SHOP.test.:443/x", "shop.test/y", "//shop.test/z"];

/** What the next check would send, or null where nothing is stored. */
async function storedOf(server: TestServer, id: number) {
  const row = await server.ctx.store.db
    .selectFrom("monitors")
    .select(["target", "secrets"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return {
    url: row.target,
    sealed: row.secrets === null ? null : JSON.parse(server.ctx.secrets.open(row.secrets)),
  };
}

eachEngine("a domain's stored credentials", (engine) => {
  test("are not sent to another scheme, host or port: they have to be given again", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, BEARER);
    for (const url of ELSEWHERE) {
      for (const path of ["/api/domains", "/v2/domains"]) {
        const { status, body } = await server.api("PUT", `${path}/${id}`, { url });
        const isV2 = path === "/v2/domains";
        const said = isV2
          ? AUTH_AGAIN.replace("authConfig", "auth_config").replace("authType", "auth_type")
          : AUTH_AGAIN;
        const errors = { [isV2 ? "auth_config" : "authConfig"]: [`${URL_DANGER} ${said}`] };
        expect([url, status, body.errors]).toEqual([url, 422, errors]);
      }
    }
    expect(await storedOf(server, id)).toEqual({
      url: "https://shop.test",
      sealed: { authConfig: { token: "s3cret" } },
    });
  });

  test("stay at the same place, however it is written", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { ...BEARER, headers: HEADERS });
    for (const url of THE_SAME) {
      expect([url, (await server.api("PUT", `/api/domains/${id}`, { url })).status]).toEqual([url, 200]);
    }
    expect((await storedOf(server, id)).sealed).toEqual({
      authConfig: { token: "s3cret" },
      headers: HEADERS,
    });
  });

  test("may be replaced or removed together with the address", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { ...BEARER, headers: HEADERS });
    const change = (body: object) => server.api("PUT", `/v2/domains/${id}`, body);
    const again = { url: "https://b.test", auth_config: { token: "n3w" }, headers: { "X-Api-Key": "n3w" } };
    expect((await change(again)).status).toBe(200);
    expect((await storedOf(server, id)).sealed).toEqual({
      authConfig: { token: "n3w" },
      headers: { "X-Api-Key": "n3w" },
    });
    expect((await change({ url: "https://c.test", auth_type: "none", headers: {} })).status).toBe(200);
    expect(await storedOf(server, id)).toEqual({ url: "https://c.test", sealed: null });
    expect((await change({ url: "https://d.test" })).status).toBe(200);
  });

  test("in headers are requested by name, whatever the header is called", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { headers: HEADERS });
    const url = "https://elsewhere.test";
    const refused = async (path: string, body: object) =>
      (await server.api("PUT", `${path}/${id}`, body)).body.errors;
    expect(await refused("/api/domains", { url })).toEqual({ headers: [`${URL_DANGER} ${HEADERS_AGAIN}`] });
    const shown = (await server.api("GET", `/api/domains/${id}`)).body.data.headers;
    expect(shown["X-Api-Key"]).toBe("********");
    expect(await refused("/v2/domains", { url, headers: shown })).toEqual({
      "headers.X-Api-Key": [`${URL_DANGER} Send the value of X-Api-Key again.`],
    });
    expect(
      await refused("/api/domains", { url, headers: { ...shown, "X-Api-Key": "mine" } }),
    ).toBeUndefined();
  });

  test("in headers that any host may see go along", async () => {
    const server = await serve({ engine });
    const headers = { Accept: "text/plain", "user-agent": "probe" };
    const { id } = await makeDomain(server, { headers });
    expect((await server.api("PUT", `/api/domains/${id}`, { url: "https://elsewhere.test" })).status).toBe(
      200,
    );
    expect((await storedOf(server, id)).sealed).toEqual({ headers });
  });

  test("are given again before the certificate is no longer checked", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { ...BEARER, headers: HEADERS });
    const { status, body } = await server.api("PUT", `/api/domains/${id}`, { ignoreCertificate: true });
    expect([status, Object.keys(body.errors)]).toEqual([422, ["authConfig", "headers"]]);
    expect(body.errors.authConfig[0]).toMatch(/^Without this TLS check, others could read/);
    const renegotiating = await server.api("PUT", `/api/domains/${id}`, { legacyRenegotiation: true });
    expect([renegotiating.status, renegotiating.body.errors]).toEqual([422, body.errors]);
    const again = { ignoreCertificate: true, ...BEARER, headers: HEADERS };
    expect((await server.api("PUT", `/api/domains/${id}`, again)).status).toBe(200);
    for (const ignoreCertificate of [true, false]) {
      expect((await server.api("PUT", `/api/domains/${id}`, { ignoreCertificate })).status).toBe(200);
    }
  });

  test("are given again before another site or another certificate may have them", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { ...BEARER, headers: HEADERS });
    for (const [family, name, value] of [
      ["/api", "hostHeader", "evil.test"],
      ["/api", "serverName", "evil.test"],
      ["/v2", "host_header", "evil.test"],
      ["/v2", "server_name", "evil.test"],
    ] as const) {
      const { status, body } = await server.api("PUT", `${family}/domains/${id}`, { [name]: value });
      expect([status, Object.keys(body.errors).length]).toEqual([422, 2]);
      expect(JSON.stringify(body.errors)).toContain("host, port or server name");
    }
    const again = { hostHeader: "Shop.test:8443", serverName: "MÜNCHEN.test", ...BEARER, headers: HEADERS };
    const { body } = await server.api("PUT", `/api/domains/${id}`, again);
    expect(body.data).toMatchObject({ hostHeader: "shop.test:8443", serverName: "xn--mnchen-3ya.test" });
    const same = { hostHeader: "shop.test:8443", name: "Other" };
    expect((await server.api("PUT", `/api/domains/${id}`, same)).status).toBe(200);
    expect((await server.api("PUT", `/api/domains/${id}`, { hostHeader: "" })).status).toBe(422);
  });

  test("of two parts are both given again, not mixed with the stored one", async () => {
    const server = await serve({ engine });
    const basic = { authType: "basic", authConfig: { username: "probe", password: "s3cret" } };
    const { id } = await makeDomain(server, basic);
    const change = { url: "https://elsewhere.test", authConfig: { username: "me" } };
    const answer = await server.api("PUT", `/api/domains/${id}`, change);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["authConfig"]]);
    const header = { authType: "header", authConfig: { name: "X-Key", value: "s3cret" } };
    const other = await makeDomain(server, { ...header, name: "Other" });
    const renamed = { url: "https://elsewhere.test", authConfig: { name: "X-Mine" } };
    expect((await server.api("PUT", `/api/domains/${other.id}`, renamed)).status).toBe(422);
  });
});

describe("a change of the kind of authentication", () => {
  test("takes nothing over from the stored secret", async () => {
    const server = await serve({ engine: "sqlite" });
    const { id } = await makeDomain(server, BEARER);
    const change = { authType: "header", authConfig: { name: "X-Mine" } };
    const answer = await server.api("PUT", `/api/domains/${id}`, change);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["authConfig.value"]]);
  });
});
