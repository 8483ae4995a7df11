import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServerProcess, temporaryFolder } from "../../harness/process.ts";
import { seeded } from "../../harness/seeded.ts";
import { startTestServer } from "../../harness/server.ts";
import {
  BREAK_NAMES,
  BREAKS,
  CODING_NAMES,
  type Ending,
  MANNERS,
  type Manner,
  pick,
  type Sending,
  sendBadly,
} from "./broken-bodies.ts";

const SENDINGS = 2_000;
const AT_ONCE = 12;
const SIGN_IN = "POST /api/auth/sign-in";
const JSON_TYPE = "Content-Type: application/json";
/** A client that leaves, or sends only half, may find the connection gone. */
const WAITS: readonly Manner[] = ["whole", "in pieces", "in chunks", "twice"];

/** Runs `work` for each of `items`, some at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}

describe("broken bodies, compressed in any way and sent in any manner", () => {
  test("are answered by the route that reads them, and end nothing but themselves", async () => {
    const server = await startTestServer({
      engine: "sqlite",
      limits: { checkMs: 20, slowAfterMs: 150, leastBytesPerSecond: 1e9, dropIdleMs: 100 },
    });
    onTestFinished(server.close);
    const cases = BREAK_NAMES.flatMap((broken) => CODING_NAMES.map((coding) => ({ broken, coding })));
    await each(cases, async ({ broken, coding }) => {
      const { make, statuses } = BREAKS[broken];
      for (const manner of ["whole", "in chunks", "in pieces"] as const) {
        const headers = [JSON_TYPE, `Content-Encoding: ${coding}`];
        const body = make(seeded(1), coding);
        const ending = await sendBadly(server.url, { line: SIGN_IN, headers, body, manner });
        expect([broken, coding, manner, ending.error]).toEqual([broken, coding, manner, null]);
        expect(statuses, `${broken}, ${coding}, ${manner}`).toContain(ending.statuses[0]);
      }
      const headers = [JSON_TYPE, `Content-Encoding: ${coding}`];
      const half = { line: SIGN_IN, headers, body: gzipSync("{}"), manner: "half" } as const;
      expect([coding, (await sendBadly(server.url, half)).statuses]).toEqual([coding, [408]]);
    });
  });

  test.each([1, 2])("of seed %i do no harm at any route", async (seed) => {
    const server = await startTestServer({
      engine: "sqlite",
      limits: { checkMs: 20, slowAfterMs: 150, leastBytesPerSecond: 1e9, dropIdleMs: 100 },
    });
    onTestFinished(server.close);
    const routes = server.app.routeList.filter(({ method }) => method !== "GET");
    const random = seeded(seed);
    const sendings = Array.from({ length: SENDINGS / 2 }, (_, at): Sending & { name: string } => {
      const route = routes[at % routes.length] as (typeof routes)[number];
      const [broken, coding] = [pick(random, BREAK_NAMES), pick(random, CODING_NAMES)];
      const manner = pick(random, MANNERS);
      const key = random() < 0.7 ? [`Authorization: Bearer ${server.key}`] : [];
      const line = `${route.method} ${route.url.replaceAll(/:\w+/g, "1").replace("*", "a")}`;
      const headers = [...key, JSON_TYPE, `Content-Encoding: ${coding}`];
      const body = BREAKS[broken].make(random, coding);
      return { line, headers, body, manner, name: `${line}, ${broken}, ${coding}, ${manner}` };
    });
    const wrong: (Ending & { name: string })[] = [];
    await each(sendings, async (sending) => {
      const ending = await sendBadly(server.url, sending);
      const { statuses, error } = ending;
      const isAnswered = statuses.length > 0 && error === null;
      const isFine =
        statuses.every((status) => status < 500) && (isAnswered || !WAITS.includes(sending.manner));
      if (!isFine) wrong.push({ ...ending, name: sending.name });
    });
    expect(wrong).toEqual([]);
    expect(server.app.faults.count()).toBe(0);
    expect((await server.api("GET", "/api/health")).status).toBe(200);
  });

  test("do not end a server with its usual settings", { timeout: 60_000 }, async () => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const { url, stop, output } = await startServerProcess(folder);
    const random = seeded(3);
    const lines = [
      SIGN_IN,
      "POST /api/agent/report",
      "POST /api/agent/enroll",
      "POST /mcp",
      "POST /api/domains",
    ];
    const sendings = Array.from({ length: 200 }, (_, at): Sending => {
      const coding = pick(random, CODING_NAMES);
      const broken = at % 2 === 0 ? "many random bytes" : "a good body with more behind it";
      const headers = [JSON_TYPE, `Content-Encoding: ${coding}`];
      const body = BREAKS[broken].make(random, coding);
      return { line: pick(random, lines), headers, body, manner: pick(random, WAITS) };
    });
    const statuses = new Set<number>();
    await each(sendings, async (sending) => {
      const ending = await sendBadly(url, sending);
      expect(ending.error).toBeNull();
      for (const status of ending.statuses) statuses.add(status);
    });
    expect([...statuses].filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    expect([await stop(), output.stderr]).toEqual([0, ""]);
  });
});
