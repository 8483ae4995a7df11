/**
 * Requests a second of a status page with 50 components under an open incident, from the whole server, against bare
 * node:http sending the same headers and bytes. What is asked for does not change in the meantime but every 15 seconds,
 * when it is read and rendered again, as it is for visitors.
 */
import { join } from "node:path";
import { openStore } from "../server/src/store/open.ts";
import { compare, figures } from "./against-bare.ts";
import { withFolder } from "./folder.ts";
import { type Measurement, machineLoad, report } from "./measurement.ts";
import { startBeside, startServer } from "./process.ts";
import { seedMonitors } from "./seed.ts";

const COMPONENTS = 50;
const LEAST_RATIO = 0.7;

report(await withFolder(measure));

async function measure(folder: string): Promise<Measurement[]> {
  const store = await openStore({ file: join(folder, "vedette.db") });
  const urlOf = (n: number) => `https://site-${n}.vedette.test/`;
  // Nothing is checked from a place that no probe is at: this is about visitors.
  const seed = { monitors: COMPONENTS, intervalSeconds: 60, urlOf, locations: ["elsewhere"] };
  const { token } = await seedMonitors(store, seed);
  await store.close();
  const server = await startServer(folder, { VEDETTE_RATE_LIMITS: "off" });
  await makePage(server.url, token);
  const { child: load } = await startBeside("load.ts");
  const rates = await compare({ server, load, token }, ["/status/bench"]);
  load.disconnect();
  await server.stop();
  const name = `/status/bench, ${COMPONENTS} components`;
  return [
    ...figures(name, rates, LEAST_RATIO),
    { name: "load of the machine", value: machineLoad(), unit: "processes" },
  ];
}

/** A page of every monitor, with all figures, and an incident of the first. */
async function makePage(url: string, token: string): Promise<void> {
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: number } }).data;
  };
  const page = await post("/api/status-pages", { name: "Bench", slug: "bench" });
  for (let n = 1; n <= COMPONENTS; n++) {
    const shown = { displayName: `Component ${n}`, showsResponseTimes: true };
    await post(`/api/status-pages/${page.id}/domains`, { domainId: n, ...shown });
  }
  const listed = await fetch(`${url}/api/domains?limit=1`, { headers: { authorization: `Bearer ${token}` } });
  const [first] = ((await listed.json()) as { data: { name: string }[] }).data;
  const incident = {
    title: "It does not answer",
    severity: "high",
    impact: "major",
    affectedServices: [first?.name],
  };
  const { id } = await post("/api/incidents", incident);
  await post(`/api/incidents/${id}/updates`, { message: "We are looking into it.", status: "investigating" });
}
