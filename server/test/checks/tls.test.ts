import tls from "node:tls";
import { describe, expect, test } from "vitest";
import { checkTls } from "../../src/checks/tls.ts";
import { type CertificateFlavour, testCa } from "../harness/certificates.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";
import { kinds, startScript } from "./login-scripts.ts";

type Config = Parameters<typeof checkTls.run>[0];

const run = async (config: Omit<Config, "host">) =>
  readable(
    await checkTls.run({ host: "localhost", ...config }, { network: await makeNetwork(), timeoutMs: 5000 }),
  );

const secured = async (certificate: CertificateFlavour) =>
  closing(await startLineTarget(() => {}, { certificate }));

describe("a check of a certificate", () => {
  test("passes when it is good, and says nothing over the connection", async () => {
    const target = await secured("valid");
    const outcome = await run({ port: target.port });
    expect(outcome).toMatchObject({ verdict: "ok", reason: null, certificate: { valid: true } });
    expect(target.received.join("")).toBe("");
  });

  test.each<CertificateFlavour>([
    "expired",
    "wrong-host",
    "self-signed",
    "not-yet-valid",
    "untrusted",
    "incomplete",
  ])("fails when it is %s", async (flavour) => {
    const { port } = await secured(flavour);
    expect(await run({ port })).toMatchObject({
      verdict: "failed",
      reasonCode: "certificate",
      certificate: { valid: false },
    });
  });

  test("fails when fewer days are left than required", async () => {
    const { port } = await secured("expiring");
    expect(await run({ port })).toMatchObject({ verdict: "ok" });
    expect(await run({ port, minDays: 4 })).toMatchObject({ verdict: "ok" });
    const outcome = await run({ port, minDays: 14 });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "certificate" });
    expect(outcome.reason).toMatch(/^The certificate expires on .+, in [45] days: fewer than 14\.$/);
  });

  test.each(kinds)("requests TLS in %s, and nothing else", async (starttls) => {
    const { port, said } = await startScript(starttls);
    expect(await run({ port, starttls })).toMatchObject({ verdict: "ok", certificate: { valid: true } });
    expect(said.join()).not.toMatch(/AUTH PLAIN|USER|PASS/);
  });

  test("fails where the protocol has no TLS to offer", async () => {
    const { port } = await startScript("smtp", { EHLO: "250 mx.example\r\n" });
    expect((await run({ port, starttls: "smtp" })).reason).toBe(
      `localhost (127.0.0.1:${port}) offers no TLS.`,
    );
    const postgres = closing(
      await startLineTarget((socket) => void socket.on("data", () => socket.write("N"))),
    );
    expect((await run({ port: postgres.port, starttls: "postgres" })).reason).toContain("offers no TLS");
    const clear = closing(await startLineTarget((socket) => void socket.write("220 hello\r\n")));
    expect(await run({ port: clear.port })).toMatchObject({ verdict: "failed", reasonCode: "tls" });
  });
});

test("requests TLS as clients of PostgreSQL do", async () => {
  const credentials = await (await testCa()).issue("valid", ["localhost"]);
  const { port } = closing(
    await startLineTarget((socket) => {
      socket.once("data", () => {
        socket.write("S");
        socket.removeAllListeners("data");
        new tls.TLSSocket(socket, { isServer: true, ...credentials }).on("error", () => {});
      });
    }),
  );
  expect(await run({ port, starttls: "postgres" })).toMatchObject({ verdict: "ok" });
});
