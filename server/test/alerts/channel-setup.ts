import { onTestFinished } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import type { Config } from "../../src/platform/config.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { openBrowser } from "../accounts/browser.ts";
import { failed, probed } from "../app/pipeline/setup.ts";
import type { EngineName } from "../harness/stores.ts";
import { startHttpTarget, type Target } from "../harness/targets.ts";
import { type Mailing, PUBLIC_URL, startMailing } from "./mailing.ts";

export const CHANNELS = "/api/notifications/channels";
const MINUTE_MS = 60_000;

/** An organization with a monitor, and a server that its channels can lead to. */
export interface Telling extends Mailing {
  target: Target;
  monitorId: number;
  /** Adds a channel, whose address is confirmed where that is needed, and returns its id. */
  addChannel(channel?: object): Promise<number>;
  /** A monitor's checks, one a minute. */
  check(...outcomes: Outcome[]): Promise<void>;
  /** The same of any monitor. */
  checkOf(monitorId: number, ...outcomes: Outcome[]): Promise<void>;
  /** The same of several at once, in one batch each time. */
  checkAll(monitorIds: readonly number[], ...outcomes: (Outcome | { stepMs: number })[]): Promise<void>;
  addMonitor(settings?: object): Promise<number>;
  /** What the server was sent, as JSON. */
  received(): Record<string, unknown>[];
  deliveries(channelId: number): Promise<LoggedAs[]>;
}

type Outcome = "ok" | "failed";

interface LoggedAs {
  id: number;
  uuid: string;
  event: string;
  state: string;
  failure: string | null;
  triedAt: string | null;
  attempts: {
    outcome: string;
    said: string;
    saidFact: { code: string };
    request: { url: string; body: string } | null;
  }[];
}

export async function startTelling(
  engine: EngineName,
  config: Partial<Config> = {},
  store?: Store,
): Promise<Telling> {
  const mailing = await startMailing(engine, config, store);
  const { server, pass, now } = mailing;
  // The owner is notified by the channels alone.
  await server.api("PUT", "/api/notifications/settings", { emailNotifications: false });
  const target = await startHttpTarget();
  onTestFinished(target.close);
  const addMonitor = async (settings: object = {}) => {
    const url = `https://shop${Math.random()}.example/`;
    const created = await server.api("POST", "/api/domains", { url, ...settings });
    return created.body.data.id as number;
  };
  const checkAll: Telling["checkAll"] = async (monitorIds, ...outcomes) => {
    let stepMs = MINUTE_MS;
    for (const outcome of outcomes) {
      if (typeof outcome === "object") {
        stepMs = outcome.stepMs;
        continue;
      }
      pass(stepMs);
      const result = outcome === "ok" ? probed : failed;
      await ingestBatch(
        server.ctx,
        monitorIds.map((id) => result(id, now())),
      );
    }
  };
  const monitorId = await addMonitor({ name: "Shop" });
  return {
    ...mailing,
    target,
    monitorId,
    addMonitor,
    checkAll,
    checkOf: (id, ...outcomes) => checkAll([id], ...outcomes),
    check: (...outcomes) => checkAll([monitorId], ...outcomes),
    async addChannel(channel = {}) {
      const name = `Channel ${Math.random()}`;
      const body = { name, type: "webhook", config: { url: target.url }, ...channel };
      const added = await server.api("POST", CHANNELS, body);
      if (added.status !== 201) throw new Error(JSON.stringify(added.body));
      if (!added.body.data.confirmed) await confirmAddress(mailing);
      return added.body.data.id as number;
    },
    received: () => target.requests.map(({ body }) => JSON.parse(body)),
    deliveries: async (id) => (await server.api("GET", `${CHANNELS}/${id}/deliveries`)).body.data,
  };
}

/** What the link in a confirmation mail carries. */
export const channelTokenIn = (text: string): string => /\/acknowledge#(\S+)/.exec(text)?.[1] ?? "";

/** Confirms as whoever gets the request does who wants to be written to. */
async function confirmAddress({ server, mail, deliver }: Mailing): Promise<void> {
  await deliver();
  const [mailed] = mail.mails.splice(0);
  const token = channelTokenIn(mailed?.text ?? "");
  const origin = PUBLIC_URL;
  const path = "/api/auth/acknowledgement/confirm";
  const { status } = await openBrowser(server).send("POST", path, { token }, { origin });
  if (status !== 200) throw new Error(`the address could not be confirmed: ${status}`);
}
