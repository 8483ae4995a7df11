import { expect } from "vitest";
import { channelTransport } from "../../src/alerts/channels/channel-transport.ts";
import { deliverOutbox } from "../../src/alerts/deliver.ts";
import type { Transport } from "../../src/alerts/outbox.ts";
import { TRANSPORTS } from "../../src/app/jobs.ts";
import type { EngineName } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";

const HOUR_MS = 3_600_000;
const STEP = { stepMs: 5_000 };

/** Three monitors of one host, and a channel that is reminded of what is not acknowledged. */
export async function startGroup(engine: EngineName) {
  const telling = await startTelling(engine);
  const { server, target, deliver, pass } = telling;
  const add = (name: string) => telling.addMonitor({ name, url: `https://one.example/${name}` });
  const ids = [await add("Shop"), await add("Bank"), await add("Cards")] as const;
  const addChannel = (settings: object = {}) =>
    telling.addChannel({ type: "mattermost", config: { url: target.url }, reminder: "15m", ...settings });
  await addChannel();
  const posts = () =>
    telling.received().flatMap((sent) => (sent["attachments"] as { title: string; text: string }[])[0] ?? []);
  const titles = () => posts().map(({ title }) => title);
  const check = (monitors: readonly number[], outcome: "ok" | "failed") =>
    telling.checkAll(monitors, STEP, outcome, outcome);
  const send = async () => {
    pass(6_000);
    await deliver();
  };
  /** The same, once what is reported together after a message is due. */
  const sendUpdate = async () => {
    pass(60_000);
    await deliver();
  };
  /** As `send`, where something happens when the other side has a message and its answer is still on the way. */
  const sendWhile = async (happens: () => Promise<void>) => {
    pass(6_000);
    const channel: Transport = {
      ...channelTransport,
      async send(...attempt) {
        const outcome = await channelTransport.send(...attempt);
        await happens();
        return outcome;
      },
    };
    await deliverOutbox(server.ctx, { ...TRANSPORTS, channel }, new AbortController().signal);
  };
  const remind = async () => {
    pass(HOUR_MS / 4);
    await deliver();
  };
  const incidents = async () =>
    (await server.api("GET", "/api/incidents")).body.data.toSorted(
      (a: { id: number }, b: { id: number }) => a.id - b.id,
    );
  /** The first of them, where none is named. */
  const act = async (name: string, body: object = {}, id?: number) => {
    const path = `/api/incidents/${id ?? (await incidents())[0].id}/${name}`;
    expect((await server.api("POST", path, body)).status).toBe(200);
  };
  await check(ids, "ok");
  const { addMonitor } = telling;
  return {
    server,
    target,
    pass,
    deliver,
    ids,
    addChannel,
    addMonitor,
    posts,
    titles,
    check,
    send,
    sendUpdate,
    sendWhile,
    remind,
    incidents,
    act,
  };
}
