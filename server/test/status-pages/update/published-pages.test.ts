import { expect, test, vi } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "../../monitors/domains/factories.ts";
import { linkDomain, makePage, publicOf } from "../factories.ts";

const WAIT = { timeout: 10_000 };
const NOBODYS = "0190b6a4-2f10-7c3a-9d53-1a2b3c4d5e6f";

eachEngine("which status pages show an update", (engine) => {
  test("is chosen for each, when it is written and later, in both families", async () => {
    const server = await serve({ engine });
    const domain = await makeDomain(server);
    const pages = [await makePage(server), await makePage(server)] as const;
    for (const page of pages) await linkDomain(server, page, domain);
    const send = async (method: "POST" | "PUT", path: string, body: object) => {
      const { status, body: answer } = await server.api(method, path, body);
      return { status, ...answer };
    };
    const { data: incident } = await send("POST", "/api/incidents", {
      title: "Slow",
      monitorIds: [domain.id],
      pages: [pages[0].uuid],
    });
    const updates = `incidents/${incident.id}/updates`;
    const onPages = () =>
      Promise.all(
        pages.map(async ({ slug }) => {
          const [shown] = (await publicOf(server, slug)).incidents;
          return shown?.updates.map(({ message }: { message: string }) => message);
        }),
      );
    expect(await onPages()).toEqual([[""], undefined]);

    const everywhere = await send("POST", `/api/${updates}`, { message: "**All**" });
    expect(everywhere.data).toMatchObject({ pages: null, isOpening: false });
    const one = { message: "Second", pages: [pages[1].uuid.toUpperCase()], status: "identified" };
    const second = await send("POST", `/v2/${updates}`, one);
    expect([second.status, second.data.pages, second.data.is_opening]).toEqual([201, [pages[1].uuid], false]);
    const none = await send("POST", `/api/${updates}`, { message: "No page", pages: [] });
    expect(none.data.pages).toEqual([]);
    expect(await onPages()).toEqual([
      ["**All**", ""],
      ["Second", "**All**"],
    ]);

    const moved = await send("PUT", `/v2/${updates}/${second.data.id}`, { pages: [pages[0].uuid] });
    expect([moved.status, moved.data.message, moved.data.edited_at]).toEqual([200, "Second", null]);
    await send("PUT", `/api/${updates}/${none.data.id}`, { message: "Everybody", pages: null });
    expect(await onPages()).toEqual([
      ["Everybody", "Second", "**All**", ""],
      ["Everybody", "**All**"],
    ]);
    const { body } = await server.api("GET", `/api/${updates}`);
    expect(body.data.map((each: { isOpening: boolean }) => each.isOpening)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(body.data[0].pages).toEqual([pages[0].uuid]);

    await server.api("DELETE", `/api/status-pages/${pages[0].id}`);
    const after = await server.api("GET", `/api/${updates}`);
    expect(after.body.data[2].pages).toEqual([]);
  });

  test("are the only ones that are read anew: those of what the incident affects, or did before", async () => {
    const server = await serve({ engine });
    const shown = async (name: string) => {
      const domain = await makeDomain(server, { url: `https://${name}.test` });
      const page = await makePage(server);
      await linkDomain(server, page, domain);
      return { domain, slug: page.slug };
    };
    const [{ slug: first, domain }, { slug: second, domain: other }] = [await shown("a"), await shown("b")];
    await shown("c");
    const { db } = server.ctx.store;
    const renewedBy = async (method: "POST" | "PUT" | "DELETE", path: string, body?: object) => {
      const { id: last } = await db
        .selectFrom("events")
        .select((select) => select.fn.max("id").as("id"))
        .executeTakeFirstOrThrow();
      const answer = await server.api(method, `/api/incidents${path}`, body);
      expect(answer.status).toBeLessThan(300);
      const query = db.selectFrom("events").select("payload").where("type", "=", "page.changed");
      const events = await query.where("id", ">", last).execute();
      const slugs = events.flatMap(({ payload }) => (JSON.parse(payload) as { slugs: string[] }).slugs);
      return { id: answer.body.data.id as number, slugs: [...new Set(slugs)].sort() };
    };
    const opened = await renewedBy("POST", "", { title: "Slow", monitorIds: [domain.id] });
    expect(opened.slugs).toEqual([first]);
    const path = `/${opened.id}`;
    expect((await renewedBy("POST", `${path}/updates`, { message: "We know." })).slugs).toEqual([first]);
    const moved = await renewedBy("PUT", path, { monitorIds: [other.id] });
    expect(moved.slugs).toEqual([first, second].sort());
    expect((await renewedBy("PUT", path, { title: "Slower" })).slugs).toEqual([second]);
    expect((await renewedBy("DELETE", path)).slugs).toEqual([second]);
  });

  test("and a new state alone puts an incident on none where it was not, nor keeps it on one", async () => {
    const server = await serve({ engine });
    const domain = await makeDomain(server);
    const pages = [await makePage(server), await makePage(server)] as const;
    for (const page of pages) await linkDomain(server, page, domain);
    const report = async (more: object) =>
      (await server.api("POST", "/api/incidents", { title: "Breach", monitorIds: [domain.id], ...more })).body
        .data.id as number;
    const change = async (id: number, body: object) =>
      expect((await server.api("PUT", `/api/incidents/${id}`, body)).status).toBe(200);
    const states = () =>
      Promise.all(
        pages.map(async ({ slug }) =>
          (await publicOf(server, slug)).incidents.map(({ updates }: { updates: { status: string }[] }) =>
            updates.map(({ status }) => status),
          ),
        ),
      );
    const secret = await report({ pages: [] });
    await change(secret, { status: "identified" });
    await change(secret, { status: "resolved" });
    await server.api("POST", `/api/incidents/${secret}/reopen`);
    expect(await states()).toEqual([[], []]);

    const said = { message: "We know.", pages: [pages[0].uuid] };
    const { id } = (await server.api("POST", `/api/incidents/${secret}/updates`, said)).body.data;
    await change(secret, { status: "monitoring" });
    expect(await states()).toEqual([[["monitoring", "open"]], []]);
    await server.api("PUT", `/api/incidents/${secret}/updates/${id}`, { pages: [] });
    expect(await states()).toEqual([[], []]);

    await change(await report({ pages: [pages[1].uuid] }), { status: "identified" });
    expect(await states()).toEqual([[], [["identified", "open"]]]);
  });

  test("and what opened it, or moved it, is withdrawn as words are; only its own words stay", async () => {
    const server = await serve({ engine });
    const domain = await makeDomain(server);
    const page = await makePage(server);
    await linkDomain(server, page, domain);
    const titles = async () =>
      (await publicOf(server, page.slug)).incidents.map((each: { title: string }) => each.title);
    const report = { title: "Breach", monitorIds: [domain.id] };
    const { id } = (await server.api("POST", "/api/incidents", report)).body.data;
    const updates = `/api/incidents/${id}/updates`;
    await server.api("PUT", `/api/incidents/${id}`, { status: "identified" });
    const [opening, moved] = (await server.api("GET", updates)).body.data;
    expect(await titles()).toEqual(["Breach"]);

    for (const { id: entry } of [moved, opening]) {
      const changed = await server.api("PUT", `${updates}/${entry}`, { pages: [] });
      expect([changed.status, changed.body.data?.pages]).toEqual([200, []]);
      const { status } = await server.api("PUT", `${updates}/${entry}`, {
        message: "Nothing happened",
        pages: [],
      });
      expect(status).toBe(409);
      expect((await server.api("DELETE", `${updates}/${entry}`)).status).toBe(409);
    }
    expect(await titles()).toEqual([]);
    await server.api("PUT", `/v2/incidents/${id}/updates/${opening.id}`, { pages: [page.uuid] });
    expect(await titles()).toEqual(["Breach"]);
  });

  test("visitors get it a second later, and no longer once it is withdrawn, though the page is cached", async () => {
    let now = Date.parse("2026-11-23T09:30:20Z");
    const server = await serve({ engine, clock: { now: () => now } });
    const domain = await makeDomain(server);
    const page = await makePage(server);
    await linkDomain(server, page, domain);
    const read = async () => (await fetch(`${server.url}/status/${page.slug}`)).text();
    expect(await read()).not.toContain("Queue");
    const report = { title: "Slow", monitorIds: [domain.id] };
    const { id } = (await server.api("POST", "/api/incidents", report)).body.data;
    const updates = `/api/incidents/${id}/updates`;
    const update = (await server.api("POST", updates, { message: "**Queue** is full." })).body.data;
    now += 1_000;
    await vi.waitFor(async () => expect(await read()).toContain("<strong>Queue</strong> is full."), WAIT);
    await server.api("PUT", `${updates}/${update.id}`, { pages: [] });
    now += 1_000;
    await vi.waitFor(async () => expect(await read()).not.toContain("Queue"), WAIT);
  });

  test("422 names the field for a page of another organization, an unknown one and what is none", async () => {
    const server = await serve({ engine });
    const { id } = (await server.api("POST", "/api/incidents", { title: "Slow" })).body.data;
    const key = await server.createKey({ plan: "expert" });
    const foreign = await server.api(
      "POST",
      "/api/status-pages",
      { name: "Theirs", slug: "theirs" },
      { key },
    );
    const update = (await server.api("POST", `/api/incidents/${id}/updates`, { message: "x" })).body.data;
    for (const pages of [[foreign.body.data.uuid], [NOBODYS], ["3"], [NOBODYS, NOBODYS], "all"]) {
      for (const family of ["/api", "/v2"]) {
        const at = `${family}/incidents/${id}/updates`;
        for (const answer of [
          await server.api("POST", at, { message: "x", pages }),
          await server.api("PUT", `${at}/${update.id}`, { pages }),
          await server.api("POST", `${family}/incidents`, { title: "x", pages }),
        ]) {
          const fields = Object.keys(answer.body.errors ?? {}).map((field) => field.replace(/\.\d+$/, ""));
          expect([answer.status, fields]).toEqual([422, ["pages"]]);
        }
      }
    }
  });
});
