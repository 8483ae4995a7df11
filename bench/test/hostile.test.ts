import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../server/src/platform/database/open.ts";
import { withFolder, withWatchedServer } from "../harness.ts";
import { ATTACKS } from "../hostile-attacks.ts";
import { addDevice, send, startHostileSite } from "../hostile-clients.ts";
import { seedMonitors } from "../seed.ts";

/** One of each kind; `npm run bench -- hostile` has them all. */
const SHORT = [
  "nested arrays, identity, to /api/auth/sign-in",
  "gzip that grows to 200 MB, to /api/agent/report",
  "the preview of FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=99",
  "sixty windows of leap days, listed and as a calendar",
  "MCP: twenty lists of tools in a batch",
  "MCP: fifty lists of tools",
  "MCP: twenty dashboards",
  "300 slow readers of the API document",
  "the API document as YAML",
  "400 slow header senders",
  "a monitored page: /nested",
  "a monitored page: /names",
  "a monitored page: /bomb/br",
  "a file to import: quotes without an end",
  "a device's reports: one wide object",
  "a device's reports: empty rows",
  "500 unknown heartbeats",
];
/** Of what an honest document of 2 MB takes. What these attacks took once was ten to a hundred times as much. */
const MAX_RATIO = 6;

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Milliseconds of CPU in which a plain document of 2 MB is read and written on this machine. */
function honestMs(): number {
  const row = {
    id: 1,
    name: "Shop",
    url: "https://shop.example/",
    status: "up",
    tags: ["web"],
    uptime: 99.95,
  };
  const text = JSON.stringify(Array.from({ length: 20_000 }, () => row));
  const begun = threadMs();
  JSON.stringify(JSON.parse(text));
  return threadMs() - begun;
}

test("no attack of an anonymous client or a tenant holds the main thread for long", async () => {
  const attacks = SHORT.map((name) => ATTACKS.find((attack) => attack.name === name));
  expect(ATTACKS.length).toBeGreaterThanOrEqual(100);
  expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
  await withFolder(async (folder) => {
    const store = await openStore({ file: join(folder, "vedette.db") });
    const { token } = await seedMonitors(store, {
      ...{ monitors: 100, intervalSeconds: 60, locations: ["elsewhere"] },
      urlOf: (n) => `https://site-${n}.vedette.test/`,
    });
    await store.close();
    const site = await startHostileSite();
    await withWatchedServer(folder, async ({ port, command }) => {
      const aim = { port, token, sitePort: site.port, deviceToken: await addDevice({ port, token }) };
      const limitMs = Math.max(honestMs(), honestMs(), honestMs()) * MAX_RATIO;
      for (const attack of attacks) {
        // The first time compiles what it needs.
        await attack?.run(aim);
        await command("begin");
        await attack?.run(aim);
        expect(await command("longest"), attack?.name).toBeLessThan(limitMs);
      }
      expect(await send(aim, { method: "GET", path: "/api/health" })).toBe(200);
    }).finally(site.close);
  });
}, 120_000);
