import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { HOUR_MS, MINUTE_MS, STEP, startAlerts } from "./setup.ts";

/* An acknowledgement covers what was down when it was given: reminders go on of what joined later, and of that alone. */

eachEngine("reminders of an incident that was acknowledged", (engine) => {
  const start = () => startAlerts(engine);

  test("do not go on because another monitor joins", async () => {
    const { add, addChannel, down, send, wait, titles, server, pass, incidents } = await start();
    await addChannel({ reminder: "1h", severities: ["critical"] });
    const url = (name: string) => ({ url: `https://shared.example/${name}` });
    const a = await add("Alpha", { ...url("a"), severity: "critical" });
    const b = await add("Beta", { ...url("b"), severity: "low" });
    await down(a);
    await send(5_000);
    const [incident] = await incidents();
    expect((await server.api("POST", `/api/incidents/${incident?.id}/acknowledge`)).status).toBe(200);
    await down(b);
    await send();
    expect((await incidents()).length).toBe(1);
    pass(MINUTE_MS);
    expect((await server.api("POST", `/api/incidents/${incident?.id}/acknowledge`)).status).toBe(200);
    await send();
    await wait(HOUR_MS, 4);
    expect(titles()).toEqual(["Alpha is down"]);
  });

  test("do not go on because another incident is merged into it", async () => {
    const { add, addChannel, down, send, wait, titles, server, pass, incidents } = await start();
    await addChannel({ reminder: "1h" });
    const a = await add("Alpha");
    const b = await add("Beta");
    await down(a);
    await send();
    const [first] = await incidents();
    expect((await server.api("POST", `/api/incidents/${first?.id}/acknowledge`)).status).toBe(200);
    pass(10 * MINUTE_MS);
    await down(b);
    await send();
    const other = (await incidents()).find(({ id }) => id !== first?.id);
    expect((await server.api("POST", `/api/incidents/${other?.id}/merge`, { into: first?.id })).status).toBe(
      200,
    );
    await send();
    expect(titles()).toEqual(["Alpha is down", "Beta is down"]);
    const again = await server.api("POST", `/api/incidents/${first?.id}/acknowledge`);
    expect(again.status).toBe(200);
    await wait(HOUR_MS, 4);
    expect(titles()).toEqual(["Alpha is down", "Beta is down"]);
  });

  test("name what was found to be down only afterwards, though it failed before", async () => {
    const { add, addChannel, checkAll, deliver, send, wait, titles, server, pass, incidents } =
      await startAlerts(engine);
    await addChannel({ reminder: "1h" });
    const url = (name: string) => ({ url: `https://shared.example/${name}` });
    const a = await add("Alpha", url("a"));
    const b = await add("Beta", { ...url("b"), severity: "critical" });
    await checkAll([a, b], STEP, "failed");
    await checkAll([a], STEP, "failed", "failed");
    await deliver();
    expect(titles()).toEqual(["Alpha is down"]);
    pass(5_000);
    const [incident] = await incidents();
    expect((await server.api("POST", `/api/incidents/${incident?.id}/acknowledge`)).status).toBe(200);
    await checkAll([b], { stepMs: 30_000 }, "failed", "failed");
    await send();
    expect((await incidents()).length).toBe(1);
    expect(titles().slice(1)).toEqual(["Beta is down"]);
    await wait(HOUR_MS, 4);
    expect(titles().slice(2)).toContain("Beta is still down");
  });

  test("end when what joined is acknowledged as well", async () => {
    const { add, addChannel, down, send, wait, titles, server, incidents, received } = await start();
    await addChannel({ reminder: "1h" });
    const a = await add("Alpha", { url: "https://shared.example/a" });
    const b = await add("Beta", { url: "https://shared.example/b" });
    await down(a);
    await send(5_000);
    const [incident] = await incidents();
    const path = `/api/incidents/${incident?.id}/acknowledge`;
    expect((await server.api("POST", path)).status).toBe(200);
    await down(b);
    await send();
    expect(await incidents()).toHaveLength(1);
    expect(JSON.stringify(received().at(-1))).toContain("/acknowledge#");
    await wait(HOUR_MS, 1);
    expect(titles()).toEqual(["Alpha is down", "Beta is down", "Beta is still down"]);
    expect((await server.api("POST", path)).status).toBe(200);
    await wait(HOUR_MS, 3);
    expect(titles()).toEqual(["Alpha is down", "Beta is down", "Beta is still down"]);
  });

  test("say who was first, and when, though the rest is acknowledged later", async () => {
    const { add, addChannel, down, send, pass, server, incidents } = await start();
    await addChannel();
    const a = await add("Alpha", { url: "https://shared.example/a" });
    const b = await add("Beta", { url: "https://shared.example/b" });
    await down(a);
    await send(5_000);
    const [incident] = await incidents();
    const path = `/api/incidents/${incident?.id}`;
    const first = (await server.api("POST", `${path}/acknowledge`)).body.data.acknowledgedAt;
    await down(b);
    await send();
    pass(HOUR_MS);
    const again = (await server.api("POST", `${path}/acknowledge`)).body.data;
    expect(again.acknowledgedAt).toBe(first);
  });
});
