import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { geoFile, installedDatabase, locateAddress } from "../../../src/checks/toolbox/geo/locate-address.ts";
import { mmdbOf } from "../../harness/mmdb.ts";
import { runCommand } from "../../harness/process.ts";
import { startTestServer } from "../../harness/server.ts";
import { refusalOf, toolEnvironment } from "./run-tool.ts";

const DAY_MS = 86_400_000;

function fileOf(bytes: Buffer | string): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-geo-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "own.mmdb");
  writeFileSync(file, bytes);
  return file;
}

/** Databases as operators have them: of cities in MaxMind's form, and of autonomous systems. */
function ownDatabases() {
  const builtAt = new Date(Date.now() - 3 * DAY_MS);
  const city = {
    country: { iso_code: "DE", names: { de: "Deutschland", en: "Germany" } },
    subdivisions: [{ names: { en: "Bavaria" } }],
    city: { names: { en: "Munich" } },
  };
  const flat = { country_code: "FR", state1: "Île-de-France", city: "Paris" };
  return {
    geoDatabase: fileOf(mmdbOf("Own-City", { "8.8.8.0/24": city, "9.9.9.0/24": flat }, builtAt)),
    asnDatabase: fileOf(
      mmdbOf(
        "Own-ASN",
        { "8.8.8.0/24": { autonomous_system_number: 15169, autonomous_system_organization: "GOOGLE" } },
        builtAt,
      ),
    ),
  };
}

describe("POST ip-scanner", () => {
  it("names the country of an address by the installed database, how old that is, and what it does not know", async () => {
    const server = await startTestServer({ engine: "sqlite" });
    onTestFinished(() => server.close());
    const lookUp = (ip: string, family = "api") =>
      server.api("POST", `/${family}/toolbox/ip-scanner`, { ip });
    const { status, body } = await lookUp("8.8.8.8");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...{ ip: "8.8.8.8", country: "United States", countryCode: "US" },
      ...{ region: "", city: "", isp: "", organization: "", asn: null },
      reason: expect.stringContaining("countries only"),
      databases: [{ name: "DB-IP Lite", isInstalled: true }],
    });
    const [{ builtAt, ageDays }] = body.data.databases;
    expect(ageDays).toBe(Math.floor((Date.now() - Date.parse(builtAt)) / DAY_MS));
    expect((await lookUp("::ffff:8.8.8.8")).body.data.ip).toBe("8.8.8.8");
    expect((await lookUp("2001:4860:4860::8888", "v2")).body.data).toMatchObject({
      country_code: expect.stringMatching(/^[A-Z]{2}$/),
    });
  });

  it.each([
    ["", "no address", "example.com", "8.8.8", "8.8.8.8/24", "a".repeat(10_000)],
    [
      "10.0.0.1",
      "127.0.0.1",
      "169.254.169.254",
      "192.0.2.1",
      "::1",
      "fe80::1",
      "fd00::1",
      "::ffff:10.0.0.1",
      "0.0.0.0",
    ],
  ])("refuses what is no public address (%#)", async (...addresses) => {
    const server = await startTestServer({ engine: "sqlite" });
    onTestFinished(() => server.close());
    for (const ip of addresses) {
      const { status, body } = await server.api("POST", "/api/toolbox/ip-scanner", { ip });
      expect([ip, status, Object.keys(body.errors ?? {})]).toEqual([ip, 422, ["ip"]]);
    }
  });
});

