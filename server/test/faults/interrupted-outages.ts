import { setTimeout } from "node:timers/promises";
import { respond, status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { seeded } from "../harness/seeded.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { type Installation, type InterruptedOptions, openInstallation } from "./interrupted-installation.ts";
import { complaintsAbout, type Notified, type Outage, readNotified } from "./verify-notifications.ts";
import { REFUSING, type Receiver, startReceiver } from "./webhook-receiver.ts";

/** Down together, and up together again; each has one outage, so that none is taken for flapping. */
const MONITORS_A_ROUND = 4;
const CHANNELS = ["one", "two", "three", REFUSING];
/** A check, the recheck a second later, the look into the outbox, and the sending come within this time. */
const SPAN_MS = 2_800;
const TIMEOUT_MS = 60_000;
const REPEAT_MS = 2_000;

export interface Verdict {
  /** What should not be; empty when all is well. */
  complaints: string[];
  kills: number;
  incidents: number;
  messages: number;
  /** Messages that came more than once, as the retries explain. */
  repeated: number;
}

/**
 * Outages and recoveries, and in each of them a server is killed (-9) at a random moment between the check and the delivery
 * of what it leads to. What came in is then compared with what was played and with what is stored.
 */
export async function playInterrupted(options: InterruptedOptions): Promise<Verdict> {
  const random = seeded(options.seed);
  const receiver = await startReceiver(random);
  const sites = await startSites();
  const installation = await openInstallation(options);
  try {
    const rounds = Math.ceil(options.kills / 2);
    const ids = await setUp(installation, { receiver, sites, monitors: rounds * MONITORS_A_ROUND });
    const outages: Outage[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const group = ids.slice(round * MONITORS_A_ROUND, (round + 1) * MONITORS_A_ROUND);
      const failingFrom = Date.now();
      for (const id of group) sites.failing.add(id);
      await killDuring(installation, group, "down", random);
      const passingFrom = Date.now();
      for (const id of group) sites.failing.delete(id);
      await killDuring(installation, group, "up", random);
      outages.push(...group.map((monitorId) => ({ monitorId, failingFrom, passingFrom })));
    }
    const notified = await waitUntilDelivered(installation, receiver);
    const play = { outages, kills: 2 * rounds, channels: CHANNELS };
    return { ...verdictOf(notified), kills: 2 * rounds, complaints: complaintsAbout(play, notified) };
  } finally {
    await installation.remove();
    await Promise.all([receiver.close(), sites.close()]);
  }
}

/** `/7` is what monitor 7 checks; down for those that are failing. */
async function startSites() {
  const failing = new Set<number>();
  const siteOf = new Map<string, number>();
  const target = await startHttpTarget({
    handler(socket, request) {
      const id = siteOf.get(request.path) ?? 0;
      (failing.has(id) ? status(503) : respond())(socket, request);
    },
  });
  return { url: target.url, failing, siteOf, close: target.close };
}

type Sites = Awaited<ReturnType<typeof startSites>>;

async function setUp(
  installation: Installation,
  { receiver, sites, monitors }: { receiver: Receiver; sites: Sites; monitors: number },
): Promise<number[]> {
  for (const path of CHANNELS) {
    const config = { url: receiver.url + path };
    await installation.request("POST", "/api/notifications/channels", {
      name: path,
      type: "webhook",
      config,
    });
  }
  const ids: number[] = [];
  for (let count = 0; count < monitors; count += 1) {
    const body = {
      ...{ name: `Site ${count}`, url: `${sites.url}${count}`, checkInterval: 3_600, timeout: 5 },
      ...{ recheckDelay: 1, confirmations: 2, recoveries: 2 },
    };
    const { id } = await installation.request<{ id: number }>("POST", "/api/domains", body);
    sites.siteOf.set(`/${count}`, id);
    ids.push(id);
  }
  await becomes(installation, ids, "up");
  return ids;
}

async function killDuring(
  installation: Installation,
  group: readonly number[],
  wanted: "up" | "down",
  random: () => number,
): Promise<void> {
  requestChecks(installation, group);
  await setTimeout(random() * SPAN_MS);
  await installation.restart(Math.floor(random() * installation.servers));
  await becomes(installation, group, wanted);
}

/** Nobody waits for the answers: the server may be gone before it gives them. */
function requestChecks(installation: Installation, ids: readonly number[]): void {
  for (const id of ids) void installation.request("POST", `/api/domains/${id}/check`).catch(() => {});
}

/** Waits until all of them have the status, and requests checks of those that have not: who got the request may be dead. */
async function becomes(
  installation: Installation,
  ids: readonly number[],
  wanted: "up" | "down",
): Promise<void> {
  let requestedAt = Date.now();
  await eventually(
    async () => {
      const rows = await installation.look(({ db }) =>
        db
          .selectFrom("monitor_states")
          .select(["monitor_id", "status"])
          .where("monitor_id", "in", ids)
          .execute(),
      );
      const others = rows.filter((row) => row.status !== wanted).map((row) => row.monitor_id);
      if (others.length > 0 && Date.now() - requestedAt > REPEAT_MS) {
        requestedAt = Date.now();
        requestChecks(installation, others);
      }
      return others;
    },
    (others) => others.length === 0,
    TIMEOUT_MS,
    100,
  );
}

/** Lets everything be sent that is still to be sent, and reads what has become of it. */
async function waitUntilDelivered(installation: Installation, receiver: Receiver): Promise<Notified> {
  await installation.stop();
  await installation.endLeases();
  await installation.start();
  await eventually(
    () =>
      installation.look(async ({ db }) => [
        ...(await db.selectFrom("outbox").select("id").where("state", "=", "waiting").execute()),
        // What has happened and was not looked at yet.
        ...(await db.selectFrom("alert_events").select("id").execute()),
        ...(await db.selectFrom("alerts").select("id").where("next_at", "is not", null).execute()),
      ]),
    (waiting) => waiting.length === 0,
    TIMEOUT_MS,
    200,
  );
  return { ...(await installation.look(({ db }) => readNotified(db))), requests: receiver.requests };
}

function verdictOf({ incidents, requests }: Notified) {
  const keys = new Set(requests.map(({ key }) => key));
  return { incidents: incidents.length, messages: keys.size, repeated: requests.length - keys.size };
}
