import { expect } from "vitest";
import { channelTransport } from "../../src/alerts/channels/channel-transport.ts";
import { deliverOutbox } from "../../src/alerts/deliver.ts";
import { followAlertEvents } from "../../src/alerts/inbox.ts";
import type { Transport } from "../../src/alerts/outbox.ts";
import { TRANSPORTS } from "../../src/app/jobs.ts";
import { followParents } from "../../src/monitors/find-members.ts";
import { createActiveWindows } from "../../src/monitors/maintenance/active-windows.ts";
import { followWindows } from "../../src/monitors/maintenance/apply-window.ts";
import type { Config } from "../../src/platform/config.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { respond } from "../harness/behaviours.ts";
import type { EngineName } from "../harness/stores.ts";
import { CHANNELS, startTelling } from "./channel-setup.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** How far apart `checkAll` makes checks. */
export const STEP = { stepMs: 5_000 };

/** What a receiver was sent: a chat, a pager or a webhook. */
interface Received {
  attachments?: { title: string; text: string }[];
  event_action?: string;
  payload?: { summary: string };
  title?: string;
  text?: string;
}

/** An organization with chats, pagers and webhooks that all lead to one receiver, and monitors that fail and recover. */
export async function startAlerts(engine: EngineName, config: Partial<Config> = {}, store?: Store) {
  const telling = await startTelling(engine, config, store);
  const { server, target, pass, deliver, addMonitor, checkAll } = telling;
  const { ctx } = server;
  ctx.windows = createActiveWindows(ctx);
  const windows = followWindows(ctx, ctx.windows, () => {});
  const received = () => telling.received() as Received[];
  const incidents = async () =>
    (await server.api("GET", "/api/incidents")).body.data as { id: number; title: string }[];
  return {
    ...telling,
    ctx,
    incidents,
    /** Updates what depends on the clock: windows, and what monitors depend on. */
    async look() {
      windows.changed();
      await windows.look();
      await followParents(ctx);
    },
    uuidOf: async (id: number) => (await server.api("GET", `/api/domains/${id}`)).body.data.uuid as string,
    /** Adds a monitor that is up. */
    async add(name: string, settings: object = {}) {
      const id = await addMonitor({ name, url: `https://${name.toLowerCase()}.example/`, ...settings });
      await checkAll([id], STEP, "ok");
      return id;
    },
    /** Adds a chat, or what the settings say. */
    addChannel: (settings: object = {}) =>
      telling.addChannel({ type: "mattermost", config: { url: target.url }, ...settings }),
    async addPager(settings: object = {}) {
      target.set(respond({ status: 202, body: '{"status":"success"}' }));
      const key = "0123456789abcdef0123456789abcdef";
      return telling.addChannel({ type: "pagerduty", config: { key, server: target.url }, ...settings });
    },
    set: (channelId: number, settings: object) => server.api("PUT", `${CHANNELS}/${channelId}`, settings),
    channel: async (channelId: number) => (await server.api("GET", `${CHANNELS}/${channelId}`)).body.data,
    down: (...ids: number[]) => checkAll(ids, STEP, "failed", "failed", "failed"),
    up: (...ids: number[]) => checkAll(ids, STEP, "ok", "ok"),
    /** Brings the alerts up to date, and sends nothing. */
    observe: () => followAlertEvents(ctx),
    /** What the receiver was sent, in order; of a pager with what it is to do. */
    titles: () =>
      received().map(({ attachments, event_action, payload, title, text }) => {
        if (event_action) return [event_action, payload?.summary ?? []].flat().join(": ");
        return attachments?.[0]?.title ?? title ?? text ?? "";
      }),
    texts: () => received().map(({ attachments }) => attachments?.[0]?.text ?? ""),
    /** The receiver works again, and forgets what it refused. */
    recover() {
      target.set(respond());
      target.requests.splice(0);
    },
    /** Lets as much time go by as members of an incident are gathered. */
    async send(ms = MINUTE_MS) {
      await deliver();
      pass(ms);
      await deliver();
    },
    /** Lets time pass in steps, and sends what is due after each. */
    async wait(stepMs: number, times: number) {
      for (let step = 0; step < times; step += 1) {
        pass(stepMs);
        await deliver();
      }
    },
    /** The receiver gets a message, and the server dies before it knows. */
    async sendAndDie() {
      let hasDied = false;
      const transaction: Store["transaction"] = (work) =>
        hasDied ? Promise.reject(new Error("The server has died.")) : ctx.store.transaction(work);
      const send: Transport["send"] = async (...attempt) => {
        const outcome = await channelTransport.send(...attempt);
        hasDied = true;
        return outcome;
      };
      const dying = { ...ctx, store: { ...ctx.store, transaction } };
      const transports = { ...TRANSPORTS, channel: { ...channelTransport, send } };
      await expect(deliverOutbox(dying, transports, new AbortController().signal)).rejects.toThrow("died");
    },
    /** Sends what is due; something happens while the receiver has the first message and its answer is still on its way. */
    async sendWhile(happens: () => Promise<void>) {
      let hasHappened = false;
      const send: Transport["send"] = async (...attempt) => {
        const outcome = await channelTransport.send(...attempt);
        if (!hasHappened) {
          hasHappened = true;
          await happens();
        }
        return outcome;
      };
      const transports = { ...TRANSPORTS, channel: { ...channelTransport, send } };
      await deliverOutbox(ctx, transports, new AbortController().signal);
      if (!hasHappened) throw new Error("nothing was sent");
    },
  };
}
