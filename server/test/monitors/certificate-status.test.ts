import { describe, expect, test } from "vitest";
import { certificateStatus, isCertificateValid } from "../../src/monitors/certificate-status.ts";

const NOW = Date.UTC(2026, 10, 21);
const DAY_MS = 86_400_000;
const certificate = (days: number | null, change: { valid?: boolean; soon?: number } = {}) => ({
  valid: change.valid ?? true,
  expiresAt: days === null ? null : NOW + days * DAY_MS,
  issuer: "Test CA",
  expiringSoonDays: change.soon ?? null,
  unverified: false,
});

describe("a certificate", () => {
  test.each([
    ["with time left is valid", certificate(15), "valid", true],
    ["is expiring soon from 14 days before its end", certificate(14), "expiring_soon", true],
    ["is expired from its end on, whatever the last check said", certificate(0), "expired", false],
    ["that was refused and is over is expired", certificate(-1, { valid: false }), "expired", false],
    ["that was refused with time left is invalid", certificate(5, { valid: false }), "invalid", false],
    ["that could not be read is invalid", certificate(null, { valid: false }), "invalid", false],
    ["may have its own idea of soon", certificate(20, { soon: 30 }), "expiring_soon", true],
    ["may be reported late", certificate(10, { soon: 7 }), "valid", true],
    ["that was never seen is none", null, "none", null],
  ] as const)("%s", (_, seen, status, valid) => {
    expect(certificateStatus(seen, NOW)).toBe(status);
    expect(isCertificateValid(seen, NOW)).toBe(valid);
  });
});
