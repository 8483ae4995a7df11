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
});
