import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { renderWaterfall } from "../../../src/app/command/waterfall.ts";
import { type CheckOutcome, PHASES } from "../../../src/checks/check.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { aReason } from "../../harness/reasons.ts";

const outcome: CheckOutcome = {
  verdict: "ok",
  reason: null,
  statusCode: 200,
  address: "127.0.0.1",
  protocol: "http/1.1",
  phases: {
    dnsUs: 10_000,
    connectUs: 20_000,
    tlsUs: 30_000,
    firstByteUs: 30_000,
    transferUs: 6_000,
    totalUs: 100_000,
  },
  certificate: {
    valid: true,
    invalidCode: null,
    invalidReason: null,
    expiresAt: Date.UTC(2026, 11, 1),
    issuer: "CN=R1",
    fingerprint: "",
    chain: [],
  },
  redirects: [{ statusCode: 301, url: "https://a.test/b" }],
};
const options = { phases: PHASES, colour: false, width: 80, now: Date.UTC(2026, 10, 21) };

describe("the waterfall", () => {
  test("shows phases one after the other, and everything that was seen", () => {
    const text = renderWaterfall("https://a.test/", outcome, options);
    const bars = text.split("\n").filter((line) => line.includes("█"));
    expect(bars.map((line) => line.split(" ", 1)[0])).toEqual([
      "DNS",
      "Connect",
      "TLS",
      "First",
      "Transfer",
      "Rest",
    ]);
    const ends = bars.map((line) => [line.indexOf("█"), line.lastIndexOf("█")] as const);
    for (let index = 1; index < ends.length; index++)
      expect(ends[index]?.[0]).toBe((ends[index - 1]?.[1] ?? 0) + 1);
    expect(bars[0]).toMatch(/ 10\.0 ms$/);
    expect(text).toContain("Total");
    expect(text).toContain("301 to https://a.test/b");
    expect(text).toContain("10 days left (until 2026-12-01), issued by CN=R1");
    expect(text.trimEnd().endsWith("Up.")).toBe(true);
  });

  test.each([40, 60, 120])("stays within %d columns", (width) => {
    const long = {
      ...outcome,
      verdict: "failed" as const,
      reason: aReason("status", `Because ${"of this and that ".repeat(20)}.`),
    };
    const text = renderWaterfall(`https://a.test/${"x".repeat(300)}`, long, { ...options, width });
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
  });

  test("has colours only on demand, and says the same with them", () => {
    const plain = renderWaterfall("https://a.test/", outcome, options);
    expect(plain).not.toContain("\x1b");
    const coloured = renderWaterfall("https://a.test/", outcome, { ...options, colour: true });
    expect(coloured).toContain("\x1b[");
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  test("a failure before anything was measured still renders", () => {
    const failed: CheckOutcome = {
      ...outcome,
      verdict: "failed",
      reason: msg("dns.missing", { host: "x.test" }),
      statusCode: null,
      address: null,
      protocol: null,
      certificate: null,
      phases: { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, transferUs: null, totalUs: 0 },
    };
    const text = renderWaterfall("http://x.test/", failed, options);
    expect(text).toContain("Down: The name x.test does not exist");
    expect(text).not.toContain("Address");
  });
});
