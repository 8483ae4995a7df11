import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkTls } from "../../src/checks/tls.ts";
import { authority, leaf, type Made, startChainServer } from "../harness/chains.ts";
import { readable } from "../harness/reasons.ts";
import { makeNetwork } from "./factories.ts";

const DAY_MS = 86_400_000;
const NAMES = ["localhost"];

interface Shown {
  chain: Made[];
  trusted: Made[];
  minDays?: number;
}

/** What a `tls` check makes of a server that sends this, where these are trusted beside the runtime's own. */
async function look({ chain, trusted, minDays }: Shown) {
  const port = await startChainServer(chain);
  const network = await makeNetwork({ ca: trusted.map(({ pem }) => pem) });
  const config = { host: "localhost", port, ...(minDays !== undefined && { minDays }) };
  return readable(await checkTls.run(config, { network, timeoutMs: 5000 }));
}

const daysLeft = (expiresAt: number | null | undefined) =>
  Math.floor(((expiresAt ?? 0) - Date.now()) / DAY_MS);

/** Whether `openssl verify` accepts it at that time; null where there is no openssl here. */
function opensslAccepts({ chain, trusted }: Shown, at: number): boolean | null {
  const folder = mkdtempSync(join(tmpdir(), "chain-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, made: Made[]) => {
    const path = join(folder, name);
    writeFileSync(path, made.map(({ pem }) => pem).join(""));
    return path;
  };
  const [own, ...rest] = chain;
  const untrusted = rest.length > 0 ? ["-untrusted", file("rest.pem", rest)] : [];
  const anchors = ["-no-CApath", "-no-CAstore", "-CAfile", file("ca.pem", trusted)];
  const options = ["-partial_chain", "-auth_level", "2", "-purpose", "sslserver"];
  const when = ["-attime", `${Math.floor(at / 1000)}`];
  const args = ["verify", ...anchors, ...untrusted, ...options, ...when, file("own.pem", own ? [own] : [])];
  try {
    execFileSync("openssl", args, { stdio: "pipe" });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : false;
  }
}

/** The check and `openssl verify` agree about now, and about the moment at which it stops to verify. */
async function agreedEnd(shown: Shown) {
  const { certificate, verdict } = await look(shown);
  const end = certificate?.expiresAt ?? 0;
  const said = [verdict === "ok", true, false];
  const found = [Date.now(), end - 2000, end + 2000].map((at) => opensslAccepts(shown, at) ?? "no openssl");
  if (!found.includes("no openssl")) expect(found).toEqual(said);
  expect(verdict).toBe("ok");
  return certificate;
}

describe("the path that verifies decides when a certificate ends", () => {
  test("a superfluous cross-signed root that has expired does not matter, and is marked", async () => {
    const root = await authority("Root", { days: 3000 });
    const old = await authority("Old Root", { days: -10 });
    const crossed = await authority("Root", { days: -10, by: old, keys: root.keys });
    const between = await authority("Between", { days: 500, by: root });
    const own = await leaf(NAMES, { days: 80, by: between });
    for (const chain of [
      [own, between, crossed],
      [own, crossed, between],
      [own, between, crossed, old],
    ]) {
      const certificate = await agreedEnd({ chain, trusted: [root] });
      expect(certificate).toMatchObject({ valid: true, invalidCode: null });
      expect(daysLeft(certificate?.expiresAt)).toBe(80);
      expect(certificate?.endsWith).toBeUndefined();
      const unused = certificate?.chain.filter(({ isUnused }) => isUnused).map(({ subject }) => subject);
      expect(unused).toEqual(chain.slice(1).flatMap((each) => (each === between ? [] : each.cert.subject)));
      expect(await look({ chain, trusted: [root], minDays: 60 })).toMatchObject({ verdict: "ok" });
    }
  });

  test("an intermediate that ends first is named, not the issuer of the server's own certificate", async () => {
    const root = await authority("Root", { days: 3000 });
    const upper = await authority("Upper", { days: 9, by: root });
    const lower = await authority("Lower", { days: 500, by: upper });
    const own = await leaf(NAMES, { days: 80, by: lower });
    const shown = { chain: [own, lower, upper], trusted: [root] };
    const certificate = await agreedEnd(shown);
    expect(daysLeft(certificate?.expiresAt)).toBe(9);
    expect(certificate?.endsWith).toEqual({ role: "intermediate", name: "CN=Upper" });
    const early = await look({ ...shown, minDays: 30 });
    expect(early.reason).toMatch(
      /^The intermediate certificate "CN=Upper" expires on .+, in 9 days: fewer than 30\.$/,
    );
  });

  test("a private root that ends first counts too, whether it is sent or not", async () => {
    const root = await authority("Root", { days: 12 });
    const own = await leaf(NAMES, { days: 80, by: root });
    for (const chain of [[own], [own, root]]) {
      const certificate = await agreedEnd({ chain, trusted: [root] });
      expect(daysLeft(certificate?.expiresAt)).toBe(12);
      expect(certificate?.endsWith).toEqual({ role: "root", name: "CN=Root" });
    }
  });

  test("where one path takes over from another, the end of the first does not matter", async () => {
    const root = await authority("Root", { days: 3000 });
    const short = await authority("Between", { days: 5, by: root });
    const long = await authority("Between", { days: 500, by: root, keys: short.keys });
    const own = await leaf(NAMES, { days: 80, by: short });
    for (const chain of [
      [own, short, long],
      [own, long, short],
    ]) {
      const certificate = await agreedEnd({ chain, trusted: [root] });
      expect(daysLeft(certificate?.expiresAt)).toBe(80);
      expect(certificate?.chain.map(({ subject, isUnused }) => [subject, isUnused])).toContainEqual([
        "CN=Between",
        true,
      ]);
    }
  });

  test("a certificate of the same name with another key takes over nothing", async () => {
    const root = await authority("Root", { days: 3000 });
    const short = await authority("Between", { days: 5, by: root });
    const stray = await authority("Between", { days: 500, by: root });
    const own = await leaf(NAMES, { days: 80, by: short });
    const certificate = await agreedEnd({ chain: [own, short, stray], trusted: [root] });
    expect(daysLeft(certificate?.expiresAt)).toBe(5);
  });

  test("a cross-signed root leads to the root that is trusted here", async () => {
    const trusted = await authority("Trusted", { days: 3000 });
    const unknown = await authority("Unknown", { days: 3000 });
    const crossed = await authority("Unknown", { days: 200, by: trusted, keys: unknown.keys });
    const between = await authority("Between", { days: 500, by: unknown });
    const own = await leaf(NAMES, { days: 300, by: between });
    const certificate = await agreedEnd({ chain: [own, between, crossed], trusted: [trusted] });
    expect(daysLeft(certificate?.expiresAt)).toBe(200);
    expect(certificate?.endsWith).toEqual({ role: "intermediate", name: "CN=Unknown" });
  });

  test("an intermediate, and a server's own certificate, may be what is trusted, as with curl", async () => {
    const root = await authority("Root", { days: 3000 });
    const between = await authority("Between", { days: 500, by: root });
    const own = await leaf(NAMES, { days: 80, by: between });
    for (const [chain, trusted] of [
      [[own, between], [between]],
      [[own], [between]],
      [[own], [own]],
    ] as const) {
      const certificate = await agreedEnd({ chain: [...chain], trusted: [...trusted] });
      expect(daysLeft(certificate?.expiresAt)).toBe(80);
    }
  });
});

describe("why a chain does not verify", () => {
  test("an intermediate or a root that has expired, or is not valid yet, is named", async () => {
    const root = await authority("Root", { days: 3000 });
    const over = await authority("Over", { days: -3, by: root });
    const early = await authority("Early", { from: 3, days: 500, by: root });
    const old = await authority("Old Root", { days: -10 });
    const under = async (by: Made) => [await leaf(NAMES, { days: 80, by }), by];
    const reasonOf = async (by: Made) =>
      (await look({ chain: await under(by), trusted: [root, old] })).reason;
    expect(await reasonOf(over)).toMatch(/^The intermediate certificate "CN=Over" expired on /);
    expect(await reasonOf(early)).toMatch(/^The intermediate certificate "CN=Early" is valid only from /);
    expect(await reasonOf(old)).toMatch(/^The root certificate "CN=Old Root" expired on /);
  });

  test("what is missing is named by the path, whatever else is sent", async () => {
    const root = await authority("Root", { days: 3000 });
    const between = await authority("Between", { days: 500, by: root });
    const stray = await authority("Stray", { days: 500, by: await authority("Elsewhere", { days: 900 }) });
    const own = await leaf(NAMES, { days: 80, by: between });
    for (const chain of [[own], [own, stray]]) {
      const { reason, certificate } = await look({ chain, trusted: [root] });
      expect(reason).toContain('the intermediate certificate of "CN=Between"');
      expect(daysLeft(certificate?.expiresAt)).toBe(80);
    }
  });

  test("a weak key or signature is named, and whose it is", async () => {
    const root = await authority("Root", { days: 3000 });
    const reasonOf = async (chain: Made[], trusted: Made) =>
      (await look({ chain, trusted: [trusted] })).reason;
    const own = await leaf(NAMES, { days: 80, by: root, rsaBits: 1024 });
    expect(await reasonOf([own], root)).toBe("The certificate has a key that is too weak: RSA 1024.");
    const weak = await authority("Weak", { days: 500, by: root, rsaBits: 1024 });
    expect(await reasonOf([await leaf(NAMES, { days: 80, by: weak }), weak], root)).toBe(
      'The intermediate certificate "CN=Weak" has a key that is too weak: RSA 1024.',
    );
    const weakRoot = await authority("Weak Root", { days: 500, rsaBits: 1024 });
    expect(await reasonOf([await leaf(NAMES, { days: 80, by: weakRoot })], weakRoot)).toBe(
      'The root certificate "CN=Weak Root" has a key that is too weak: RSA 1024.',
    );
    const old = await authority("Old", { days: 500, rsaBits: 2048, hash: "SHA-1" });
    const signed = await leaf(NAMES, { days: 80, by: old });
    expect(await reasonOf([signed], old)).toMatch(
      /^The certificate has a signature that is too weak: .*SHA1/i,
    );
  });
});
