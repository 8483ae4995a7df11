import { createPublicKey } from "node:crypto";
import { importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { findUser } from "../../../src/platform/access/queries/users.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { rpc } from "./rpc.ts";

const AUDIENCE = "https://monitoring.example/mcp";
const STATS = { name: "get_dashboard_stats", arguments: {} };

async function start({
  claims = {},
  offsetMs = { now: 0 },
}: {
  claims?: object;
  offsetMs?: { now: number };
} = {}) {
  const emails: Record<string, object> = { known: {}, unverified: {}, outsider: {} };
  const provider = await startIdentityProvider(emails);
  const server = await startTestServer({
    engine: "sqlite",
    config: { mcpIssuer: provider.issuer, mcpAudience: [AUDIENCE] },
    clock: { now: () => Date.now() + offsetMs.now },
  });
  onTestFinished(server.close);
  const { email = "" } = (await findUser(server.ctx.store.db, server.person.userId)) ?? {};
  Object.assign(emails["known"] as object, { email, email_verified: true, ...claims });
  Object.assign(emails["unverified"] as object, { email, email_verified: false });
  Object.assign(emails["outsider"] as object, { email: "nobody@elsewhere.example", email_verified: true });
  return { provider, server, email, offsetMs };
}

const callWith = (server: TestServer, token: string, call: object = STATS) =>
  rpc(server, "tools/call", call, { key: token });

/** A token that the provider's own key signs, but that the provider would never give. */
async function signToken(
  provider: IdentityProvider,
  change: JWTPayload & { email: string },
  header: object = {},
) {
  const jwk = provider.keys().find(({ alg }) => alg === "ES256");
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: provider.issuer,
    aud: AUDIENCE,
    sub: "known",
    email_verified: true,
    iat: now,
    exp: now + 600,
    ...change,
  })
    .setProtectedHeader({ alg: "ES256", kid: jwk?.kid ?? "", ...header })
    .sign(await importJWK(jwk ?? {}, "ES256"));
}

