import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { HOUR_MS, MINUTE_MS, STEP, startAlerts } from "./setup.ts";

eachEngine("the border of quiet hours", (engine) => {
  test.each([
    ["joins an incident", "https://shared.example/"],
    ["comes right after another message", undefined],
  ])("what %s shortly before quiet hours begin does not wait for their end", async (_, url) => {
    const { add, addChannel, down, deliver, wait, titles, pass, now, checkAll } = await startAlerts(engine);
    await addChannel({ hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" });
    const [a, b] = [
      await add("Alpha", url ? { url: `${url}a` } : {}),
      await add("Beta", url ? { url: `${url}b` } : {}),
    ];
    pass(Date.UTC(2026, 10, 22, 19, 59, 31) - now());
    await down(a);
    await deliver();
    expect(titles()).toEqual(["Alpha is down"]);
    for (let times = 0; times < 3; times += 1) {
      await deliver();
      await checkAll([b], STEP, "failed");
    }
    await deliver();
    await wait(5_000, 24);
    expect(titles()).toEqual(["Alpha is down", "Beta is down"]);
  });

  test("an overdue reminder is not sent in quiet hours because a window ends", async () => {
    const { add, addChannel, down, send, wait, titles, server, pass, look } = await startAlerts(engine);
    await addChannel({ reminder: "1h", hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" });
    const a = await add("Alpha");
    pass(6.5 * HOUR_MS); // 18:30
    await down(a);
    await send();
    expect(titles()).toEqual(["Alpha is down"]);
    const planned = await server.api("POST", "/api/maintenance", {
      title: "Work",
      monitorIds: [a],
      duration: 10_800,
    });
    expect(planned.status).toBe(201);
    await look();
    await wait(30 * MINUTE_MS, 6);
    pass(MINUTE_MS);
    await look();
    await send();
    await wait(30 * MINUTE_MS, 4);
    expect(titles()).toEqual(["Alpha is down"]);
  });
});
