import net from "node:net";
import tls from "node:tls";
import { describe, expect, test } from "vitest";
import * as behaviours from "../../harness/behaviours.ts";
import { type CertificateFlavour, testCa } from "../../harness/certificates.ts";
import { answer, startHttp2Target } from "../../harness/http2-target.ts";
import { check, closing, startTlsTarget } from "../factories.ts";

describe("HTTPS", () => {
  test("a good certificate is up, with the TLS phase and the whole chain", async () => {
    const target = await startTlsTarget();
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({
      verdict: "ok",
      statusCode: 200,
      protocol: "http/1.1",
      address: "127.0.0.1",
    });
    expect(outcome.phases.tlsUs).toBeGreaterThan(0);
    expect(outcome.phases.dnsUs).toBeGreaterThanOrEqual(0);
    expect(outcome.certificate).toMatchObject({ valid: true, invalidCode: null, invalidReason: null });
    expect(target.serverNames).toEqual(["localhost"]);
  });

  test("an address as host gets no server name, and must be in the certificate", async () => {
    const target = await startTlsTarget();
    expect(await check(`https://127.0.0.1:${target.port}/`)).toMatchObject({ verdict: "ok" });
    expect(target.serverNames).toEqual([null]);
    const other = await startTlsTarget({ names: ["localhost"] });
    expect(await check(`https://127.0.0.1:${other.port}/`)).toMatchObject({
      reasonCode: "certificate",
      reason: "The certificate is for localhost, not for 127.0.0.1.",
    });
  });

  const flavours: [CertificateFlavour, string, RegExp][] = [
    ["expired", "expired", /^The certificate expired on \d{4}-\d\d-\d\d\.$/],
    ["not-yet-valid", "not_yet_valid", /^The certificate is valid only from \d{4}-\d\d-\d\d on\.$/],
    ["wrong-host", "host_mismatch", /^The certificate is for elsewhere\.test, not for localhost\.$/],
    ["self-signed", "self_signed", /self-signed/],
    ["untrusted", "untrusted_chain", /issuer "CN=Unknown Root" is not trusted/],
    [
      "incomplete",
      "untrusted_chain",
      /does not send the intermediate certificate of "CN=Vedette Test Root Inter/,
    ],
  ];

  test.each(flavours)(
    "a certificate that is %s is down, and no request is sent",
    async (certificate, code, why) => {
      const target = await startTlsTarget({ certificate });
      const authConfig = { token: "secret" };
      const outcome = await check({ url: target.url, authType: "bearer", authConfig });
      expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "certificate", statusCode: null });
      expect(outcome.reason).toMatch(why);
      expect(outcome.certificate).toMatchObject({ valid: false, invalidCode: code });
      expect(outcome.certificate?.chain.length).toBeGreaterThan(0);
      expect(target.requests).toEqual([]);
    },
  );

  test.each(flavours)(
    "a certificate that is %s is reported and no more, if the monitor says so",
    async (certificate, code) => {
      const target = await startTlsTarget({ certificate });
      const outcome = await check({ url: target.url, ignoreCertificate: true });
      expect(outcome).toMatchObject({
        verdict: "ok",
        statusCode: 200,
        certificate: { valid: false, invalidCode: code },
      });
    },
  );

  test("a server that has no cipher in common with this one is named as such", async () => {
    const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(alert));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as net.AddressInfo;
    const outcome = await check(`https://127.0.0.1:${port}/`);
    server.close();
    expect(outcome).toMatchObject({
      reasonCode: "tls",
      reason: `127.0.0.1:${port} found no cipher or setting in common.`,
    });
  });

  test("a server that speaks plain HTTP on the port is named as such", async () => {
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as net.AddressInfo;
    const outcome = await check(`https://127.0.0.1:${port}/`);
    server.close();
    expect(outcome).toMatchObject({
      reasonCode: "tls",
      reason: `127.0.0.1:${port} does not speak TLS on this port.`,
    });
  });

  test("a connection closed, or left hanging, during the handshake says so", async () => {
    let behaviour = (socket: net.Socket) => void socket.end();
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => behaviour(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as net.AddressInfo;
    const closed = await check(`https://127.0.0.1:${port}/`);
    expect(closed).toMatchObject({ reasonCode: "tls" });
    expect(closed.reason).toMatch(/during the TLS handshake\.$/);
    behaviour = () => {};
    const hanging = await check(`https://127.0.0.1:${port}/`, { timeoutMs: 200 });
    expect(hanging.reason).toBe(
      `Timed out after 0.2 s: the TLS handshake with 127.0.0.1:${port} did not finish.`,
    );
    server.close();
  });

  test("bodies come whole over TLS, in many pieces and compressed", async () => {
    const text = `${"x".repeat(200_000)}needle`;
    const target = await startTlsTarget({ handler: behaviours.compressed("br", text) });
    const assertions = [{ type: "keyword" as const, operator: "present" as const, value: "needle" }];
    expect(await check({ url: target.url, assertions })).toMatchObject({ verdict: "ok" });
    target.set(behaviours.body(text));
    expect(await check({ url: target.url, assertions })).toMatchObject({ verdict: "ok" });
  });
});

