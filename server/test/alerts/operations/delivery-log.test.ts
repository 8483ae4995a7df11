import { expect, test } from "vitest";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { eachEngine } from "../../harness/stores.ts";
import { CHANNELS, startTelling } from "../channel-setup.ts";

eachEngine("the log of a channel", (engine) => {
  test("gives 100 deliveries at most, each with its own tries", async () => {
    const { server, addChannel, now } = await startTelling(engine);
    const id = await addChannel();
    const { db } = server.ctx.store;
    const row = {
      ...{ organization_id: server.person.organization.id, channel: "channel", channel_id: id },
      ...{ recipient: "", content: "", state: "sent" as const, attempts: 1, event: "monitor.down" },
      ...{ next_try_at: 0, gives_up_at: now(), failure: null, message: "{}", created_at: now() },
    };
    const rows = Array.from({ length: 120 }, () => ({ ...row, uuid: crypto.randomUUID() }));
    await insertMany(db, "outbox", rows);
    const [tried] = await db
      .selectFrom("outbox")
      .select("id")
      .where("channel_id", "=", id)
      .orderBy("id", "desc")
      .execute();
    await insertMany(db, "delivery_attempts", [
      {
        ...{ organization_id: row.organization_id, delivery_id: tried?.id ?? 0, at: now(), duration_ms: 5 },
        ...{ outcome: "sent" as const, message: null, request: null, answer: null },
      },
    ]);
    const list = (query: string) => server.api("GET", `${CHANNELS}/${id}/deliveries${query}`);
    const all = await list("");
    expect([all.body.data.length, all.body.pagination]).toEqual([100, undefined]);
    expect(all.body.data.map(({ attempts }: { attempts: [] }) => attempts.length)).toEqual([
      1,
      ...Array(99).fill(0),
    ]);
    expect((await list("?page=2&limit=100")).body.data).toHaveLength(20);
    expect((await list("?limit=101")).status).toBe(422);
  });
});