describe("databases of the operator's own", () => {
  it("name the city and the provider, in whichever form they have them", async () => {
    const environment = await toolEnvironment({}, {}, ownDatabases());
    expect(await locateAddress.run({ ip: "8.8.8.8" }, environment)).toMatchObject({
      ...{ country: "Germany", countryCode: "DE", region: "Bavaria", city: "Munich" },
      ...{ isp: "GOOGLE", organization: "GOOGLE", asn: 15169, reason: null },
      databases: [
        { name: "Own-City", ageDays: 3, isInstalled: false },
        { name: "Own-ASN", ageDays: 3, isInstalled: false },
      ],
    });
    expect(await locateAddress.run({ ip: "9.9.9.9" }, environment)).toMatchObject({
      ...{ country: "France", countryCode: "FR", region: "Île-de-France", city: "Paris", isp: "" },
      reason: "No provider is known for this address.",
    });
    expect(await locateAddress.run({ ip: "1.1.1.1" }, environment)).toMatchObject({
      ...{ country: "", countryCode: "", region: "", city: "" },
      reason: "The database does not know this address.",
    });
    const v6 = await locateAddress.run({ ip: "2001:4860:4860::8888" }, environment);
    expect(v6).toMatchObject({ country: "", reason: "The database does not know this address." });
  });

  it("are read anew once another is put in their place", async () => {
    const environment = await toolEnvironment({}, {}, ownDatabases());
    const lookUp = () => locateAddress.run({ ip: "8.8.8.8" }, environment);
    expect((await lookUp()).city).toBe("Munich");
    const moved = { country_code: "FR", state1: "Île-de-France", city: "Paris" };
    const file = environment.sources.geoDatabase as string;
    writeFileSync(`${file}.new`, mmdbOf("Newer-City", { "8.8.8.0/24": moved }, new Date()));
    renameSync(`${file}.new`, file);
    expect(await lookUp()).toMatchObject({ city: "Paris", databases: [{ name: "Newer-City" }, {}] });
  });

  it("that cannot be read are named", async () => {
    for (const geoDatabase of [fileOf("no database"), join(tmpdir(), "absent.mmdb")]) {
      const environment = await toolEnvironment({}, {}, { geoDatabase });
      const [field, sentence] = await refusalOf(locateAddress, { ip: "8.8.8.8" }, environment);
      expect([field, sentence]).toEqual([undefined, expect.stringContaining("VEDETTE_GEO_DATABASE")]);
    }
  });
});

describe("a database that is broken inside", () => {
  it("is named", async () => {
    const bytes = mmdbOf("Own-City", { "8.8.8.0/24": { country_code: "US" } }, new Date());
    const from = bytes.indexOf("country_code") - 2;
    // A control byte of no type that there is.
    const geoDatabase = fileOf(Buffer.from(bytes).fill(0xff, from, from + 16));
    const environment = await toolEnvironment({}, {}, { geoDatabase });
    const [field, sentence] = await refusalOf(locateAddress, { ip: "8.8.8.8" }, environment);
    expect([field, sentence]).toEqual([undefined, expect.stringContaining("VEDETTE_GEO_DATABASE")]);
  });
});

describe("the installed database", () => {
  it("is read at the first request, let go of when there are none, and answers within 2 ms", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = installedDatabase();
    const [file, other] = await Promise.all([geoFile(path), geoFile(path)]);
    expect(other).toBe(file);
    const startedMs = performance.now();
    for (let at = 0; at < 1_000; at += 1) file.find(`${(at % 200) + 11}.${at % 256}.8.8`);
    expect((performance.now() - startedMs) / 1_000).toBeLessThan(2);
    vi.advanceTimersByTime(59_000);
    expect(await geoFile(path)).toBe(file);
    vi.advanceTimersByTime(60_001);
    expect(await geoFile(path)).not.toBe(file);
  });
});

describe("vedette ip-scanner", () => {
  it("prints where an address is", async () => {
    const { geoDatabase } = ownDatabases();
    const { stdout } = await runCommand(["ip-scanner", "8.8.8.8"], { VEDETTE_GEO_DATABASE: geoDatabase });
    expect(stdout).toMatch(
      /^Address +8\.8\.8\.8\nCountry +Germany \(DE\)\nRegion +Bavaria\nCity +Munich\nDatabase +Own-City, 3 days old\n/,
    );
  });
});
