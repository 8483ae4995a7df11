/**
 * Requests a second of a status page with 50 components under an open incident, from the whole server, against bare
 * node:http sending the same headers and bytes: as browsers ask for it (compressed), and as programs do that say nothing
 * of themselves. What is asked for does not change in the meantime but every 15 seconds, when it is read and rendered
 * again, as it is for visitors. Then what that reading costs where every component has 90 days of outages.
 */
import { join } from "node:path";
import { readPublicPage } from "../server/src/page/document/read-public-page.ts";
import { insertMany } from "../server/src/store/bulk.ts";
import { openStore } from "../server/src/store/open.ts";
import { findPageBySlug } from "../server/src/store/queries/status-pages.ts";
import { answerTo, compare, figures } from "./against-bare.ts";
import { withFolder } from "./folder.ts";
import { type Measurement, machineLoad, median, report } from "./measurement.ts";
import { type RunningServer, startBeside, startServer } from "./process.ts";
import { seedMonitors } from "./seed.ts";
import { BROWSER, COMPONENTS, makePage, PATH } from "./status-page.ts";

const LEAST_RATIO = 0.7;
const MOST_BYTES = 60_000;
/** Of CPU time, for reading the page once. */
const MOST_MS = 50;
const HALF_DAY = 43_200_000;

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  // Nothing is checked from a place that no probe is at: this is about visitors.
  const seed = { monitors: COMPONENTS, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token, organizationId } = await seedMonitors(store, seed);
  await store.close();
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  await makePage(server, token);
  const found = await sizes(server);
  const { child: load } = await startBeside("load.ts");
  for (const [name, headers] of [
    [`${PATH} in a browser`, BROWSER],
    [`${PATH}, uncompressed`, {}],
  ] as const) {
    found.push(...figures(name, await compare({ server, load, headers }, [PATH]), LEAST_RATIO));
  }
  load.disconnect();
  await server.stop();
  found.push(await costOfReading(folder, organizationId));
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}

async function sizes({ url }: RunningServer): Promise<Measurement[]> {
  const sizeOf = async (headers: Record<string, string>) => (await answerTo(url + PATH, headers)).body.length;
  const name = `${PATH}, ${COMPONENTS} components`;
  return [
    { name, value: await sizeOf({}), unit: "bytes", target: { atMost: MOST_BYTES } },
    { name: `${name}, compressed`, value: await sizeOf(BROWSER), unit: "bytes" },
  ];
}

/** Two changes of status a day for each component, 9,000 in all. */
async function costOfReading(folder: string, organizationId: number): Promise<Measurement> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const now = Date.now();
  const change = { organization_id: organizationId, from_status: "up", maintenance: 0 };
  const changes = Array.from({ length: COMPONENTS * 180 }, (_, n) => {
    const at = now - (180 - Math.floor(n / COMPONENTS)) * HALF_DAY;
    const to_status = Math.floor(n / COMPONENTS) % 2 ? "up" : "down";
    return { ...change, monitor_id: 1 + (n % COMPONENTS), to_status, at, detected_at: at };
  });
  await insertMany(store.db, "transitions", changes);
  const page = await findPageBySlug(store.db, "bench");
  if (!page) throw new Error("The page is gone.");
  const times: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const before = process.cpuUsage();
    await readPublicPage(store.db, page, { now, publicUrl: null });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  await store.close();
  const name = "CPU time of reading a page with 90 days of outages";
  return { name, value: median(times), unit: "ms", target: { atMost: MOST_MS } };
}
