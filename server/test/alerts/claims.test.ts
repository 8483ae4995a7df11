import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { followAlertEvents } from "../../src/alerts/inbox.ts";
import { claimDeliveries, lockClaims } from "../../src/alerts/queries/claim-deliveries.ts";
import { sendDueAlerts } from "../../src/alerts/send.ts";
import { insertMany } from "../../src/platform/database/bulk.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";

const NONE = { atMost: 0, ofOne: 8, running: new Map<number, number>() };

/** An organization that has been there before, with channels of which each has this many messages waiting, and a newer one. */
async function start(engine: EngineName, { channels, messages }: { channels: number; messages: number }) {
  const telling = await startTelling(engine);
  const { server, now, target, addChannel } = telling;
  const { store } = server.ctx;
  const person = await server.createOrganization();
  const key = await server.createKey({ person });
  const body = { type: "webhook", config: { url: target.url } };
  for (let each = 1; each <= channels; each += 1) {
    await server.api("POST", "/api/notifications/channels", { name: `Hook ${each}`, ...body }, { key });
  }
  const old = await store.db
    .selectFrom("channels")
    .select("id")
    .where("organization_id", "=", person.organization.id)
    .where("type", "=", "webhook")
    .execute();
  const organizationId = person.organization.id;
  const numbers = Array.from({ length: messages }, (_, index) => index + 1);
  const message = {
    event: "monitor.down",
    type: "error",
    at: now(),
    descriptor: { code: "notification.test" },
  };
  const rows = old.flatMap(({ id }) =>
    numbers.map((n) => ({
      uuid: randomUUIDv7(),
      ...{ organization_id: organizationId, channel: "channel", channel_id: id, subject: `monitor ${n}` },
      ...{ recipient: "", content: "", state: "waiting", attempts: 0, next_try_at: now() },
      ...{ released_at: now(), gives_up_at: now() + 1_000_000, created_at: now(), event: "monitor.down" },
      message: JSON.stringify({ ...message, monitor: null }),
    })),
  );
  await insertMany(store.db, "outbox", rows);
  const channelId = await addChannel({ type: "mattermost", config: { url: target.url } });
  const claim = async (running: ReadonlyMap<number, number>, atMost: number) => {
    await followAlertEvents(server.ctx);
    return store.transaction(async (trx) => {
      await lockClaims(trx);
      await sendDueAlerts(trx, server.ctx.config, now());
      const channels = { atMost, ofOne: 8, running };
      return claimDeliveries(trx, {
        worthAfter: 0,
        now: now(),
        until: now() + 1,
        plain: 0,
        channels,
        own: NONE,
        subscribers: NONE,
      });
    });
  };
  return { ...telling, organizationId, channelId, claim };
}

eachEngine("what is sent next", (engine) => {
  test("is not for one organization alone, however much it has waiting from before", async () => {
    const { check, organizationId, channelId, claim } = await start(engine, { channels: 9, messages: 2 });
    await check("ok", "ok", "failed", "failed", "failed");
    const ofEach = await claim(new Map(), 2);
    expect(ofEach.map((one) => one.organizationId)).toContain(organizationId);
    expect(ofEach.map((one) => one.channelId)).toContain(channelId);
    const most = await claim(new Map([[organizationId, 6]]), 64);
    expect(most.map((one) => one.organizationId)).toEqual([organizationId, organizationId]);
  });

  test("is one message of many for people, also while another organization has thousands waiting", async () => {
    const { addMonitor, checkAll, channelId, claim } = await start(engine, { channels: 12, messages: 500 });
    const monitors: number[] = [];
    for (let count = 0; count < 12; count += 1) monitors.push(await addMonitor());
    await checkAll(monitors, "ok", "ok", "failed", "failed", "failed");
    const claimed = await claim(new Map(), 64);
    expect(claimed.filter((one) => one.channelId === channelId)).toMatchObject([{ event: "digest" }]);
  });
});
