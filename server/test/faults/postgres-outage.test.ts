import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../harness/postgres.ts";
import { openHouse } from "./house.ts";
import { readStored, startSites } from "./served.ts";

const SITES = 40;
/** The longest that a caller waits for "not now" while the database does not even refuse. */
const PATIENCE_MS = 12_000;

/** The processes of a server: the first one and its children. */
function processesOf({ pid }: PostgresServer): number[] {
  const parentOf = (id: string) => {
    try {
      return Number(
        readFileSync(`/proc/${id}/stat`, "latin1")
          .replace(/^.*\) \S /s, "")
          .split(" ")[0],
      );
    } catch {
      return 0;
    }
  };
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return [pid(), ...all.filter((id) => parentOf(id) === pid()).map(Number)];
}

function signal(server: PostgresServer, name: NodeJS.Signals): void {
  for (const pid of processesOf(server)) process.kill(pid, name);
}

const OUTAGES = [
  {
    outage: "PostgreSQL ends and comes back",
    begin: (server: PostgresServer) => server.halt(),
    end: (server: PostgresServer) => server.resume(),
  },
  {
    outage: "PostgreSQL stands still and goes on",
    begin: async (server: PostgresServer) => signal(server, "SIGSTOP"),
    end: async (server: PostgresServer) => signal(server, "SIGCONT"),
  },
];

describe.each(OUTAGES)("while $outage", ({ begin, end }) => {
  it("checks go on, the API answers 503 with Retry-After, and everything arrives afterwards", async ({
    skip,
  }) => {
    const binaries = findPostgres();
    if (!binaries || process.platform !== "linux") return skip("no PostgreSQL, or not on Linux");
    const postgres = await startPostgres(binaries);
    onTestFinished(async () => {
      signal(postgres, "SIGCONT");
      await postgres.stop();
    });
    const house = await openHouse({ databaseUrl: `${postgres.url}/postgres?statement_timeout=3000` });
    const sites = await startSites(SITES);
    const ids = await house.addDomains(sites.urls);
    const { pid } = house.server;
    const stats = () => house.get("/api/domains/stats");
    await eventually(stats, ({ up }) => up === SITES);

    await begin(postgres);
    const before = sites.served.map(({ length }) => length);
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const begunMs = performance.now();
        const { status: code, headers } = await house.ask("/api/domains");
        return { code, retryAfter: Number(headers.get("retry-after")), tookMs: performance.now() - begunMs };
      }),
    );
    for (const { code, retryAfter, tookMs } of answers) {
      expect(code).toBe(503);
      expect(retryAfter).toBeGreaterThan(0);
      expect(tookMs).toBeLessThan(PATIENCE_MS);
    }
    expect((await house.ask("/api/health")).status).toBe(200);
    expect((await house.ask("/api/health?ready=1")).status).toBe(503);
    await eventually(
      () => sites.served,
      (served) => served.every((own, site) => own.length > (before[site] ?? 0)),
      25_000,
    );
    const told = house.troubles().map(({ msg }) => msg);
    const once = told.filter((line) => line !== "Service Unavailable");
    expect(once).toContain("The store does not take results; they are kept on disk and tried again");
    expect(new Set(once).size, once.join("\n")).toBe(once.length);
    sites.set(status(503));
    await end(postgres);
    await eventually(
      () => stats().catch(() => ({})),
      ({ down }) => down === SITES,
      40_000,
    );
    const soFar = sites.served.map(({ length }) => length);
    const stored = await eventually(
      () => readStored(house, ids),
      ({ times }) => times.every((own, site) => own.length >= (soFar[site] ?? 0)),
      20_000,
    );
    expect(stored.times.map(({ length }) => length)).toEqual(stored.rolledUp);
    expect(house.server.pid).toBe(pid);
  }, 150_000);
});
