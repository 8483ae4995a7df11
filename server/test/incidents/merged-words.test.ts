import { expect, it } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { failed } from "../app/pipeline/setup.ts";
import { eachEngine } from "../harness/stores.ts";
import { addMonitor, recovery, serverOn } from "./setup.ts";

const HOST = "192.0.2.1";
const ELSEWHERE = "192.0.2.2";
const MERGED = "A person merged their incidents.";

eachEngine("an incident that people merge others into", (engine) => {
  /** Two monitors that failed together, and one that failed by itself. */
  const start = async () => {
    const server = await serverOn(engine);
    const now = server.ctx.clock.now();
    const add = (name: string) => addMonitor(server, server.person, name);
    const [a, b, c] = [await add("a"), await add("b"), await add("c")];
    const down = (id: number, address: string, at = now - 4_000) => [
      failed(id, at, { address }),
      failed(id, at + 1_000, { address }),
    ];
    await ingestBatch(server.ctx, [...down(a, HOST), ...down(b, HOST), ...down(c, ELSEWHERE)]);
    const of = async (monitor: number) =>
      (await server.api("GET", `/api/incidents?monitor=${monitor}`)).body.data[0];
    const [group, alone] = [await of(a), await of(c)];
    const act = async (id: number, act: string, body: object = {}) => {
      const answer = await server.api("POST", `/api/incidents/${id}/${act}`, body);
      expect(answer.status).toBe(200);
      return answer.body.data;
    };
    const change = (id: number, body: object) => server.api("PUT", `/api/incidents/${id}`, body);
    return { server, a, b, c, of, group, alone, act, change, down, add };
  };

  it("counts them in its title, and says of all what is true of all", async () => {
    const { group, alone, act, c } = await start();
    expect(group).toMatchObject({
      title: "a and 1 other monitor are down",
      grouping: `They are at the same address: ${HOST}.`,
    });
    const merged = await act(alone.id, "merge", { into: group.id });
    expect(merged).toMatchObject({ title: "a and 2 others are down", grouping: MERGED });
    expect(merged.description).toMatch(
      /^a and 2 others are down, the first of them since .*A person merged their incidents\.$/,
    );
    // As soon as it is taken out, the rest has its cause in common again.
    const left = await act(group.id, "split", { monitorId: c });
    expect(left).toMatchObject({ title: group.title, description: group.description });
    expect(left.grouping).toBe(group.grouping);
  });

  it("takes the words of a whole group that one of them grows to, and puts them in the past once it is over", async () => {
    const { server, a, b, c, group, alone, act, of } = await start();
    const merged = await act(group.id, "merge", { into: alone.id });
    expect(merged).toMatchObject({ title: "c and 2 others are down", monitorId: c, grouping: MERGED });
    expect(await act(alone.id, "split", { monitorId: c })).toMatchObject({
      title: "a and 1 other monitor are down",
    });
    await act((await of(c)).id, "merge", { into: alone.id });
    for (const id of [a, b, c]) await recovery(server, id);
    const over = (await server.api("GET", `/api/incidents/${alone.id}`)).body.data;
    expect(over).toMatchObject({ title: "a and 2 others were down", status: "resolved" });
    expect(over.description).toContain("a and 2 others stopped working, the first of them at");
  });

  it("goes on to say so when another one joins by itself", async () => {
    const { server, group, alone, act, add, down } = await start();
    await act(alone.id, "merge", { into: group.id });
    await ingestBatch(server.ctx, down(await add("d"), HOST));
    const grown = (await server.api("GET", `/api/incidents/${group.id}`)).body.data;
    expect(grown).toMatchObject({ title: "a and 3 others are down", grouping: MERGED });
    expect(grown.description).toContain(MERGED);
  });

  it("counts only what is down, and keeps what a person wrote", async () => {
    const { server, b, c, group, alone, act, change } = await start();
    await recovery(server, b);
    await act(alone.id, "merge", { into: group.id });
    const read = async () => (await server.api("GET", `/api/incidents/${group.id}`)).body.data;
    expect((await read()).title).toBe("a and 1 other monitor are down");
    await change(group.id, { title: "Power loss" });
    expect((await act(group.id, "split", { monitorId: c })).title).toBe("Power loss");
    expect((await read()).description).toMatch(/^a has not been working since/);
  });

  it("counts only what is down where one joins after what is over was merged in", async () => {
    const { server, a, c, group, alone, act, add, down } = await start();
    await recovery(server, c);
    await act(alone.id, "merge", { into: group.id });
    await recovery(server, a);
    await ingestBatch(server.ctx, down(await add("d"), HOST));
    const grown = (await server.api("GET", `/api/incidents/${group.id}`)).body.data;
    expect(grown.title).toBe("b and 1 other monitor are down");
    expect(grown.description).toMatch(/^b and 1 other monitor have not .*address: 192\.0\.2\.1\.$/);
  });
});
