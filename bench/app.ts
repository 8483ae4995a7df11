/**
 * What it is like to open the list of 10,000 domains in a real browser and to search it: until the first rows
 * are painted, and until they have their bars and lines of the last 24 hours, in a fresh browser and in one that knows the app already, and from frame to frame while a search is
 * typed and its rows come in. What takes longer than 50 ms is a long task by the W3C's definition and is felt as a
 * stutter. The baseline is the sign-in page of the same server, and typing there.
 */
import type { Browser, Page } from "playwright-core";
import { installedBrowsers, launchBrowser } from "../e2e/harness/launch-browser.ts";
import { giveHistory, multiplyDomain } from "../e2e/harness/many-domains.ts";
import {
  type Measurement,
  machineLoad,
  median,
  quantile,
  report,
  startServer,
  withFolder,
} from "./harness.ts";

const DOMAINS = 10_000;
const ROUNDS = 7;
const OPEN_MS = 1_000;
const LONG_TASK_MS = 50;
const ROW = "[role=row][data-status]";
/** A row with all that it draws. */
const DRAWN = `${ROW}:has([data-hour=up]):has(polyline)`;
const LIST = "/domains";
const TYPED = "site-0912";
/** Between two keys: a fast typist. */
const KEY_MS = 90;
/** After the last key: the answer has come and its rows are painted. */
const IDLE_MS = 700;

const browser = await launchBrowser(installedBrowsers());
try {
  if (typeof browser === "string") throw new Error(`This bench needs a browser: ${browser}.`);
  report(await withFolder((folder) => measure(browser, folder)));
} finally {
  if (typeof browser !== "string") await browser.close();
}

async function measure(browser: Browser, folder: string): Promise<Measurement[]> {
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const cookie = await seed(server.url, folder);
  const open = async () => {
    const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
    await context.addCookies([{ ...cookie, url: server.url }]);
    return context;
  };
  const [bare, keys, bareKeys]: number[][] = [[], [], []];
  const [fresh, known]: Opened[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const anonymous = await browser.newContext({ baseURL: server.url });
    const signIn = await anonymous.newPage();
    await signIn.goto("/sign-in", { waitUntil: "commit" });
    bare?.push(await timeToPaint(signIn, "form"));
    bareKeys?.push(...(await typeInto(signIn, "input[type=email]")));
    await anonymous.close();
    const context = await open();
    const page = await context.newPage();
    fresh?.push(await openList(page));
    const again = await context.newPage();
    known?.push(await openList(again));
    await again.close();
    keys?.push(...(await typeInto(page, "input[type=search]")));
    await context.close();
  }
  await server.stop();
  return [
    { name: "sign-in page until painted, fresh browser", value: median(bare ?? []), unit: "ms" },
    ...opened("fresh browser", fresh ?? []),
    ...opened("browser that knows the app", known ?? []),
    {
      name: "from frame to frame while typing there, longest",
      value: Math.max(...(bareKeys ?? [])),
      unit: "ms",
    },
    { name: "from frame to frame while searching, median", value: median(keys ?? []), unit: "ms" },
    {
      name: "from frame to frame while searching, p99",
      value: quantile(keys ?? [], 0.99),
      unit: "ms",
      target: { atMost: LONG_TASK_MS },
    },
    { name: "from frame to frame while searching, longest", value: Math.max(...(keys ?? [])), unit: "ms" },
    { name: "load of the machine", value: machineLoad(), unit: "processes" },
  ];
}

/** Milliseconds until the first rows were painted, and until they were with all that they draw. */
interface Opened {
  rows: number;
  drawn: number;
}

function opened(where: string, times: readonly Opened[]): Measurement[] {
  const measured = (what: string, of: keyof Opened): Measurement => ({
    name: `first rows painted${what}, ${where}`,
    value: median(times.map((time) => time[of])),
    unit: "ms",
    target: { atMost: OPEN_MS },
  });
  return [measured("", "rows"), measured(" with bars and lines", "drawn")];
}

/** An owner and their domains; the cookie of their session. */
async function seed(url: string, folder: string): Promise<{ name: string; value: string }> {
  const post = (path: string, body: object, cookie = "") =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url, cookie },
      body: JSON.stringify(body),
    });
  const owner = { name: "Bench", email: "bench@vedette.test", password: "a lamp in every window" };
  const answer = await post("/api/auth/setup", { ...owner, organization: "Bench" });
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0] ?? "") ?? [];
  if (name === undefined || value === undefined) throw new Error(`Setting up answered ${answer.status}.`);
  const domain = { url: "http://127.0.0.1:9/", name: "Site 00001", checkInterval: 3600 };
  const made = await post("/api/domains", domain, `${name}=${value}`);
  if (made.status !== 201) throw new Error(`Adding a domain answered ${made.status}.`);
  multiplyDomain(folder, DOMAINS);
  giveHistory(folder);
  return { name, value };
}

async function openList(page: Page): Promise<Opened> {
  await page.goto(LIST, { waitUntil: "commit" });
  return { rows: await timeToPaint(page, ROW), drawn: await timeToPaint(page, DRAWN) };
}

/** Milliseconds from the beginning of the navigation until the frame with the element was painted. */
async function timeToPaint(page: Page, selector: string): Promise<number> {
  await page.locator(selector).first().waitFor();
  return page.evaluate<number>(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame((at) => done(at))))",
  );
}

/** Types into the box and waits for what that brings; milliseconds from each frame to the next meanwhile. */
async function typeInto(page: Page, box: string): Promise<number[]> {
  await page.evaluate(`(() => {
    const gaps = [];
    let last = performance.now();
    const measure = () => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      requestAnimationFrame(measure);
    };
    requestAnimationFrame(measure);
    window.frameGaps = gaps;
  })()`);
  await page.locator(box).pressSequentially(TYPED, { delay: KEY_MS });
  await page.waitForTimeout(IDLE_MS);
  return page.evaluate<number[]>("window.frameGaps");
}
