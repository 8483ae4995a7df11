/**
 * Requests a second of a status page with 50 components under an open incident, from the whole server, against bare
 * node:http sending the same headers and bytes: as browsers ask for it (compressed), and as programs do that say nothing
 * of themselves. What is asked for does not change in the meantime but every 15 seconds, when it is read and rendered
 * again, as it is for visitors.
 */
import { join } from "node:path";
import { openStore } from "../server/src/store/open.ts";
import { answerTo, compare, figures } from "./against-bare.ts";
import { withFolder } from "./folder.ts";
import { type Measurement, machineLoad, report } from "./measurement.ts";
import { type RunningServer, startBeside, startServer } from "./process.ts";
import { seedMonitors } from "./seed.ts";
import { BROWSER, COMPONENTS, makePage, PATH } from "./status-page.ts";

const LEAST_RATIO = 0.7;
const MOST_BYTES = 60_000;

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  // Nothing is checked from a place that no probe is at: this is about visitors.
  const seed = { monitors: COMPONENTS, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
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
