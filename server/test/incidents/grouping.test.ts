import { expect, it } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { readOutageEnds } from "../../src/incidents/queries/automatic-incidents.ts";
import { updateIncident } from "../../src/incidents/queries/incident-changes.ts";
import type { MessageDescriptor } from "../../src/platform/i18n/message.ts";
import { deliverAt } from "../alerts/deliver-at.ts";
import { failed, MINUTE, pipelineOn, probed, T0 } from "../app/pipeline/setup.ts";
import { eachEngine } from "../harness/stores.ts";
import { addMonitor, recovery, serverOn } from "./setup.ts";

/** Eight at a time: as many as there are connections, and none waits for one. */
async function atOnce(ids: readonly number[], work: (id: number) => Promise<unknown>): Promise<void> {
  const left = [...ids];
  const worker = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await work(id);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

const at = (address: string) => ({ address });

eachEngine("monitors that fail together", (engine) => {
  const down = (id: number, time: number, address = "192.0.2.1") => [
    failed(id, time, at(address)),
    failed(id, time + 2_000, at(address)),
  ];
  const up = (id: number, time: number) => [probed(id, time), probed(id, time + 1_000)];

  it("share one incident that says why, notify of each member, and end with the last", async () => {
    const world = await pipelineOn(engine);
    const [a, b, c] = [await world.addMonitor("a"), await world.addMonitor("b"), await world.addMonitor("c")];
    await world.ingest(...down(a, T0));
    await world.ingest(...down(b, T0 + 20_000), ...down(c, T0 + 20_000));
    const [incident, ...more] = await world.incidents();
    expect(more).toEqual([]);
    expect(incident).toMatchObject({
      monitor_id: a,
      title: "a and 2 others are down",
      grouped_by: JSON.stringify({ kind: "address", value: "192.0.2.1", failure: "refused" }),
      started_at: T0,
    });
    expect((await world.updates()).at(-1)?.message).toBe(
      "b and 1 other monitor are down as well. They are at the same address: 192.0.2.1.",
    );
    // The title counts what is down now.
    await world.ingest(...up(a, T0 + MINUTE));
    expect((await world.incidents())[0]).toMatchObject({
      title: "b and 1 other monitor are down",
      description: expect.stringMatching(/^b and 1 other monitor/),
    });
    await world.ingest(...up(c, T0 + 2 * MINUTE));
    expect((await world.incidents())[0]).toMatchObject({ title: "b is down", resolved_at: null });
    await world.ingest(...up(b, T0 + 3 * MINUTE));
    expect((await world.incidents())[0]).toMatchObject({
      ...{ status: "resolved", resolved_at: T0 + 3 * MINUTE, title: "a and 2 others are down" },
      title_message: expect.stringContaining('"others":2'),
    });
    expect((await world.affected()).map(({ joined }) => joined)).toEqual([0, 1, 1]);
  });

  it("share it also where one that began before the first is confirmed in between", async () => {
    const world = await pipelineOn(engine);
    const ids = [
      await world.addMonitor("a"),
      await world.addMonitor("b"),
      await world.addMonitor("c"),
    ] as const;
    await world.ingest(...down(ids[0], T0));
    await world.ingest(...down(ids[1], T0 - 50_000));
    await world.ingest(...down(ids[2], T0 + 50_000));
    expect((await world.incidents()).map(({ title }) => title)).toEqual(["a and 2 others are down"]);
  });

  it("leave what a person wrote of the incident, and the start that they gave it, as others join", async () => {
    const world = await pipelineOn(engine);
    const [a, b] = [await world.addMonitor("a"), await world.addMonitor("b")];
    await world.ingest(...down(a, T0));
    const [{ id } = { id: 0 }] = await world.incidents();
    const written = { title: "Power loss in rack 7", description: "ticket 4711" };
    const change = { ...written, titleMessage: null, descriptionMessage: null, startedAt: T0 - 10 * MINUTE };
    await updateIncident(world.db, id, change, T0);
    await world.ingest(...down(b, T0 + 30_000));
    expect(await world.incidents()).toMatchObject([
      { ...written, title_message: null, description_message: null, started_at: T0 - 10 * MINUTE },
    ]);
    expect((await world.updates()).at(-1)?.message).toContain("b is down as well.");
  });

  it("go on to be counted in the title of an incident of which a person wrote the description only", async () => {
    const world = await pipelineOn(engine);
    const [a, b] = [await world.addMonitor("a"), await world.addMonitor("b")];
    await world.ingest(...down(a, T0));
    const [{ id } = { id: 0 }] = await world.incidents();
    await updateIncident(world.db, id, { description: "ticket 4711", descriptionMessage: null }, T0);
    await world.ingest(...down(b, T0 + 30_000));
    expect(await world.incidents()).toMatchObject([
      { title: "a and 1 other monitor are down", description: "ticket 4711", description_message: null },
    ]);
  });

  it("count once where they fail twice", async () => {
    const world = await pipelineOn(engine);
    const [a, b] = [await world.addMonitor("a"), await world.addMonitor("b")];
    await world.ingest(...down(a, T0), ...down(b, T0));
    for (const [again, at] of [
      [b, T0 + 10_000],
      [a, T0 + 30_000],
    ] as const) {
      await world.ingest(...up(again, at), ...down(again, at + 10_000));
      expect((await world.incidents()).map(({ title }) => title)).toEqual(["a and 1 other monitor are down"]);
    }
    const said = (await world.updates()).map(({ message }) => message);
    expect(said).toContain("b is down as well. They are at the same address: 192.0.2.1.");
    expect(said.filter((one) => one.includes("down again."))).toEqual([
      "b is down again.",
      "a is down again.",
    ]);
    expect(said.filter((one) => one.includes("as well"))).toHaveLength(1);
    const [{ id } = { id: 0 }] = await world.incidents();
    expect((await readOutageEnds(world.db, [id])).get(id)).toMatchObject({ open: 2, joined: 1 });
  });

  it("open incidents of their own where they have nothing in common, or fail more than a minute apart", async () => {
    const world = await pipelineOn(engine);
    const ids = [
      await world.addMonitor("a"),
      await world.addMonitor("b"),
      await world.addMonitor("c"),
    ] as const;
    await world.ingest(...down(ids[0], T0), ...down(ids[1], T0, "192.0.2.2"));
    await world.ingest(...down(ids[2], T0 + MINUTE + 1));
    expect((await world.incidents()).map(({ title }) => title)).toEqual([
      "a is down",
      "b is down",
      "c is down",
    ]);
  });

  // Eighty batches that wait for each other's locks: on a machine that others keep busy they take their time.
  it("are one incident when 40 batches bring them at once, each closed when all are up", {
    timeout: 90_000,
  }, async () => {
    const world = await pipelineOn(engine);
    const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => world.addMonitor(`m${n}`)));
    // A location that is new makes the first batches take turns.
    await world.ingest(...ids.map((id) => probed(id, T0 - MINUTE)));
    world.clock.ms = T0 + 2_000;
    await atOnce(ids, (id) => ingestBatch(world.ctx, down(id, T0)));
    const [incident, ...more] = await world.incidents();
    expect([incident?.title.replace(/^m\d+/, "m"), more]).toEqual(["m and 39 others are down", []]);
    world.clock.ms = T0 + MINUTE + 1_000;
    await atOnce(ids, (id) => ingestBatch(world.ctx, up(id, T0 + MINUTE)));
    expect((await world.incidents()).map(({ status }) => status)).toEqual(["resolved"]);
    expect((await world.affected()).every(({ outage_ended_at: ended }) => ended !== null)).toBe(true);
  });

  it("are separated by people, one or all, in both families, and stay so", async () => {
    const server = await serverOn(engine);
    const names = ["a", "b", "c"];
    const ids = [];
    for (const name of names) ids.push(await addMonitor(server, server.person, name));
    const now = server.ctx.clock.now();
    await ingestBatch(
      server.ctx,
      ids.flatMap((id) => down(id, now - 4_000)),
    );
    const [grouped] = (await server.api("GET", "/api/incidents")).body.data;
    expect(grouped).toMatchObject({
      title: "a and 2 others are down",
      grouping: "They are at the same address: 192.0.2.1.",
      groupingFact: { code: "grouped.address" },
    });
    const split = (body: object, family = "/api") =>
      server.api("POST", `${family}/incidents/${grouped.id}/split`, body);
    const wrong = await split({ monitorId: 987_654 });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["monitorId"]]);
    expect((await split({ monitorId: ids[0] })).body.data).toMatchObject({
      title: "b and 1 other monitor are down",
      monitorId: ids[1],
    });
    const rest = await split({}, "/v2");
    expect(rest.body.data).toMatchObject({ title: "b is down", grouping: null });
    expect((await split({})).status).toBe(409);
    const linked = async (id: number, family: string) =>
      (await server.api("GET", `${family}/incidents/${id}/updates`)).body.data.flatMap(
        ({ fact }: { fact: MessageDescriptor }) => fact.because?.params?.["incident"] ?? [],
      );
    const all: { id: number }[] = (await server.api("GET", "/api/incidents")).body.data;
    const apart = all.map(({ id }) => id).filter((id) => id !== grouped.id);
    for (const family of ["/api", "/v2"]) {
      expect((await linked(grouped.id, family)).toSorted()).toEqual(apart.toSorted());
      for (const id of apart) expect(await linked(id, family)).toEqual([grouped.id]);
    }
    const titles = async () =>
      (await server.api("GET", "/api/incidents")).body.data
        .map(({ title, status }: { title: string; status: string }) => `${title}: ${status}`)
        .sort();
    expect(await titles()).toEqual(["a is down: open", "b is down: open", "c is down: open"]);
    // Each still says why it is down.
    for (const { description, fact, reasonFact } of (await server.api("GET", "/api/incidents")).body.data) {
      expect(fact.because).toEqual(grouped.reasonFact);
      expect(reasonFact).toEqual(grouped.reasonFact);
      expect(description).toContain(grouped.reason);
    }
    const late = await addMonitor(server, server.person, "d");
    await ingestBatch(server.ctx, down(late, now - 4_000));
    expect(await titles()).toContain("d is down: open");
    for (const id of ids) await recovery(server, id);
    expect(await titles()).toEqual([
      "a was down: resolved",
      "b was down: resolved",
      "c was down: resolved",
      "d is down: open",
    ]);
  });

  const notifyOps = async (channelType = "mattermost") => {
    const server = await serverOn(engine);
    const ops = { name: "Ops", type: channelType, config: { url: "http://127.0.0.1:9/" } };
    expect((await server.api("POST", "/api/notifications/channels", ops)).status).toBe(201);
    const ids: number[] = [];
    for (const name of ["a", "b", "c"]) ids.push(await addMonitor(server, server.person, name));
    const begun = server.ctx.clock.now() - 60_000;
    await ingestBatch(
      server.ctx,
      ids.flatMap((id) => down(id, begun)),
    );
    const received = async () => {
      const rows = await server.ctx.store.db
        .selectFrom("outbox")
        .select(["event", "message"])
        .where("organization_id", "=", server.person.organization.id)
        .where("channel_id", "is not", null)
        .orderBy("id")
        .execute();
      return rows.map(({ event, message }) => {
        const { descriptor, incidentId } = JSON.parse(message ?? "");
        return { said: `${event} ${descriptor.code} ${descriptor.params.name}`, incidentId };
      });
    };
    let ahead = 0;
    const said = async () => {
      for (let each = 0; each < ids.length; each += 1)
        await deliverAt(server.ctx, server.ctx.clock.now() + (ahead += 6_000));
      return (await received()).map((one) => one.said);
    };
    return { server, ids, received, said };
  };

  it("are in one message to people: when they go down, and when all are up", async () => {
    const { server, ids, said } = await notifyOps();
    expect(await said()).toEqual(["monitor.down notification.down a"]);
    for (const id of ids) await recovery(server, id);
    expect(await said()).toEqual(["monitor.down notification.down a", "monitor.up notification.recovered a"]);
  });

  it("are sent to programs each by itself: that it is down, and that it is up", async () => {
    const { ids, server, said } = await notifyOps("webhook");
    for (const id of ids) await recovery(server, id);
    const all = (event: string) => ["a", "b", "c"].map((name) => `monitor.${event} ${name}`);
    expect(await said()).toEqual([
      ...all("down").map((one) => one.replace(" ", " notification.down ")),
      ...all("up").map((one) => one.replace(" ", " notification.recovered ")),
    ]);
  });

  it("are sent by themselves once they are separated: that they are down, and that they are up", async () => {
    const { server, ids, received, said } = await notifyOps();
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    const path = `/api/incidents/${incident.id}/split`;
    expect((await server.api("POST", path, { monitorId: ids[1] })).status).toBe(200);
    expect((await server.api("POST", path, { monitorId: ids[0] })).status).toBe(200);
    const downs = ["a", "b", "c"].map((name) => `monitor.down notification.down ${name}`);
    expect((await said()).toSorted()).toEqual(downs);
    const own = (await server.api("GET", `/api/incidents?monitor=${ids[1]}`)).body.data;
    const ofB = (await received()).find(({ said: one }) => one.endsWith(" b"));
    expect(ofB?.incidentId).toBe(own[0].id);
    for (const id of ids) await recovery(server, id);
    const ups = ["a", "b", "c"].map((name) => `monitor.up notification.recovered ${name}`);
    expect((await said()).slice(3).toSorted()).toEqual(ups);
  });
});
