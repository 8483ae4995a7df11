import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../harness/postgres.ts";
import { type House, openHouse } from "./house.ts";
import { expectEverythingStored, startSites } from "./served.ts";

const SITES = 40;
/** The longest that a caller waits for "not now" while the database does not even refuse. */
const TIMEOUT_MS = 12_000;

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
  for (const pid of processesOf(server)) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // A child may have done its work and ended since it was listed.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

export interface Outage {
  begin(server: PostgresServer): Promise<void>;
  end(server: PostgresServer): Promise<void>;
  /** It lasts until every site was checked so often, ten seconds apart. */
  checks: number;
}

/** PostgreSQL ends as in a crash, and is started again. */
export const stopped: Outage["begin"] = (server) => server.halt();
export const started: Outage["end"] = (server) => server.resume();

/** PostgreSQL keeps its connections and says nothing more. */
export const frozen: Outage["begin"] = async (server) => signal(server, "SIGSTOP");
export const thawed: Outage["end"] = async (server) => signal(server, "SIGCONT");

/** The whole bad day; a string says why it cannot be had here. */
export async function surviveOutage({ begin, end, checks }: Outage): Promise<string | undefined> {
  const binaries = findPostgres();
  if (!binaries || process.platform !== "linux") return "no PostgreSQL, or not on Linux";
  // What it has acknowledged it must still have after its crash, unlike that of the other tests.
  const postgres = await startPostgres(binaries, { synchronous_commit: "on" });
  onTestFinished(async () => {
    signal(postgres, "SIGCONT");
    await postgres.stop();
  });
  const house = await openHouse({ databaseUrl: `${postgres.url}/postgres?statement_timeout=3000` });
  const sites = await startSites(SITES);
  const ids = await house.addDomains(sites.urls);
  const { pid } = house.server;
  const pages = await openPages(house);
  const stats = () => house.get("/api/domains/stats");
  await eventually(stats, ({ up }) => up === SITES);
  // Not before: until the server knows that a page is new, it forgets what it has read of it.
  expect((await fetch(pages.read)).status).toBe(200);

  await begin(postgres);
  const before = sites.served.map(({ length }) => length);
  await expectRefusals(house);
  await expectPages(pages);
  await eventually(
    () => sites.served,
    (served) => served.every((own, site) => own.length >= (before[site] ?? 0) + checks),
    15_000 + 10_000 * checks,
  );
  expectNotifiedOnce(house);
  sites.set(status(503));
  await end(postgres);
  await eventually(
    () => stats().catch(() => ({})),
    ({ down }) => down === SITES,
    40_000,
  );
  await expectEverythingStored(house, ids, sites);
  await expectOneStory(house);
  expect(house.server.pid).toBe(pid);
  return undefined;
}

/** Callers get a Retry-After, soon; the process reports that it is alive. */
async function expectRefusals(house: House): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const begunMs = performance.now();
      const { status: code, headers } = await house.request("/api/domains");
      return { code, retryAfter: Number(headers.get("retry-after")), tookMs: performance.now() - begunMs };
    }),
  );
  for (const { code, retryAfter, tookMs } of answers) {
    expect(code).toBe(503);
    expect(retryAfter).toBeGreaterThan(0);
    expect(tookMs).toBeLessThan(TIMEOUT_MS);
  }
  expect((await house.request("/api/health")).status).toBe(200);
  expect((await house.request("/api/health?ready=1")).status).toBe(503);
}

/** Two status pages, one to be read and one without visitors; their addresses. */
async function openPages(house: House) {
  const at = (slug: string) => `${house.server.url}/status/${slug}`;
  for (const slug of ["read", "unread"]) {
    const body = { name: slug, slug };
    expect((await house.request("/api/status-pages", { method: "POST", body })).status).toBe(201);
  }
  return { read: at("read"), unread: at("unread") };
}

/** Visitors see the page as it was; one that was never read answers with a message in their language. */
async function expectPages({ read, unread }: Awaited<ReturnType<typeof openPages>>): Promise<void> {
  const german = { headers: { accept: "text/html", "accept-language": "de" } };
  const [known, unknown] = await Promise.all([fetch(read, german), fetch(unread, german)]);
  expect([known.status, unknown.status]).toEqual([200, 503]);
  expect(await known.text()).toContain('<html lang="de"');
  expect(await unknown.text()).toContain('<html lang="de"');
}

function expectNotifiedOnce(house: House): void {
  const reported = house.loggedProblems().map(({ msg }) => msg);
  const once = reported.filter((line) => line !== "Service Unavailable");
  expect(once).toContain("The store does not take results; they are queued on disk and retried");
  expect(new Set(once).size, once.join("\n")).toBe(once.length);
}

/** Nothing was said of the sites that was not so: they came up, and went down once. */
async function expectOneStory(house: House): Promise<void> {
  const changes = await house.look(({ db }) => db.selectFrom("transitions").select("to_status").execute());
  const reported = changes.map((change) => change.to_status);
  const counts = ["up", "down"].map((to) => reported.filter((each) => each === to).length);
  expect([...counts, reported.length]).toEqual([SITES, SITES, 2 * SITES]);
}
