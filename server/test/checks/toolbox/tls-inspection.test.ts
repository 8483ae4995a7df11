import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { inspectTls, probeVersions, tlsFindings } from "../../../src/checks/toolbox/web/inspect-tls.ts";
import { type CertificateFlavour, testCa } from "../../harness/certificates.ts";
import { runCommand } from "../../harness/process.ts";
import { startTestServer } from "../../harness/server.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { refusalOf, toolEnvironment } from "./run-tool.ts";

/** A server for shop.test on this machine, and what a tool needs to look at it. */
async function startTls(flavour: CertificateFlavour, options: tls.TlsOptions = {}) {
  const ca = await testCa();
  const server = tls.createServer({ ...(await ca.issue(flavour, ["shop.test"])), ...options });
  server.on("tlsClientError", () => {});
  server.on("secureConnection", (socket) => socket.on("error", () => {}));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const environment = await toolEnvironment({ "shop.test": ["127.0.0.1"] }, { ca: [ca.pem] });
  return { port, inspect: () => inspectTls.run({ host: "shop.test", port }, environment) };
}

const codesOf = ({ findings }: { findings: { fact: { code: string } | null }[] }) =>
  findings.map(({ fact }) => fact?.code);

describe("tls-inspection", () => {
  it("reports chain, days left, and the versions that the server speaks", async () => {
    const { port, inspect } = await startTls("valid", { ALPNProtocols: ["h2", "http/1.1"] });
    const found = await inspect();
    expect(found).toMatchObject({
      ...{ host: "shop.test", port, address: "127.0.0.1", trusted: true, alpn: "h2", findings: [] },
      protocols: [
        { version: "TLSv1.3", accepted: true, cipher: expect.stringMatching(/^TLS_/) },
        { version: "TLSv1.2", accepted: true },
        { version: "TLSv1.1", accepted: false, cipher: null },
        { version: "TLSv1", accepted: false, cipher: null },
      ],
    });
    expect(found.daysLeft).toBeGreaterThanOrEqual(89);
    expect(found.chain[0]).toMatchObject({ names: ["shop.test"], keyType: "EC prime256v1" });
    expect(found.chain.length).toBeGreaterThan(1);
  });

  it.each<[CertificateFlavour, string]>([
    ["expired", "certificate.expired"],
    ["not-yet-valid", "certificate.not_yet_valid"],
    ["wrong-host", "certificate.host_mismatch"],
    ["self-signed", "certificate.self_signed"],
    ["untrusted", "certificate.untrusted"],
    ["incomplete", "certificate.incomplete_chain"],
  ])("says what is wrong with a certificate that is %s, and shows it all the same", async (flavour, code) => {
    const { inspect } = await startTls(flavour);
    const found = await inspect();
    expect([found.trusted, codesOf(found)]).toEqual([false, [code]]);
    expect(found.findings[0]).toMatchObject({ severity: "critical", text: expect.stringMatching(/\w\.$/) });
    expect(found.chain).not.toEqual([]);
    expect(inspectTls.message?.(found)).toBe(found.findings[0]?.text);
  });

  it("warns of a certificate that ends soon, of old versions, and of a server without TLS 1.3", async () => {
    const { inspect } = await startTls("expiring", {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.2",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    const found = await inspect();
    expect(found.protocols.map(({ accepted }) => accepted)).toEqual([false, true, true, true]);
    expect(codesOf(found)).toEqual(["certificate.expires", "tool.tls_old", "tool.tls_no_13"]);
    expect(found.findings[1]?.text).toContain("TLS 1.1, TLS 1.0");
  });

  it("shows what a server speaks that browsers cannot connect to any more", async () => {
    const { inspect } = await startTls("valid", {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    const found = await inspect();
    expect(found.protocols.map(({ accepted }) => accepted)).toEqual([false, false, true, true]);
    expect(found.findings[0]).toMatchObject({
      severity: "critical",
      text: expect.stringContaining("refused"),
    });
  });

  it("says of no version that a server refuses it when the server was not reached at all", async () => {
    const gone = await startHttpTarget();
    await gone.close();
    const peer = { host: "127.0.0.1", address: "127.0.0.1", port: gone.port };
    const versions = await probeVersions(peer, { policy: "all", signal: new AbortController().signal });
    expect(versions.map(({ accepted }) => accepted)).toEqual([null, null, null, null]);
  });

  it("knows a key that is too short", () => {
    const leaf = {
      ...{ subject: "CN=shop.test", issuer: "CN=ca", names: [], notBefore: 0, notAfter: 9e12 },
      ...{ keyType: "RSA 1024", serialNumber: "1", fingerprint: "2" },
    };
    const certificate = {
      ...{
        valid: true,
        invalidCode: null,
        invalidReason: null,
        expiresAt: 9e12,
        issuer: "",
        fingerprint: "",
      },
      chain: [leaf],
    };
    const found = tlsFindings({ certificate, protocols: [], handshake: null, nowMs: 0 });
    expect(found.map(({ text }) => text)).toEqual([
      "The key of the certificate of CN=shop.test is too short (RSA 1024).",
    ]);
  });

  it("says what happened where there is no TLS at all", async () => {
    const plain = net.createServer((socket) =>
      socket
        .on("error", () => {})
        .resume()
        .end("220 Welcome\r\n"),
    );
    plain.listen(0, "127.0.0.1");
    await once(plain, "listening");
    const { port } = plain.address() as AddressInfo;
    const environment = await toolEnvironment();
    expect(await refusalOf(inspectTls, { host: "127.0.0.1", port }, environment)).toEqual([
      undefined,
      expect.stringContaining("does not speak TLS"),
    ]);
    plain.close();
    await once(plain, "close");
    expect(await refusalOf(inspectTls, { host: "127.0.0.1", port }, environment)).toEqual([
      undefined,
      expect.stringContaining("refused the connection"),
    ]);
  });

  it("answers in both families, and names the field that it cannot work with", async () => {
    const { port } = await startTls("valid");
    const server = await startTestServer({ engine: "sqlite" });
    onTestFinished(() => server.close());
    const { status, body } = await server.api("POST", "/v2/toolbox/tls-inspection", {
      host: "127.0.0.1",
      port,
    });
    expect([status, body.data.days_left]).toEqual([200, expect.any(Number)]);
    const wrong: [object, string][] = [
      [{ host: "" }, "host"],
      [{ host: "no name" }, "host"],
      [{ host: "a".repeat(10_000) }, "host"],
      [{ host: "no-such-host.invalid" }, "host"],
      [{ host: "169.254.169.254" }, "host"],
      [{ host: "127.0.0.1", port: 0 }, "port"],
      [{ host: "127.0.0.1", port: 65_536 }, "port"],
    ];
    for (const [input, field] of wrong) {
      const answer = await server.api("POST", "/api/toolbox/tls-inspection", input);
      expect([answer.status, Object.keys(answer.body.errors ?? {})], JSON.stringify(input)).toEqual([
        422,
        [field],
      ]);
    }
  });
});

describe("vedette tls-inspection", () => {
  it("prints tables and what is wrong", async () => {
    const { port } = await startTls("self-signed");
    const { code, stdout } = await runCommand(["tls-inspection", "127.0.0.1", "--port", String(port)]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/TLSv1\.3 +yes +TLS_[^]*Certificate +Issuer[^]*✗ The certificate/),
    ]);
  });
});
