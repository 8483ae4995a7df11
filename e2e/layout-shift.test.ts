import type { Page, Route } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { respond } from "../server/test/harness/behaviours.ts";
import { eventually } from "../server/test/harness/eventually.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { agentWith, listOf, metrics, processOf, system } from "./harness/agent.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";

const app = shareInstallation();

/** Of a page without input, all shifts together; 0.1 is called good. */
const MOST = 0.05;

interface Shifts {
  sum: number;
  /** What moved, and by how much, for a test that fails. */
  moved: string[];
}

/** Runs in the page before anything else does. */
const watchShifts = `
  window.shifts = { sum: 0, moved: [] };
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  const add = (entries) => {
    for (const entry of entries) {
      if (entry.hadRecentInput) continue;
      window.shifts.sum += entry.value;
      for (const { node, previousRect, currentRect } of entry.sources)
        window.shifts.moved.push(
          [(node?.textContent ?? "").slice(0, 40), box(previousRect), "to", box(currentRect)].join(" "),
        );
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.flushShifts = () => { add(observer.takeRecords()); return window.shifts; };
`;

const frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/**
 * Opens an address whose own answers come one at a time, the last request first, each drawn before the next.
 * `ready` is there at the end. What moved meanwhile.
 */
async function shiftsOf(page: Page, path: string, ready: readonly string[]): Promise<Shifts> {
  const held: Route[] = [];
  await page.addInitScript(watchShifts);
  await page.route(
    (url) => url.pathname.startsWith(`/api${path}`),
    (route) => void held.push(route),
  );
  await page.goto(path);
  const isThere = (name: string) => page.getByRole("region", { name }).first().isVisible();
  await expect
    .poll(
      async () => {
        const route = held.pop();
        if (route) {
          await route.fulfill({ response: await route.fetch() });
          await page.evaluate(frames);
        }
        const there = await Promise.all(ready.map(isThere));
        return held.length === 0 && !there.includes(false);
      },
      { timeout: 45_000, interval: 20 },
    )
    .toBe(true);
  await expect.poll(() => page.locator(".breathing").count()).toBe(0);
  await page.evaluate(frames);
  return page.evaluate<Shifts>("window.flushShifts()");
}

interface Made {
  id: number;
  uuid: string;
}

/** A shop that is down, on a device that reports and on a status page, with an objective. */
async function startOutage(name: string, page: Page): Promise<{ domain: Made; incident: number }> {
  const target = await startHttpTarget({ handler: respond({ status: 503 }) });
  onTestFinished(target.close);
  await page.goto("/");
  const call = <T>(method: "GET" | "POST" | "PUT", path: string, body?: object) =>
    callApi<T>(page, method, path, body);
  const { device, token } = await call<{ device: Made; token: string }>("POST", "/api/devices", {
    name: `${name} host`,
  });
  const processes = listOf([processOf("nginx"), processOf("miner", { cpuPercent: 380 })]);
  expect(await agentWith(app, token)({ system, metrics, processes })).toBe(200);
  const domain = await call<Made>("POST", "/api/domains", {
    ...{ name, url: target.url, checkInterval: 60, objective: 99.9 },
    description: "Orders of all countries.",
  });
  await call("PUT", `/api/devices/${device.id}`, { linkedMonitors: [domain.uuid] });
  const slug = name.toLowerCase();
  const shown = await call<Made>("POST", "/api/status-pages", { name: `${name} status`, slug });
  await call("POST", `/api/status-pages/${shown.id}/domains`, { domainId: domain.id });
  const [incident] = await eventually(
    () => call<Made[]>("GET", `/api/incidents?monitor=${domain.id}`),
    (found) => found.length > 0,
    30_000,
  );
  return { domain, incident: incident?.id ?? 0 };
}

test.each([800, 1600])("an incident's page holds still while it loads, %i px high", async (height) => {
  const page = await app.open({ height });
  const name = `Shop${height}`;
  const { incident } = await startOutage(name, page);
  const ready = [
    "Why this alert",
    "What the check saw",
    `What ${name} host was doing`,
    "Timeline",
    "Postmortem",
  ];
  const { sum, moved } = await shiftsOf(page, `/incidents/${incident}`, ready);
  expect(sum, moved.join("\n")).toBeLessThan(MOST);
});

test.each([800, 1600])("a monitor's page holds still while it loads, %i px high", async (height) => {
  const page = await app.open({ height });
  const { domain } = await startOutage(`Monitor${height}`, page);
  const ready = ["Error budget", "Response time", "Certificate", "Results"];
  const { sum, moved } = await shiftsOf(page, `/domains/${domain.id}`, ready);
  expect(sum, moved.join("\n")).toBeLessThan(MOST);
});

test("an error budget has its height before its data is there", async () => {
  const page = await app.open();
  const { domain } = await startOutage("Budget", page);
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  await page.route(`**/api/domains/${domain.id}/monitoring/objective`, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`/domains/${domain.id}`);
  const card = page.getByRole("region", { name: "Error budget" });
  const heightOf = async () => (await card.boundingBox())?.height ?? 0;
  await card.locator(".breathing").first().waitFor();
  const before = await heightOf();
  resolve();
  await card.getByRole("table").waitFor();
  expect(Math.abs((await heightOf()) - before)).toBeLessThanOrEqual(2);
});
