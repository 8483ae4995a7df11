import { describe, expect, test } from "vitest";
import { checkKinds } from "../../src/checks/registry.ts";
import { checkTls } from "../../src/checks/tls.ts";
import * as behaviours from "../harness/behaviours.ts";
import { authority, leaf, startChainServer } from "../harness/chains.ts";
import { answer, startHttp2Target } from "../harness/http2-target.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { check, closing, makeNetwork, startHttpTarget, startTlsTarget } from "./factories.ts";

/** A resolver for which a name leads nowhere: only what is given as an address can be reached. */
const unresolved = { resolve: () => Promise.reject(new Error("nothing is to be resolved")) };

describe("the Host header and the server name of an HTTP check", () => {
  test("reach one of several servers for a site, over HTTP/1.1", async () => {
    const target = await startTlsTarget({ names: ["shop.test"] });
    const url = `https://127.0.0.1:${target.port}/path?q`;
    expect(await check({ url, hostHeader: "shop.test" })).toMatchObject({
      verdict: "ok",
      address: "127.0.0.1",
      certificate: { valid: true },
    });
    expect(target.serverNames).toEqual(["shop.test"]);
    expect(target.requests[0]).toMatchObject({ path: "/path?q", headers: { host: "shop.test" } });
    expect((await check({ url, hostHeader: "other.test" })).reason).toBe(
      "The certificate is for shop.test, not for other.test.",
    );
    expect(await check({ url, hostHeader: "other.test:81", serverName: "shop.test" })).toMatchObject({
      verdict: "ok",
    });
    expect(target.requests[1]?.headers["host"]).toBe("other.test:81");
    expect(await check({ url, serverName: "shop.test" })).toMatchObject({ verdict: "ok" });
    expect(target.requests[2]?.headers["host"]).toBe(`127.0.0.1:${target.port}`);
    expect(target.serverNames.slice(1)).toEqual(["shop.test", "shop.test"]);
  });

  test("and over HTTP/2, where it is the authority", async () => {
    const target = closing(await startHttp2Target({ handler: answer(200, "") }));
    const url = `https://127.0.0.1:${target.port}/`;
    expect(await check({ url, hostHeader: "shop.test", serverName: "localhost" })).toMatchObject({
      verdict: "ok",
      protocol: "h2",
    });
    expect(target.requests[0]?.headers).toMatchObject({ ":authority": "shop.test" });
  });

  test("keep redirects to that name on the server, with its credentials, and let others go without", async () => {
    const other = await startHttpTarget();
    const target = await startHttpTarget();
    target.set((socket, request) => {
      const next: Record<string, behaviours.Behaviour> = {
        "/": behaviours.redirect("http://shop.test/a"),
        "/a": behaviours.redirect("/b"),
        "/b": behaviours.redirect(other.url),
      };
      next[request.path]?.(socket, request);
    });
    const outcome = await check(
      {
        url: target.url,
        hostHeader: "shop.test",
        authType: "bearer",
        authConfig: { token: "s3cret" },
      },
      { network: { resolver: unresolved } },
    );
    expect(outcome).toMatchObject({ verdict: "ok" });
    expect(
      target.requests.map(({ path, headers }) => [path, headers["host"], headers["authorization"]]),
    ).toEqual(["/", "/a", "/b"].map((path) => [path, "shop.test", "Bearer s3cret"]));
    expect(other.requests[0]?.headers["host"]).toBe(`127.0.0.1:${other.port}`);
    expect(other.requests[0]?.raw).not.toContain("s3cret");
  });

  test("a name of the server's own in another place is another origin: it gets no credentials", async () => {
    const target = await startHttpTarget();
    target.set((socket, request) =>
      (request.path === "/" ? behaviours.redirect(`${target.url}c`) : behaviours.status(200))(
        socket,
        request,
      ),
    );
    const authConfig = { token: "s3cret" };
    await check({ url: target.url, hostHeader: "shop.test", authType: "bearer", authConfig });
    expect(target.requests[1]?.raw).not.toContain("s3cret");
  });

  test("decide nothing about which address may be contacted", async () => {
    const target = await startHttpTarget();
    const network = { policy: "public" as const };
    for (const hostHeader of ["example.com", "93.184.216.34"]) {
      expect(
        await check({ url: target.url, hostHeader, serverName: "example.com" }, { network }),
      ).toMatchObject({
        reasonCode: "guard",
        address: null,
      });
    }
    target.set(behaviours.redirect("http://169.254.169.254/"));
    expect(await check({ url: target.url, hostHeader: "shop.test" })).toMatchObject({ reasonCode: "guard" });
    expect(target.connections()).toBe(1);
  });
});