describe("a token of the configured issuer", () => {
  it.each(["RS256", "ES256", "EdDSA"] as const)("lets its person in when it is signed by %s", async (alg) => {
    const { server, provider } = await start();
    const answer = await callWith(server, await provider.token({ resource: AUDIENCE, alg }));
    expect(answer.body.result.structuredContent).toMatchObject({ domains: { total: 0 } });
  });

  it("is refused for another audience, which the 401 answers with where to get one", async () => {
    const { server, provider } = await start();
    const answer = await callWith(server, await provider.token({ resource: "https://other.example/mcp" }));
    expect([answer.status, answer.body.error.message]).toEqual([401, "Unauthenticated."]);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", error_description="The token is not valid here.", resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it("is refused of another issuer", async () => {
    const { server, email } = await start();
    const other = await startIdentityProvider({ known: { email, email_verified: true } });
    expect((await callWith(server, await other.token({ resource: AUDIENCE }))).status).toBe(401);
  });

  it("is refused when it claims another issuer, whatever its signature", async () => {
    const { server, provider, email } = await start();
    expect(
      (await callWith(server, await signToken(provider, { email, iss: "https://other.example" }))).status,
    ).toBe(401);
  });

  it("is good for a minute after it has expired, and no longer", async () => {
    const { server, provider, offsetMs } = await start();
    const token = await provider.token({ resource: AUDIENCE });
    offsetMs.now = 3_600_000 + 30_000;
    expect((await callWith(server, token)).status).toBe(200);
    offsetMs.now = 3_600_000 + 90_000;
    expect((await callWith(server, token)).status).toBe(401);
  });

  it("is refused before its time, but for a minute", async () => {
    const { server, provider, email } = await start();
    const now = Math.floor(Date.now() / 1000);
    expect((await callWith(server, await signToken(provider, { email, nbf: now + 30 }))).status).toBe(200);
    expect((await callWith(server, await signToken(provider, { email, nbf: now + 90 }))).status).toBe(401);
  });

  it("is refused without an end or a subject", async () => {
    const { server, provider, email } = await start();
    for (const change of [{ exp: undefined }, { sub: undefined }]) {
      const token = await signToken(provider, { email, ...change } as never);
      expect((await callWith(server, token)).status).toBe(401);
    }
  });

  it("is taken when the issuer has new keys, which are requested once in ten seconds at most", async () => {
    const { server, provider, offsetMs } = await start();
    expect((await callWith(server, await provider.token({ resource: AUDIENCE }))).status).toBe(200);
    const old = await provider.token({ resource: AUDIENCE });
    await provider.rotate();
    const fresh = await provider.token({ resource: AUDIENCE });
    // Nobody can make the server query its issuer all the time by tokens of keys that do not exist.
    for (let n = 0; n < 5; n += 1) expect((await callWith(server, fresh)).status).toBe(401);
    expect(provider.keyRequests()).toBe(1);
    offsetMs.now = 11_000;
    expect((await callWith(server, fresh)).status).toBe(200);
    expect(provider.keyRequests()).toBe(2);
    expect((await callWith(server, old)).status).toBe(401);
  });

  it("is refused without a signature", async () => {
    const { server, provider, email } = await start();
    const token = new UnsecuredJWT({ email, email_verified: true })
      .setIssuer(provider.issuer)
      .setAudience(AUDIENCE)
      .setSubject("known")
      .setExpirationTime("10m")
      .encode();
    expect((await callWith(server, token)).status).toBe(401);
  });

  it("is refused when the public key was used as the secret of an HMAC", async () => {
    const { server, provider, email } = await start();
    const [jwk = {}] = provider.keys();
    const pem = createPublicKey({ key: jwk as never, format: "jwk" }).export({ type: "spki", format: "pem" });
    const token = await new SignJWT({ email, email_verified: true })
      .setProtectedHeader({ alg: "HS256", kid: jwk.kid ?? "" })
      .setIssuer(provider.issuer)
      .setAudience(AUDIENCE)
      .setSubject("known")
      .setExpirationTime("10m")
      .sign(Buffer.from(pem));
    expect((await callWith(server, token)).status).toBe(401);
  });

  it("lets in no one by an address that the issuer has not verified, or that is unknown here", async () => {
    const { server, provider } = await start();
    for (const client of ["unverified", "outsider"]) {
      expect((await callWith(server, await provider.token({ resource: AUDIENCE, client }))).status).toBe(401);
    }
  });

  it("lets in no one by an address that was not confirmed here, where anybody may sign up with it", async () => {
    const { server, provider, email } = await start();
    await server.ctx.store.transaction(async (db) => {
      await db.updateTable("users").set({ email_confirmed_at: null }).where("email", "=", email).execute();
    });
    expect((await callWith(server, await provider.token({ resource: AUDIENCE }))).status).toBe(401);
  });

  it("still means the same person once their address here has changed", async () => {
    const { server, provider, email } = await start();
    expect((await callWith(server, await provider.token({ resource: AUDIENCE }))).status).toBe(200);
    await server.ctx.store.transaction(async (db) => {
      await db
        .updateTable("users")
        .set({ email: "moved@elsewhere.example" })
        .where("email", "=", email)
        .execute();
    });
    expect((await callWith(server, await provider.token({ resource: AUDIENCE }))).status).toBe(200);
  });

  it("may do what its scopes say, where it names any of ours", async () => {
    const { server, provider } = await start();
    const token = await provider.token({ resource: AUDIENCE, scope: "read:domains" });
    const refused = await callWith(server, token);
    expect(refused.body.result).toMatchObject({ isError: true });
    expect(refused.body.result.content[0].text).toContain("read:dashboard");
    const list = await callWith(server, token, { name: "list_domains", arguments: {} });
    expect(list.body.result.structuredContent).toMatchObject({ result: [] });
  });

  it.each([
    ["a list", ["openid", "read:domains"]],
    ["text", "openid read:domains"],
  ])("may do what its scopes say where they are %s called scp", async (_, scp) => {
    const { server, provider } = await start({ claims: { scp } });
    const token = await provider.token({ resource: AUDIENCE });
    expect((await callWith(server, token)).body.result.content[0].text).toContain("read:dashboard");
    const list = await callWith(server, token, { name: "list_domains", arguments: {} });
    expect(list.body.result.structuredContent).toMatchObject({ result: [] });
  });

  it.each([
    ["a scope", { scope: "openid profile" }],
    ["an empty scope", { scope: "" }],
    ["an scp", { scp: ["files.read"] }],
    ["one that only looks like ours", { scope: "read:everything admin:domains" }],
  ])("lets in nothing where %s holds nothing of ours: 403", async (_, claims) => {
    const { server, provider, email } = await start();
    const token = await signToken(provider, { email, ...claims });
    for (const call of [undefined, { name: "list_domains", arguments: {} }]) {
      const { status, body } = await callWith(server, token, call);
      expect([status, body.error?.message]).toEqual([
        403,
        expect.stringContaining("None of this token's scopes"),
      ]);
    }
  });

  it("opens nothing but MCP", async () => {
    const { server, provider } = await start();
    const key = await provider.token({ resource: AUDIENCE });
    expect((await server.api("GET", "/api/domains", undefined, { key })).status).toBe(401);
  });

  it("is not validated while the issuer cannot be reached: 503, and API keys still work", async () => {
    const { server, provider } = await start();
    const token = await provider.token({ resource: AUDIENCE });
    const unreachable = await startTestServer({
      engine: "sqlite",
      config: { mcpIssuer: "http://127.0.0.1:9", mcpAudience: [AUDIENCE] },
    });
    onTestFinished(unreachable.close);
    expect((await callWith(unreachable, token)).status).toBe(503);
    expect((await callWith(unreachable, unreachable.key)).status).toBe(200);
    expect((await callWith(server, "not a token")).status).toBe(401);
  });
});

describe("the metadata of the protected resource (RFC 9728)", () => {
  it("names the resource and the issuer for anybody", async () => {
    const { server, provider } = await start();
    for (const [path, resource] of [
      ["", "/mcp"],
      ["/mcp", "/mcp"],
      ["/api/mcp", "/api/mcp"],
    ]) {
      const answer = await fetch(`${server.url}/.well-known/oauth-protected-resource${path}`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        resource: `${server.url}${resource}`,
        authorization_servers: [provider.issuer],
        bearer_methods_supported: ["header"],
      });
    }
  });
});
