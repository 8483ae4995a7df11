import { expect, test } from "vitest";
import { ingestBatch, sweepStale } from "../../src/app/pipeline.ts";
import { followMembers } from "../../src/monitors/find-members.ts";
import { probed } from "../app/pipeline/setup.ts";
import { respond, status } from "../harness/behaviours.ts";
import { aReason } from "../harness/reasons.ts";
import { eachEngine } from "../harness/stores.ts";
import { MINUTE_MS, startAlerts } from "./setup.ts";

/* A monitor that is unknown has not recovered: nothing is said of it until something is known. */

eachEngine("what is unknown", (engine) => {
  const start = async () => {
    const all = await startAlerts(engine);
    const slow = async (...ids: number[]) => {
      for (let minute = 0; minute < 4; minute += 1) {
        all.pass(MINUTE_MS);
        const found = { verdict: "degraded", reason: aReason("slow", "It was slow.") } as const;
        await ingestBatch(
          all.ctx,
          ids.map((id) => probed(id, all.now(), found)),
        );
      }
    };
    /** A window begins in which its probe is silent. */
    const silence = async (id: number) => {
      const window = { title: "Work", monitorIds: [id], duration: 36_000 };
      expect((await all.server.api("POST", "/api/maintenance", window)).status).toBe(201);
      await all.look();
      all.pass(10 * MINUTE_MS);
      await sweepStale(all.ctx);
    };
    return { ...all, slow, silence };
  };

  test("a monitor that was slow is not said to be up because nothing is known of it in a window", async () => {
    const { add, addChannel, slow, send, titles, server, ctx, look, pass } = await start();
    await addChannel();
    const a = await add("Alpha");
    await slow(a);
    await send();
    expect(titles()).toEqual(["Alpha is degraded"]);
    const planned = await server.api("POST", "/api/maintenance", {
      title: "Work",
      monitorIds: [a],
      duration: 3_600,
    });
    expect(planned.status).toBe(201);
    await look();
    pass(10 * MINUTE_MS);
    await sweepStale(ctx);
    await send();
    expect((await server.api("GET", `/api/domains/${a}`)).body.data.status).toBe("unknown");
    expect(titles()).toEqual(["Alpha is degraded"]);
  });

  test("a group is not said to be up because nothing is known of its members", async () => {
    const { add, addChannel, slow, send, titles, server, ctx, look, uuidOf } = await start();
    await addChannel();
    const a = await add("Alpha");
    const made = await server.api("POST", "/api/services", {
      ...{ name: "Shops", protocol: "group", protocolConfig: { members: [await uuidOf(a)] } },
    });
    expect(made.status).toBe(201);
    const g = made.body.data.id;
    const members = followMembers(ctx);
    await members.look();
    for (let times = 0; times < 6; times += 1) {
      await slow(a);
      members.changed(a);
      await members.look();
    }
    await send();
    expect(titles().toSorted()).toEqual(["Alpha is degraded", "Shops is degraded"]);
    const planned = await server.api("POST", "/api/maintenance", {
      title: "Work",
      monitorIds: [a],
      duration: 3_600,
    });
    expect(planned.status).toBe(201);
    await look();
    members.changed(a);
    await members.look();
    await send();
    expect((await server.api("GET", `/api/services/${g}`)).body.data.state).toBe("unknown");
    expect(titles().slice(2)).toEqual([]);
  });

  test("a monitor that was listed behind another is not said to be up because its maintenance window ends", async () => {
    const { add, addChannel, down, send, titles, server, uuidOf, look, pass } = await startAlerts(engine);
    await addChannel();
    const parent = await add("Switch");
    const child = await add("Shop", { parents: [await uuidOf(parent)] });
    await down(parent);
    await send();
    await down(child);
    await send();
    const before = ["Switch is down", "Shop is down (depends on Switch)"];
    expect(titles()).toEqual(before);
    const window = { title: "Work", monitorIds: [child], duration: 300 };
    expect((await server.api("POST", "/api/maintenance", window)).status).toBe(201);
    await look();
    await send();
    pass(6 * MINUTE_MS);
    await look();
    await send(0);
    expect(titles()).toEqual(before);
    await down(parent, child);
    await send();
    expect(titles()).toEqual(before);
  });

  test("a monitor that is checked in another way from now on is not said to be up", async () => {
    const { addChannel, down, checkAll, send, titles, server } = await startAlerts(engine);
    await addChannel();
    const port = { name: "Alpha", protocol: "tcp", protocolConfig: { host: "alpha.example", port: 443 } };
    const made = await server.api("POST", "/api/services", port);
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    const { id } = made.body.data;
    await checkAll([id], { stepMs: 5_000 }, "ok");
    await down(id);
    await send();
    expect(titles()).toEqual(["Alpha is down"]);
    const ping = { protocol: "icmp", protocolConfig: { host: "alpha.example" } };
    const changed = await server.api("PUT", `/api/services/${id}`, ping);
    expect([changed.status, changed.body]).toEqual([200, expect.anything()]);
    expect(changed.body.data.state).toBe("unknown");
    await send();
    expect(titles().slice(1)).toEqual([]);
  });

  test("a monitor that was paused and resumed at once is not said to be up", async () => {
    const { add, addChannel, down, send, titles, server } = await startAlerts(engine);
    await addChannel();
    const a = await add("Alpha");
    await down(a);
    await send();
    const set = (enabled: boolean) => server.api("PUT", `/api/domains/${a}`, { enabled });
    expect([(await set(false)).status, (await set(true)).status]).toEqual([200, 200]);
    await send();
    expect(titles().slice(1)).toEqual([]);
  });

  test("a monitor is not said to a webhook to be slow again", async () => {
    const { add, addChannel, slow, silence, wait, deliver, target, server } = await start();
    await addChannel({ type: "webhook" });
    const a = await add("Alpha");
    target.set(status(500));
    await slow(a);
    await deliver();
    await silence(a);
    await deliver();
    target.set(status(400));
    await wait(10 * MINUTE_MS, 6);
    expect((await server.api("GET", `/api/domains/${a}`)).body.data.status).toBe("unknown");
    target.set(respond());
    target.requests.splice(0);
    await wait(10 * MINUTE_MS, 12);
    expect(target.requests).toHaveLength(0);
  });
});
