import { X509Certificate } from "node:crypto";
import tls from "node:tls";
import { describe, expect, test } from "vitest";
import type { CertificateReport } from "../../src/checks/certificate.ts";
import { certificateStatus, invalidReason } from "../../src/checks/certificate.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";
import { check, startTlsTarget } from "./factories.ts";

const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 10, 21);

describe("what a certificate is worth", () => {
  test.each([
    [true, now + 15 * DAY_MS, 14, "valid"],
    [true, now + 14 * DAY_MS + 1, 14, "valid"],
    [true, now + 14 * DAY_MS, 14, "expiring_soon"],
    [true, now + 29 * DAY_MS, 30, "expiring_soon"],
    [true, now + 1, 14, "expiring_soon"],
    [true, now, 14, "expired"],
    [false, now - 1, 14, "expired"],
    [false, now + 90 * DAY_MS, 14, "invalid"],
    [false, null, 14, "invalid"],
  ] as const)("valid %s, until %s, warning %s days before: %s", (valid, expiresAt, days, status) => {
    expect(certificateStatus({ valid, expiresAt }, now, days)).toBe(status);
  });
});

describe("the report", () => {
  test("reports the whole chain, leaf first", async () => {
    const target = await startTlsTarget();
    const report = (await check(target.url)).certificate as CertificateReport;
    expect(report).toMatchObject({ valid: true, issuer: "CN=Vedette Test Root Intermediate" });
    expect(report.chain.map(({ subject }) => subject)).toEqual([
      "CN=localhost",
      "CN=Vedette Test Root Intermediate",
    ]);
    const [leaf, intermediate] = report.chain;
    expect(leaf).toMatchObject({
      issuer: "CN=Vedette Test Root Intermediate",
      names: ["localhost", "127.0.0.1", "0:0:0:0:0:0:0:1"],
      keyType: "EC prime256v1",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(leaf?.serialNumber).toMatch(/^[0-9A-F]+$/);
    expect(report.fingerprint).toBe(leaf?.fingerprint);
    expect(report.expiresAt).toBe(Math.min(leaf?.notAfter ?? 0, intermediate?.notAfter ?? 0));
    expect(leaf?.notBefore).toBeLessThan(Date.now());
    expect(leaf?.notAfter).toBeGreaterThan(Date.now() + 80 * DAY_MS);
  });

  test("is read once for the same chain, and again for another", async () => {
    const target = await startTlsTarget();
    const first = (await check(target.url)).certificate;
    expect((await check(target.url)).certificate).toBe(first);
    const other = await startTlsTarget();
    expect((await check(other.url)).certificate?.fingerprint).not.toBe(first?.fingerprint);
  });

  test("of a certificate about to end says so by its date", async () => {
    const target = await startTlsTarget({ certificate: "expiring" });
    const outcome = await check(target.url);
    expect(outcome.verdict).toBe("ok");
    expect(certificateStatus(outcome.certificate as CertificateReport, Date.now(), 14)).toBe("expiring_soon");
  });

  test("lists a few names, and says how many more there are", async () => {
    const target = await startTlsTarget({ names: ["a.test", "b.test", "c.test", "d.test", "e.test"] });
    expect((await check(target.url)).reason).toBe(
      "The certificate is for a.test, b.test, c.test and 2 more, not for localhost.",
    );
  });

  test("names what OpenSSL finds wrong where there is no sentence for it", () => {
    const reasonOf = (verdict: string, certificates: readonly X509Certificate[]) =>
      inEnglish(
        invalidReason("invalid", { certificates, isAnchored: false }, { name: "x.test", verdict, names: [] }),
      );
    const [leaf] = [new X509Certificate(tls.rootCertificates[0] ?? "")];
    expect(reasonOf("INVALID_PURPOSE", [leaf])).toContain("(invalid purpose)");
    expect(reasonOf("UNSPECIFIED", [leaf])).toContain("OpenSSL does not say which");
    expect(reasonOf("", [])).toBe("The server showed no certificate.");
  });

  test("a star matches one label, at the beginning", async () => {
    const target = await startTlsTarget({ names: ["*.wild.test"] });
    const resolver = {
      resolve: async () => ({ addresses: [{ address: "127.0.0.1", family: 4 as const }], late: null }),
    };
    const reason = async (host: string) =>
      (await check(`https://${host}:${target.port}/`, { network: { resolver } })).certificate?.invalidCode;
    expect(await reason("a.wild.test")).toBeNull();
    expect(await reason("a.b.wild.test")).toBe("host_mismatch");
    expect(await reason("wild.test")).toBe("host_mismatch");
  });
});
