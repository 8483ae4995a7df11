import { expect, test } from "vitest";
import { msg } from "../../../src/platform/i18n/message.ts";
import {
  type DomainFindings,
  domainState,
  evaluateDomain,
  GRACE_MS,
  readHost,
} from "../../../src/status-pages/domain/domain-rules.ts";

const OPEN = { publicUrl: "https://vedette.example.org", targets: "public" } as const;
const OWN = { publicUrl: "https://vedette.example.org:8443", targets: "all" } as const;
const DAY = 86_400_000;

test.each([
  ["status.example.org", "status.example.org"],
  [" Status.Example.ORG. ", "status.example.org"],
  ["status.müller.de", "status.xn--mller-kva.de"],
  ["example.com", "example.com"],
  ["a.b.github.io", "a.b.github.io"],
])("%s can be a page's own", (text, host) => {
  expect(readHost(text, OPEN)).toEqual({ host });
});

test.each([
  ["https://status.example.org", "page.domain_form"],
  ["status.example.org/path", "page.domain_form"],
  ["status.example.org:443", "page.domain_form"],
  ["status.example.org\r\nX: y", "page.domain_form"],
  ["user@status.example.org", "page.domain_form"],
  ["*.example.org", "page.domain_form"],
  ["-a.example.org", "page.domain_form"],
  ["a..example.org", "page.domain_form"],
  [`${"a".repeat(64)}.example.org`, "page.domain_form"],
  [`${"a.".repeat(125)}org`, "page.domain_form"],
  ["192.0.2.1", "page.domain_ip"],
  ["[2001:db8::1]", "page.domain_ip"],
  ["2001:db8::1", "page.domain_ip"],
  ["VEDETTE.example.org", "page.domain_own"],
  ["localhost", "page.domain_suffix"],
  ["status.localhost", "page.domain_suffix"],
  ["intranet", "page.domain_suffix"],
  ["co.uk", "page.domain_suffix"],
  ["github.io", "page.domain_suffix"],
  ["status.corp.internal", "page.domain_suffix"],
])("%s cannot: %s", (text, code) => {
  expect(readHost(text, OPEN)).toMatchObject({ problem: { code } });
});

test("names of one's own network do where sign-up is closed, and none without a public address", () => {
  expect(readHost("status.corp.internal", OWN)).toEqual({ host: "status.corp.internal" });
  expect(readHost("status.example.org", { ...OWN, publicUrl: null })).toMatchObject({
    problem: { code: "page.domain_address" },
  });
});

const fine = { found: ["x"], problem: null };
const FINE: DomainFindings = { points: fine, proof: fine };
const MISSING: DomainFindings = {
  points: fine,
  proof: { found: [], problem: msg("page.proof_missing", { record: "r" }) },
};
const OWN_UNKNOWN: DomainFindings = {
  points: { found: ["192.0.2.7"], problem: msg("page.own_unknown", { host: "vedette.example.org" }) },
  proof: { found: [], problem: null },
};
const SILENT: DomainFindings = {
  points: { found: [], problem: msg("page.dns_silent", { host: "h" }) },
  proof: fine,
};
const ELSEWHERE: DomainFindings = {
  points: { found: ["192.0.2.9"], problem: msg("page.points_nowhere", { host: "h" }) },
  proof: fine,
};
const claim = (more: object) => ({ isServed: false, claimedAt: 0, failingSince: null, ...more });

test("a page is served at a host as soon as that is proved, and no sooner", () => {
  expect(evaluateDomain(claim({}), FINE, DAY)).toMatchObject({ serve: true, failingSince: null });
  for (const findings of [MISSING, SILENT, ELSEWHERE])
    expect(evaluateDomain(claim({}), findings, DAY)).toMatchObject({ serve: false, failingSince: null });
});

test("a claim that is not proved is looked at less and less, and after a month no more", () => {
  const waits = [0, 2 * DAY, 31 * DAY].map((now) => {
    const { nextCheckAt } = evaluateDomain(claim({}), MISSING, now);
    return nextCheckAt === null ? null : nextCheckAt - now;
  });
  expect(waits).toEqual([120_000, 3_600_000, null]);
});

test("what was proved holds for three days after the DNS says something else, and name servers that are silent say nothing", () => {
  const served = claim({ isServed: true });
  expect(evaluateDomain(served, MISSING, DAY)).toMatchObject({ serve: true, failingSince: DAY });
  expect(evaluateDomain(served, SILENT, DAY)).toMatchObject({ serve: true, failingSince: null });
  const failing = claim({ isServed: true, failingSince: DAY });
  expect(evaluateDomain(failing, ELSEWHERE, DAY + GRACE_MS - 1)).toMatchObject({
    serve: true,
    failingSince: DAY,
  });
  expect(evaluateDomain(failing, ELSEWHERE, DAY + GRACE_MS)).toMatchObject({
    serve: false,
    failingSince: null,
  });
  expect(evaluateDomain(failing, FINE, DAY + GRACE_MS)).toMatchObject({ serve: true, failingSince: null });
});

test("name servers that are away take no host from a page, however long, also the installation's own", () => {
  const failing = claim({ isServed: true, failingSince: DAY });
  for (const findings of [SILENT, OWN_UNKNOWN]) {
    const evaluated = evaluateDomain(failing, findings, DAY + 10 * GRACE_MS);
    expect(evaluated).toMatchObject({ serve: true, failingSince: DAY });
    expect(evaluateDomain(claim({ isServed: true }), findings, DAY)).toMatchObject({ failingSince: null });
  }
});

test.each([
  [claim({}), null, "pending"],
  [claim({}), MISSING, "pending"],
  [claim({}), ELSEWHERE, "wrong"],
  [claim({ isServed: true }), FINE, "verified"],
  [claim({ isServed: true }), SILENT, "verified"],
  [claim({ isServed: true, failingSince: 1 }), MISSING, "wrong"],
] as const)("%#: the state of a claim", (given, findings, state) => {
  expect(domainState({ ...given, findings })).toBe(state);
});
