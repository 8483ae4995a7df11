import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { outage, serverOn } from "./setup.ts";

interface Shown {
  title: string;
  reason: string | null;
}

eachEngine("the list of incidents", (engine) => {
  /** Four incidents: two outages, one of which is over, and two that people reported. */
  async function start() {
    const server = await serverOn(engine);
    await outage(server, server.person, "shop", { over: true });
    await outage(server, server.person, "blog", { severity: "critical" });
    const now = server.ctx.clock.now();
    const report = (title: string, severity: string, minutes: number) =>
      server.api("POST", "/api/incidents", {
        ...{ title, severity, startedAt: new Date(now - minutes * 60_000).toISOString() },
      });
    await report("Old", "low", 90);
    await report("Older", "critical", 120);
    const listed = async (query: string, path = "/api/incidents"): Promise<Shown[]> =>
      (await server.api("GET", `${path}?${query}`)).body.data;
    const titles = async (query: string, path?: string) =>
      (await listed(query, path)).map(({ title }) => title.replace(/ (is|was) down$/, ""));
    return { server, listed, titles };
  }

  test("is sorted by when they began, how long they have lasted, severity and state, both ways", async () => {
    const { titles } = await start();
    const orders = {
      duration: ["shop", "blog", "Old", "Older"],
      severity: ["Older", "blog", "shop", "Old"],
      status: ["Older", "Old", "blog", "shop"],
    };
    for (const [sort, order] of Object.entries(orders)) {
      expect([sort, await titles(`sort=${sort}`)]).toEqual([sort, order]);
      expect([sort, await titles(`sort=${sort}`, "/v2/incidents")]).toEqual([sort, order]);
    }
    expect((await titles("sort=startedAt")).slice(0, 2)).toEqual(["Older", "Old"]);
    expect((await titles("sort=-started_at", "/v2/incidents")).slice(2)).toEqual(["Old", "Older"]);
    expect(await titles("sort=-severity")).toEqual(["Old", "shop", "Older", "blog"]);
    expect(await titles("sort=-duration")).toEqual(["Older", "Old", "blog", "shop"]);
  });

  test("has each incident on one page only, whatever it is sorted by", async () => {
    const { titles, server } = await start();
    for (const sort of ["severity", "-status", "-duration"]) {
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => titles(`sort=${sort}&limit=1&page=${page}`)),
      );
      expect([sort, pages.flat()]).toEqual([sort, await titles(`sort=${sort}`)]);
    }
    for (const [path, sort] of [
      ["/api/incidents", "title"],
      ["/v2/incidents", "startedAt"],
    ]) {
      const { status, body } = await server.api("GET", `${path}?sort=${sort}`);
      expect([path, status, Object.keys(body.errors ?? {})]).toEqual([path, 422, ["sort"]]);
    }
  });

  test("is narrowed to what is not acknowledged, together with the rest", async () => {
    const { titles, listed, server } = await start();
    const [{ id }] = (await listed("search=blog")) as unknown as [{ id: number }];
    await server.api("POST", `/api/incidents/${id}/acknowledge`);
    expect(await titles("acknowledged=true")).toEqual(["blog"]);
    expect(await titles("acknowledged=false&active=true&sort=-duration")).toEqual(["Older", "Old"]);
    expect(await titles("acknowledged=false&severity=critical", "/v2/incidents")).toEqual(["Older"]);
  });

  test("says why each outage was found, in words and as a message descriptor, and nothing of what people reported", async () => {
    const { listed, server } = await start();
    const [blog] = await listed("search=blog");
    expect(blog).toMatchObject({
      reason: "The connection was refused.",
      reasonFact: { code: "refused.text" },
    });
    expect(await listed("search=Old")).toMatchObject([{ reason: null }, { reason: null }]);
    const [shown] = await listed("search=blog", "/v2/incidents");
    expect(shown).toMatchObject({
      reason: "The connection was refused.",
      reason_fact: { code: "refused.text" },
    });
    const { id } = blog as unknown as { id: number };
    // Words of people leave the reason as it was.
    await server.api("PUT", `/api/incidents/${id}`, {
      title: "Blog is gone",
      description: "We look into it.",
    });
    expect(await listed("search=gone")).toMatchObject([
      { fact: null, reason: "The connection was refused." },
    ]);
  });
});
