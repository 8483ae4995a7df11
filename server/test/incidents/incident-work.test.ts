import { expect, it } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { addMonitor, colleague, outage, recovery, serverOn } from "./setup.ts";

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof serverOn>>["api"]>>;

eachEngine("what people do about incidents", (engine) => {
  async function start() {
    const server = await serverOn(engine);
    const on = (method: string, path: string, body?: unknown, key?: string): Promise<Answer> =>
      server.api(method as "GET", `/api/incidents${path}`, body, key === undefined ? {} : { key });
    const report = async (more: object = {}) =>
      (await on("POST", "", { title: "Payments are slow", ...more })).body.data;
    return { server, on, report };
  }

  it("report one: 201, with what it affects by id and by name, and its first update", async () => {
    const { server, on } = await start();
    const shop = await addMonitor(server, server.person, "Shop");
    const { status, body } = await on("POST", "", {
      title: "  Payments are slow ",
      description: "Since lunch.",
      severity: "critical",
      impact: "major",
      monitorIds: [shop],
      affectedServices: ["Payments", "Shop"],
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      title: "Payments are slow",
      status: "open",
      severity: "critical",
      automatic: false,
      affectedServices: ["Shop", "Payments"],
      affected: [
        { monitorId: shop, kind: "domain" },
        { monitorId: null, kind: null },
      ],
      resolvedAt: null,
    });
    const updates = await on("GET", `/${body.data.id}/updates`);
    expect(updates.body.data).toMatchObject([{ status: "open", message: "Since lunch." }]);
    const v2 = await server.api("POST", "/v2/incidents", { title: "Slow", affected_services: ["Shop"] });
    expect([v2.status, v2.body.data.affected_services]).toEqual([201, ["Shop"]]);
  });

  it.each([
    ["low", "minor"],
    ["medium", "minor"],
    ["high", "major"],
    ["critical", "critical"],
  ])("of the severity %s show visitors the impact %s, unless they say another", async (severity, impact) => {
    const { report } = await start();
    expect(await report({ severity })).toMatchObject({ severity, impact });
    expect(await report({ severity, impact: "none" })).toMatchObject({ impact: "none" });
  });

  it.each([
    [{}, "title"],
    [{ title: "   " }, "title"],
    [{ title: "T", status: "burning" }, "status"],
    [{ title: "T", startedAt: "2999-01-01T00:00:00Z" }, "startedAt"],
    [{ title: "T", monitorIds: [987_654] }, "monitorIds"],
    [{ title: "T", affectedServices: [" "] }, "affectedServices"],
    [{ title: "T", description: "x".repeat(10_001) }, "description"],
    [{ title: "T\0" }, "title"],
  ])("%j is 422 and names the field", async (body, field) => {
    const { on } = await start();
    const answer = await on("POST", "", body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });

  it("a text of a megabyte is 422 and names the field; what is larger still is 413", async () => {
    const { server, on, report } = await start();
    const { id } = await report();
    const { id: commentId } = (await on("POST", `/${id}/comments`, { content: "x" })).body.data;
    const { id: updateId } = (await on("POST", `/${id}/updates`, { message: "x" })).body.data;
    const window = { title: "T", everything: true, duration: 60 };
    const text = "x".repeat(1_000_000);
    const cases = [
      ["POST", "/api/incidents", { title: "T" }, "description"],
      ["PUT", `/api/incidents/${id}`, {}, "description"],
      ["PUT", `/api/incidents/${id}/postmortem`, {}, "content"],
      ["POST", `/api/incidents/${id}/comments`, {}, "content"],
      ["PUT", `/api/incidents/${id}/comments/${commentId}`, {}, "content"],
      ["POST", `/api/incidents/${id}/updates`, {}, "message"],
      ["PUT", `/api/incidents/${id}/updates/${updateId}`, {}, "message"],
      ["POST", "/api/maintenance", window, "description"],
    ] as const;
    for (const [method, path, body, field] of cases) {
      for (const url of [path, path.replace("/api/", "/v2/")]) {
        const answer = await server.api(method, url, { ...body, [field]: text });
        expect([url, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([url, 422, [field]]);
      }
    }
    expect((await on("POST", `/${id}/comments`, { content: text.repeat(3) })).status).toBe(413);
  });

  it("change it, and move it where it may go", async () => {
    const { on, report } = await start();
    const { id } = await report({ affectedServices: ["Payments"] });
    const changed = await on("PUT", `/${id}`, {
      title: "Slower",
      status: "identified",
      affectedServices: [],
    });
    expect(changed.body.data).toMatchObject({ title: "Slower", status: "identified", affectedServices: [] });
    const back = await on("PUT", `/${id}`, { status: "open" });
    expect([back.status, Object.keys(back.body.errors)]).toEqual([422, ["status"]]);
    expect((await on("PUT", `/${id}`, { status: "resolved" })).body.data.resolvedAt).not.toBeNull();
    expect((await on("PUT", `/${id}`, { status: "monitoring" })).status).toBe(422);
    expect((await on("POST", `/${id}/reopen`)).body.data).toMatchObject({ status: "open", resolvedAt: null });
    expect((await on("POST", `/${id}/reopen`)).status).toBe(409);
    const log = (await on("GET", `/${id}/updates`)).body.data;
    expect(log.map(({ status }: { status: string }) => status)).toEqual([
      "open",
      "identified",
      "resolved",
      "open",
    ]);
  });

  it("post updates that move it, edit and delete their own, and not Vedette's", async () => {
    const { server, on } = await start();
    await outage(server, server.person, "shop");
    const [{ id }] = (await on("GET", "")).body.data;
    const posted = await on("POST", `/${id}/updates`, { message: " Found it. ", status: "identified" });
    expect([posted.status, posted.body.data]).toMatchObject([
      201,
      { message: "Found it.", status: "identified" },
    ]);
    expect((await on("GET", `/${id}`)).body.data.status).toBe("identified");
    const own = `/${id}/updates/${posted.body.data.id}`;
    expect((await on("PUT", own, { message: "Found." })).body.data).toMatchObject({ message: "Found." });
    const [first] = (await on("GET", `/${id}/updates`)).body.data;
    expect((await on("PUT", `/${id}/updates/${first.id}`, { message: "?" })).status).toBe(409);
    expect((await on("DELETE", own)).body.data).toEqual({ id: posted.body.data.id });
    expect((await on("DELETE", own)).status).toBe(404);
    expect((await on("POST", `/${id}/updates`, { message: " " })).body.errors).toHaveProperty("message");
    expect((await on("GET", `/${id}/updates?page=1&limit=1`)).body.pagination.total).toBe(1);
  });

  it("comment: authors and those who run the organization may edit, others may not", async () => {
    const { server, on, report } = await start();
    const { id } = await report();
    const member = await colleague(server);
    const other = await colleague(server);
    const said = await on("POST", `/${id}/comments`, { content: "Hm.", isInternal: true }, member);
    expect([said.status, said.body.data]).toMatchObject([201, { content: "Hm.", isInternal: true }]);
    const one = `/${id}/comments/${said.body.data.id}`;
    expect((await on("PUT", one, { content: "No." }, other)).status).toBe(403);
    expect((await on("DELETE", one, undefined, other)).status).toBe(403);
    expect((await on("PUT", one, { content: "Ah." }, member)).body.data).toMatchObject({
      content: "Ah.",
      isInternal: true,
    });
    const long = await on("POST", `/${id}/comments`, { content: "x".repeat(100_000) });
    expect([long.status, Object.keys(long.body.errors)]).toEqual([422, ["content"]]);
    expect((await on("GET", `/${id}/comments`)).body.data).toHaveLength(1);
    expect((await on("DELETE", one)).status).toBe(200);
    expect((await on("GET", `/${id}/comments`)).body.data).toEqual([]);
  });

  it("acknowledge it once, and see who did", async () => {
    const { server, on, report } = await start();
    const { id } = await report();
    const first = await on("POST", `/${id}/acknowledge`);
    const { acknowledgedAt, acknowledgedById } = first.body.data;
    expect([first.status, acknowledgedById]).toEqual([200, server.person.userId]);
    expect((await on("POST", `/${id}/acknowledge`)).body.data.acknowledgedAt).toBe(acknowledgedAt);
    const member = await colleague(server);
    const second = await on("POST", `/${id}/acknowledge`, undefined, member);
    expect([second.status, second.body.message]).toEqual([409, expect.stringMatching(/acknowledged this/)]);
  });

  it("assign it to members only", async () => {
    const { server, on, report } = await start();
    const { id } = await report();
    const { userId } = server.person;
    expect((await on("POST", `/${id}/assign`, { userId })).body.data.assigneeId).toBe(userId);
    const outsider = await server.createOrganization();
    const foreign = await on("POST", `/${id}/assign`, { userId: outsider.userId });
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ["userId"]]);
    expect((await on("POST", `/${id}/assign`, { userId: null })).body.data.assigneeId).toBeNull();
  });

  it("keep a postmortem as it was written", async () => {
    const { on, report } = await start();
    const { id } = await report();
    const content = "# Why\n\n<script>alert(1)</script>\n";
    expect((await on("PUT", `/${id}/postmortem`, { content })).status).toBe(200);
    expect((await on("GET", `/${id}/postmortem`)).body.data).toEqual({ incidentId: id, content });
    expect((await on("GET", `/${id}`)).body.data.hasPostmortem).toBe(true);
    await on("PUT", `/${id}/postmortem`, { content: null });
    expect((await on("GET", `/${id}`)).body.data.hasPostmortem).toBe(false);
  });

  it("delete it with all that was said of it", async () => {
    const { on, report } = await start();
    const { id } = await report();
    await on("POST", `/${id}/comments`, { content: "Hm." });
    expect((await on("DELETE", `/${id}`)).body.data).toEqual({ id });
    for (const path of ["", "/updates", "/comments", "/postmortem"])
      expect((await on("GET", `/${id}${path}`)).status).toBe(404);
  });

  it("merge it: all goes to the other, twice and in circles is refused", async () => {
    const { server, on, report } = await start();
    const shop = await outage(server, server.person, "shop");
    const [automatic] = (await on("GET", "")).body.data;
    await on("POST", `/${automatic.id}/comments`, { content: "Hm." });
    const { id } = await report();
    for (const into of [automatic.id, 987_654, "nonsense"]) {
      const refused = await on("POST", `/${automatic.id}/merge`, { into });
      expect([into, refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([into, 422, ["into"]]);
    }
    const merged = await on("POST", `/${automatic.id}/merge`, { into: id });
    expect(merged.body.data).toMatchObject({ id, affectedServices: ["shop"], resolvedAt: null });
    expect((await on("GET", `/${automatic.id}`)).body.data).toMatchObject({
      status: "resolved",
      mergedIntoId: id,
      affected: [],
    });
    expect((await on("GET", `/${id}/comments`)).body.data).toHaveLength(1);
    const back = await on("POST", `/${id}/merge`, { into: automatic.id });
    expect([back.status, back.body.message]).toEqual([
      409,
      `Incident ${automatic.id} was merged into this one already.`,
    ]);
    const later = await report();
    const astray = await on("POST", `/${later.id}/merge`, { into: automatic.id });
    expect([astray.status, astray.body.message]).toEqual([
      409,
      `Incident ${automatic.id} was merged into incident ${id}. Merge this one into ${id} as well.`,
    ]);
    expect((await on("POST", `/${automatic.id}/merge`, { into: id })).status).toBe(409);
    expect((await on("POST", `/${automatic.id}/reopen`)).status).toBe(409);
    await recovery(server, shop);
    const after = (await on("GET", `/${id}`)).body.data;
    expect(after.affected).toMatchObject([{ name: "shop", outageEndedAt: expect.any(String) }]);
    expect(after.resolvedAt).toBeNull();
  });

  it("merge it: who acknowledged it has acknowledged the other one, unless that is acknowledged or it alone is over", async () => {
    const { server, on, report } = await start();
    const merge = async (id: number, into: number) => (await on("POST", `/${id}/merge`, { into })).body.data;
    const [given, target] = [await report(), await report()];
    const { acknowledgedAt } = (await on("POST", `/${given.id}/acknowledge`)).body.data;
    const acknowledged = { acknowledgedAt, acknowledgedById: server.person.userId };
    expect(acknowledgedAt).not.toBeNull();
    expect(await merge(given.id, target.id)).toMatchObject(acknowledged);
    const second = await report();
    const member = await colleague(server);
    await on("POST", `/${second.id}/acknowledge`, undefined, member);
    expect(await merge(second.id, target.id)).toMatchObject(acknowledged);
    const over = await report();
    await on("POST", `/${over.id}/acknowledge`);
    await on("PUT", `/${over.id}`, { status: "resolved" });
    const open = await report();
    expect(await merge(over.id, open.id)).toMatchObject({ acknowledgedAt: null });
  });

  it("resolve an outage's by hand: it stays so, and reopened it ends with the outage", async () => {
    const { server, on } = await start();
    const shop = await outage(server, server.person, "shop");
    const [{ id }] = (await on("GET", "")).body.data;
    await on("PUT", `/${id}`, { status: "resolved" });
    await on("POST", `/${id}/reopen`);
    await recovery(server, shop);
    expect((await on("GET", `/${id}`)).body.data.status).toBe("resolved");
    expect((await on("GET", "")).body.data).toHaveLength(1);
  });

  it("and the engine, forty at once, lose nothing", async () => {
    const { server, on } = await start();
    const ids = await Promise.all(["a", "b", "c", "d"].map((name) => outage(server, server.person, name)));
    const incidents = (await on("GET", "")).body.data as { id: number }[];
    const [target] = incidents as [{ id: number }];
    const work = incidents.flatMap(({ id }) => [
      ...Array.from({ length: 7 }, (_, n) => () => on("POST", `/${id}/updates`, { message: `${n}` })),
      () => on("POST", `/${id}/acknowledge`),
      () => on("POST", `/${id}/merge`, { into: target.id }),
    ]);
    const answers = await Promise.all([
      ...work.map((one) => one()),
      ...ids.map(async (id) => {
        await recovery(server, id);
        return { status: 200 };
      }),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const affected = await server.ctx.store.db.selectFrom("affected_services").selectAll().execute();
    const ours = affected.filter(({ monitor_id }) => ids.includes(monitor_id ?? 0));
    expect(ours).toHaveLength(4);
    expect(ours.filter(({ outage_ended_at }) => outage_ended_at === null)).toEqual([]);
    for (const { status } of (await on("GET", "")).body.data) expect(status).toBe("resolved");
  });
});
