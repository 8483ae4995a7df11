import { expect, test } from "vitest";
import { respond, status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { MINUTE_MS, startAlerts } from "./setup.ts";

/* What a person wrote may be refused for its text; what monitors have to say goes on without it. */

eachEngine("a text that the receiver refuses", (engine) => {
  test("takes no alarm away, and no end of one", async () => {
    const { add, addChannel, down, up, send, wait, titles, server, target, incidents } =
      await startAlerts(engine);
    await addChannel();
    const a = await add("Alpha", { url: "https://shared.example/a" });
    const b = await add("Beta", { url: "https://shared.example/b", severity: "critical" });
    await down(a);
    await send(5_000);
    const refuse = (text: string) =>
      target.set((socket, request) =>
        (request.body.includes(text) ? status(400) : respond())(socket, request),
      );
    refuse("forbidden");
    const [incident] = await incidents();
    const path = `/api/incidents/${incident?.id}/updates`;
    expect((await server.api("POST", path, { message: "A forbidden word." })).status).toBe(201);
    await send(1_000);
    await down(b);
    expect(await incidents()).toHaveLength(1);
    target.requests.splice(0);
    await wait(10 * MINUTE_MS, 36);
    const accepted = () =>
      target.requests.filter(({ body }) => !body.includes("forbidden")).map(({ body }) => body);
    expect(accepted().join()).toContain("Beta is down");
    await up(a, b);
    await wait(10 * MINUTE_MS, 36);
    expect(accepted().join()).toContain("up again");
    expect(titles()).not.toEqual([]);
  });

  test("takes no end of an outage away", async () => {
    const { add, addChannel, down, up, send, wait, titles, server, target, incidents } =
      await startAlerts(engine);
    await addChannel();
    const a = await add("Alpha");
    await down(a);
    await send();
    target.set((socket, request) =>
      (request.body.includes("forbidden") ? status(400) : respond())(socket, request),
    );
    const [incident] = await incidents();
    const said = await server.api("POST", `/api/incidents/${incident?.id}/updates`, {
      message: "A forbidden word.",
    });
    expect(said.status).toBe(201);
    await send();
    await up(a);
    target.requests.splice(0);
    await wait(10 * MINUTE_MS, 36);
    const arrived = target.requests.filter(({ body }) => !body.includes("forbidden"));
    expect([arrived.length > 0, titles().length]).toEqual([true, expect.any(Number)]);
  });

  test("takes the end of its incident away from no webhook", async () => {
    const { addChannel, send, wait, server, target } = await startAlerts(engine);
    await addChannel({ type: "webhook" });
    const opened = await server.api("POST", "/api/incidents", {
      title: "Checkout is slow",
      severity: "high",
    });
    await send();
    const { id } = opened.body.data;
    target.set((socket, request) =>
      (request.body.includes("forbidden") ? status(400) : respond())(socket, request),
    );
    await server.api("POST", `/api/incidents/${id}/updates`, { message: "A forbidden word." });
    await send();
    const over = await server.api("PUT", `/api/incidents/${id}`, { status: "resolved" });
    expect(over.status).toBe(200);
    await wait(10 * MINUTE_MS, 36);
    const types = target.requests.map(({ body }) => JSON.parse(body).type);
    expect(types).toContain("incident.resolved");
  });

  test("holds back no later text and no reminder", async () => {
    const { add, addChannel, down, send, wait, server, target, incidents } = await startAlerts(engine);
    await addChannel({ reminder: "1h" });
    const a = await add("Alpha");
    await down(a);
    await send();
    target.set((socket, request) =>
      (request.body.includes("forbidden") ? status(400) : respond())(socket, request),
    );
    const [incident] = await incidents();
    const say = (message: string) =>
      server.api("POST", `/api/incidents/${incident?.id}/updates`, { message });
    expect((await say("A forbidden word.")).status).toBe(201);
    await send();
    await wait(10 * MINUTE_MS, 6);
    expect((await say("All is well understood.")).status).toBe(201);
    target.requests.splice(0);
    await wait(10 * MINUTE_MS, 60);
    const rows = await server.ctx.store.db.selectFrom("alerts").selectAll().execute();
    console.log(
      target.requests.length,
      target.requests
        .map(({ body }) => body.slice(0, 300))
        .filter((x, i, l) => l.indexOf(x) === i)
        .join("\n"),
      JSON.stringify(rows, null, 1),
    );
    const ok = target.requests
      .filter(({ body }) => !body.includes("forbidden"))
      .map(({ body }) => body)
      .join();
    expect(ok).toContain("well understood");
    expect(ok).toContain("still down");
  });

  test("is sent all the same where it ends an incident and the receiver refuses everything for a while", async () => {
    const { addChannel, send, wait, server, target } = await startAlerts(engine);
    const id0 = await addChannel({ type: "webhook" });
    const opened = await server.api("POST", "/api/incidents", {
      title: "Checkout is slow",
      severity: "high",
    });
    await send();
    const { id } = opened.body.data;
    target.set(status(400));
    await server.api("PUT", `/api/incidents/${id}`, { status: "resolved" });
    await send();
    await wait(MINUTE_MS, 20);
    target.set(respond());
    target.requests.splice(0);
    await wait(10 * MINUTE_MS, 200);
    const rows = await server.ctx.store.db.selectFrom("alerts").selectAll().execute();
    console.log(id0, JSON.stringify(rows, null, 1));
    expect(target.requests.map(({ body }) => JSON.parse(body).type)).toContain("incident.resolved");
    expect(rows.map(({ state }) => state)).not.toContain("firing");
  });

  test.each([200, 500])(
    "does not change which text of the night arrives in the morning (%s)",
    async (first) => {
      const { addChannel, send, wait, texts, pass, server, target, now } = await startAlerts(engine);
      await addChannel({ hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" });
      pass(Date.UTC(2026, 10, 22, 22) - now());
      const opened = { title: "Checkout is slow", severity: "high" };
      const { id } = (await server.api("POST", "/api/incidents", opened)).body.data;
      for (const word of ["one", "two", "three"]) {
        await send();
        await server.api("POST", `/api/incidents/${id}/updates`, { message: `Update ${word}.` });
      }
      await send();
      target.set(status(first));
      pass(Date.UTC(2026, 10, 23, 8, 0, 1) - now());
      await send(1);
      if (first === 500) {
        target.set(respond());
        target.requests.splice(0);
      }
      await wait(MINUTE_MS, 10);
      expect(texts()).toHaveLength(1);
      expect(texts().join()).toContain("Update three.");
    },
  );
});
