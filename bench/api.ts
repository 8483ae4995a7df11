/**
 * Requests a second of the lists of domains with 10,000 domains and an API key, from the whole server, against
 * bare node:http sending the same headers and bytes; both are asked in turns by a load generator in a
 * process of its own. Beside the rate stands the CPU of the server's process for each request, which a busy
 * machine disturbs less: the ratio is taken from it. `other pages` asks for a different page each time, so
 * that nothing can be remembered from the request before.
 */
import { join } from "node:path";
import { openStore } from "../server/src/store/open.ts";
import { compare, figures } from "./against-bare.ts";
import { withFolder } from "./folder.ts";
import { type Measurement, machineLoad, report } from "./measurement.ts";
import { startBeside, startServer } from "./process.ts";
import { seedMonitors } from "./seed.ts";

const DOMAINS = 10_000;
const PAGES = 400;

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  // Nothing is checked from a place that no probe is at: this is about the API.
  const seed = { monitors: DOMAINS, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  const headers = { Authorization: `Bearer ${token}` };
  const { child: load } = await startBeside("load.ts");
  const found: Measurement[] = [];
  const page = (path: string) => Array.from({ length: PAGES }, (_, i) => `${path}&page=${i + 1}`);
  for (const path of ["/api/domains?limit=20", "/v2/domains?per_page=20"]) {
    const rates = await compare({ server, load, headers }, [path]);
    const [name] = path.split("?");
    found.push(...figures(`${name}`, rates, 0.5));
  }
  const rates = await compare({ server, load, headers }, page("/api/domains?limit=20"));
  found.push(...figures("/api/domains, other pages", rates, null));
  load.disconnect();
  await server.stop();
  return [...found, { name: "load of the machine", value: machineLoad(), unit: "processes" }];
}