const NEGOTIATING = ["postgres", "mysql"];

/** Kinds with TLS of their own, and what makes them begin with it. */
const kinds = Object.values(checkKinds).flatMap((kind) => {
  const { properties, required = [] } = kind.configSchema as unknown as {
    properties: Record<string, { enum?: string[] }>;
    required?: string[];
  };
  // PostgreSQL and MySQL negotiate TLS in the clear.
  if (!("serverName" in properties) || !("run" in kind) || ["http", ...NEGOTIATING].includes(kind.type))
    return [];
  const needed = Object.fromEntries(required.map((name) => [name, "x"]));
  const over = {
    ...("tls" in properties && { tls: true }),
    ...("security" in properties && { security: "tls" }),
  };
  return [[kind.type, kind, { ...needed, ...over }] as const];
});

test("every kind that verifies certificates knows a server name", () => {
  const verifying = Object.values(checkKinds)
    .filter(({ phases }) => (phases as readonly string[]).includes("tls"))
    .map(({ type }) => type);
  expect([...kinds.map(([type]) => type), "http", ...NEGOTIATING].toSorted()).toEqual(verifying.toSorted());
});

test.each(kinds)("a check of kind %s sends its server name, and verifies it", async (type, kind, config) => {
  const root = await authority("Root", { days: 3000 });
  const own = await leaf(["shop.test"], { days: 80, by: root });
  const names: unknown[] = [];
  const SNICallback = (name: string, done: (error: null) => void) => {
    names.push(name);
    done(null);
  };
  const offers = { SNICallback, ...(type === "grpc" && { ALPNProtocols: ["h2"] }) };
  const port = await startChainServer([own], offers, (socket) => socket.end());
  const network = await makeNetwork({ ca: [root.pem] });
  const run = async (serverName?: string) => {
    const given = { ...config, host: "127.0.0.1", port, ...(serverName && { serverName }) };
    return readable(await kind.run(given as never, { network, timeoutMs: 5000 }));
  };
  expect((await run()).reason).toBe("The certificate is for shop.test, not for 127.0.0.1.");
  expect((await run("SHOP.test")).certificate).toMatchObject({ valid: true });
  expect((await run("other.test")).reason).toBe("The certificate is for shop.test, not for other.test.");
  expect(names).toEqual(["shop.test", "other.test"]);
});

/** A handshake message of TLS 1.2 within a record (RFC 5246 §7.4). */
function handshake(type: number, body: Buffer): Buffer {
  const length = Buffer.alloc(3);
  length.writeUIntBE(body.length, 0, 3);
  const message = Buffer.concat([Buffer.from([type]), length, body]);
  const header = Buffer.from([22, 3, 3, 0, 0]);
  header.writeUInt16BE(message.length, 3);
  return Buffer.concat([header, message]);
}

/** The ServerHello of a server that does not know RFC 5746: without extensions, TLS_RSA_WITH_AES_128_GCM_SHA256. */
const OLD_HELLO = handshake(
  2,
  Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(33), Buffer.from([0, 0x9c, 0])]),
);

test("a server without secure renegotiation is refused by us, unless the monitor says otherwise", async () => {
  const { port } = closing(
    await startLineTarget((socket) => void socket.once("data", () => socket.end(OLD_HELLO))),
  );
  const run = async (more: object) =>
    readable(
      await checkTls.run(
        { host: "127.0.0.1", port, ...more },
        { network: await makeNetwork(), timeoutMs: 5000 },
      ),
    );
  expect(await run({})).toMatchObject({
    verdict: "failed",
    reasonCode: "tls",
    reason: `Vedette ended the TLS handshake with 127.0.0.1:${port}, which does not support secure renegotiation (RFC 5746). The setting “Allow legacy TLS renegotiation” (legacyRenegotiation) allows it.`,
  });
  expect((await check(`https://127.0.0.1:${port}/`)).reason).toContain("Vedette ended the TLS handshake");
  // The handshake goes on, and it is the server then that ends it.
  expect((await run({ legacyRenegotiation: true })).reason).toMatch(
    /^127\.0\.0\.1:\d+ (?:closed|reset) the connection during the TLS handshake\.$/,
  );
});