describe("HTTP/2", () => {
  test("is spoken where the server offers nothing else, and remembered", async () => {
    const target = closing(await startHttp2Target());
    const first = await check(`${target.url}a?b`);
    expect(first).toMatchObject({
      verdict: "ok",
      statusCode: 200,
      protocol: "h2",
      certificate: { valid: true },
    });
    expect(first.phases.firstByteUs).toBeGreaterThan(0);
    expect(target.connections()).toBe(2);
    expect(target.requests[0]?.headers).toMatchObject({
      ":method": "GET",
      ":path": "/a?b",
      ":authority": `localhost:${target.port}`,
    });
    await check(target.url);
    expect(target.connections()).toBe(3);
  });

  test("where there is a choice HTTP/1.1 is taken", async () => {
    const target = await startTlsTarget({ alpn: ["h2", "http/1.1"] });
    expect(await check(target.url)).toMatchObject({ verdict: "ok", protocol: "http/1.1" });
  });

  test("a server that went back to HTTP/1.1 is still understood", async () => {
    const target = closing(await startHttp2Target());
    await check(target.url);
    await target.close();
    const { ca } = target;
    const issued = await (await testCa()).issue("valid");
    const server = tls.createServer({ ...issued, ALPNProtocols: ["http/1.1"] }, (socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
    });
    await new Promise<void>((resolve) => server.listen(target.port, "127.0.0.1", resolve));
    expect(await check(target.url, { network: { ca: [ca] } })).toMatchObject({
      verdict: "ok",
      protocol: "http/1.1",
    });
    server.close();
  });

  test("sends bodies and headers, follows redirects, reads bodies of a megabyte and no more", async () => {
    const target = closing(await startHttp2Target());
    target.set((stream, headers) => {
      if (headers[":path"] === "/") return answer(307, "", { location: "/next" })(stream, headers);
      stream.respond({ ":status": 200 });
      stream.end(Buffer.alloc(3_000_000, "a"));
    });
    const outcome = await check({
      url: target.url,
      method: "POST",
      body: '{"a":1}',
      headers: { "X-Mine": "yes" },
      assertions: [{ type: "keyword", operator: "present", value: "b" }],
    });
    expect(outcome).toMatchObject({ reason: 'The first megabyte of the body does not contain "b".' });
    expect(outcome.redirects).toEqual([{ statusCode: 307, url: `${target.url}next` }]);
    for (const { headers, body } of target.requests) {
      expect(headers).toMatchObject({ ":method": "POST", "x-mine": "yes", "content-length": "7" });
      expect(body).toBe('{"a":1}');
    }
  });

  test("an untrusted HTTP/2 server gets no request either", async () => {
    const target = closing(await startHttp2Target({ certificate: "self-signed" }));
    expect(await check(target.url)).toMatchObject({ reasonCode: "certificate" });
    expect(target.requests).toEqual([]);
  });

  test("a stream that is reset, and one that hangs, become sentences", async () => {
    const target = closing(await startHttp2Target({ handler: (stream) => stream.close(11) }));
    expect(await check(target.url)).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
    target.set(() => {});
    expect(await check(target.url, { timeoutMs: 200 })).toMatchObject({ reasonCode: "timeout" });
    target.set((stream) => stream.session?.destroy());
    expect(await check(target.url)).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
  });
});
