import { expect, test } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { failed } from "../app/pipeline/setup.ts";
import { respond, status } from "../harness/behaviours.ts";
import { aReason } from "../harness/reasons.ts";
import { eachEngine } from "../harness/stores.ts";
import { HOUR_MS, MINUTE_MS, STEP, startAlerts } from "./setup.ts";

/** Ways in which an alarm, or the end of one, was lost before alerts had rules of their own (95ddf910). */
eachEngine("no alarm is swallowed:", (engine) => {
  const start = () => startAlerts(engine);

  test("a digest does not say that what is down is up again", async () => {
    const { add, addChannel, down, up, send, titles, texts } = await start();
    await addChannel();
    const ids: number[] = [];
    for (let each = 0; each < 6; each += 1) ids.push(await add(`Site${each}`));
    const [first = 0] = ids;
    await down(...ids);
    await up(...ids);
    await down(first);
    await send();
    expect(titles()).toEqual(["Site0 is down"]);
    expect(texts().join()).not.toContain("again");
  });

  test("what shares an address and fails in another way is reported by itself, and so is its end", async () => {
    const { add, addChannel, server, pass, now, up, send, titles } = await start();
    await addChannel();
    const [a, b] = [await add("Alpha"), await add("Beta")];
    const fail = async (id: number, reason: ReturnType<typeof aReason>) => {
      for (let times = 0; times < 3; times += 1) {
        pass(5_000);
        await ingestBatch(server.ctx, [failed(id, now(), { address: "192.0.2.7", reason })]);
      }
    };
    await fail(a, aReason("status", "It answered 500."));
    await send(20_000);
    await fail(b, aReason("certificate", "Its certificate has expired."));
    await send();
    expect(titles()).toEqual(["Alpha is down", "Beta is down"]);
    await up(a);
    await send();
    expect(titles().slice(2)).toEqual(["Alpha is up again"]);
  });

  test("what joins an incident is named, and each recovery, with what is still down", async () => {
    const { add, addChannel, down, up, send, titles, texts } = await start();
    await addChannel();
    const url = (name: string) => ({ url: `https://shared.example/${name}` });
    const [a, b, c] = [
      await add("Alpha", url("a")),
      await add("Beta", url("b")),
      await add("Gamma", url("c")),
    ];
    await down(a);
    await send(5_000);
    await down(b, c);
    await send();
    expect(titles()).toEqual(["Alpha is down", "Beta and Gamma are down"]);
    expect(texts()[1]).toContain("Still down: Alpha.");
    await up(a);
    await send();
    expect(titles()[2]).toBe("Alpha is up again");
    expect(texts()[2]).toContain("Still down: Beta and Gamma.");
    await up(b, c);
    await send();
    expect(titles()[3]).toBe("Beta and Gamma are up again");
  });

  test("an outage that begins and ends in quiet hours takes no earlier one's end away", async () => {
    const { add, addChannel, down, up, deliver, pass, titles } = await start();
    await addChannel({ hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" });
    const url = "https://shared.example/";
    const [a, b] = [await add("Alpha", { url }), await add("Beta", { url })];
    await down(a, b);
    await deliver();
    expect(titles()).toEqual(["Alpha and Beta are down"]);
    pass(10 * HOUR_MS);
    await up(a);
    pass(20 * MINUTE_MS);
    await down(a);
    await up(b);
    pass(20 * MINUTE_MS);
    await up(a);
    for (let hours = 0; hours < 12; hours += 1) {
      await deliver();
      pass(HOUR_MS);
    }
    expect(titles().slice(1).join()).toMatch(/Alpha.*again/);
    expect(titles().slice(1).join()).toMatch(/Beta.*again/);
  });

  test("what recovers while quiet hours hold its message takes no other channel's end away", async () => {
    const { add, addChannel, down, up, deliver, send, pass, titles, texts } = await start();
    await addChannel({ hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" });
    const url = "https://shared.example/";
    const [a, b, c] = [await add("Alpha", { url }), await add("Beta", { url }), await add("Gamma")];
    pass(10 * HOUR_MS);
    await down(a, b);
    await down(c);
    await deliver();
    await up(a);
    await deliver();
    pass(11 * HOUR_MS);
    await deliver();
    expect(titles()).toHaveLength(1);
    expect(texts()[0]).toMatch(/Beta.*Gamma|Gamma.*Beta/s);
    await up(b);
    await send();
    await up(c);
    await send();
    expect(titles().slice(1)).toEqual(["Beta is up again", "Gamma is up again"]);
  });

  test("a parent that a channel does not want holds nothing back that it does", async () => {
    const { add, addChannel, down, up, send, titles, texts, uuidOf, look } = await start();
    await addChannel({ tags: ["pay"] });
    const all = await addChannel();
    const parent = await add("Switch");
    const child = await add("Payments", { tags: ["pay"], parents: [await uuidOf(parent)] });
    await down(parent);
    await send();
    await down(child);
    await send();
    const said = titles();
    expect(said.filter((title) => title === "Payments is down")).toHaveLength(1);
    expect(said.filter((title) => title === "Switch is down")).toHaveLength(1);
    await up(parent);
    await look();
    await down(child);
    await send();
    // A channel that was notified of the parent is notified of the child by itself once that is up.
    expect(titles().filter((title) => title === "Payments is down")).toHaveLength(2);
    expect(texts().join()).toContain("connection");
    expect(all).toBeGreaterThan(0);
  });

  test("a child that fails after the message about its parent is named in one of its own", async () => {
    const { add, addChannel, down, up, send, titles, texts, uuidOf } = await start();
    await addChannel();
    const parent = await add("Switch");
    const parents = [await uuidOf(parent)];
    const [first, second] = [await add("Blog", { parents }), await add("Shop", { parents })];
    await down(parent);
    await send();
    await down(first, second);
    await send();
    expect(titles()).toEqual(["Switch is down", "Blog and Shop are down (depend on Switch)"]);
    expect(texts()[1]).toContain("Still down: Switch.");
    await send();
    expect(titles()).toHaveLength(2);
    await up(parent, first, second);
    await send();
    expect(titles().slice(2)).toEqual(["Switch, Blog and Shop are up again"]);
  });

  test("what a person writes comes with what changed, and what is still down", async () => {
    const { add, addChannel, down, up, send, titles, texts, server, pass } = await start();
    await addChannel();
    const url = "https://shared.example/";
    const [a, b] = [await add("Alpha", { url }), await add("Beta", { url })];
    await down(a, b);
    await send();
    pass(MINUTE_MS);
    await up(a);
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    const path = `/api/incidents/${incident.id}/updates`;
    expect((await server.api("POST", path, { message: "The host is being replaced." })).status).toBe(201);
    await send();
    expect(titles()[1]).toBe("Alpha is up again");
    expect(texts()[1]).toContain("Still down: Beta.\nPosted about the incident: The host is being replaced.");
  });

  test("a critical child is reported behind a parent in maintenance", async () => {
    const { add, addChannel, down, send, titles, server, uuidOf, look } = await start();
    await addChannel();
    const parent = await add("Switch", { severity: "low" });
    const child = await add("Payments", { severity: "critical", parents: [await uuidOf(parent)] });
    await server.api("POST", "/api/maintenance", { title: "Work", monitorIds: [parent], duration: 3_600 });
    await look();
    await down(parent);
    await down(child);
    await send();
    expect(titles()).toEqual(["Payments is down"]);
  });

  test("what was refused is not taken for known", async () => {
    const { add, addChannel, down, up, send, target, titles, pass, deliver } = await start();
    await addChannel();
    const url = (name: string) => ({ url: `https://shared.example/${name}` });
    const [a, b] = [await add("Alpha", url("a")), await add("Beta", url("b"))];
    target.set(status(400));
    await down(a);
    await send(5_000);
    target.set(respond());
    target.requests.splice(0);
    await down(b);
    await send();
    expect(titles().join()).toMatch(/Alpha.*Beta|Beta.*Alpha/);
    await up(a, b);
    await send();
    expect(titles().at(-1)).toMatch(/up again$/);
    pass(HOUR_MS);
    await deliver();
  });

  test("what fails for more than a day is sent when the other side is there again", async () => {
    const { add, addChannel, down, target, titles, pass, deliver } = await start();
    await addChannel();
    const a = await add("Alpha");
    target.set(status(503));
    await down(a);
    for (let hours = 0; hours < 26; hours += 1) {
      await deliver();
      pass(HOUR_MS);
    }
    target.set(respond());
    target.requests.splice(0);
    pass(HOUR_MS);
    await deliver();
    expect(titles()).toEqual(["Alpha is down"]);
  });

  test("what goes down again while its recovery cannot be delivered is an alarm again", async () => {
    const { add, addChannel, down, up, target, titles, recover, wait, send } = await start();
    await addChannel();
    const a = await add("Alpha");
    await down(a);
    await send();
    expect(titles()).toEqual(["Alpha is down"]);
    target.set(status(503));
    await up(a);
    await wait(HOUR_MS, 3);
    await down(a);
    await wait(HOUR_MS, 3);
    recover();
    await wait(HOUR_MS, 1);
    expect(titles()).toEqual(["Alpha is down"]);
    await up(a);
    await send();
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
  });

  test("a channel that was switched off is brought up to date when it is on again", async () => {
    const { add, addChannel, down, up, send, titles, server, target } = await start();
    const channel = await addChannel();
    const a = await add("Alpha");
    target.set(status(404));
    await down(a);
    await send();
    const set = (enabled: boolean) =>
      server.api("PUT", `/api/notifications/channels/${channel}`, { enabled });
    await set(false);
    target.set(respond());
    target.requests.splice(0);
    await set(true);
    await send();
    expect(titles()).toEqual(["Alpha is down"]);
    await up(a);
    await send();
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
  });

  test("nothing that is down is said to be up by the end of an earlier outage", async () => {
    const { add, addChannel, down, up, send, titles } = await start();
    await addChannel();
    const url = (name: string) => ({ url: `https://shared.example/${name}` });
    const [a, b] = [await add("Alpha", url("a")), await add("Beta", url("b"))];
    await down(a);
    await send();
    await down(b);
    await up(a);
    await down(a);
    await send();
    expect(titles().slice(1).join()).not.toContain("Alpha is up");
  });

  test("a digest names the most severe, however many went down before it", async () => {
    const { add, addChannel, down, deliver, pass, texts, addMonitor, checkAll } = await start();
    await addChannel();
    const blogs: number[] = [];
    for (let each = 0; each < 13; each += 1) blogs.push(await add(`Blog${each}`, { severity: "low" }));
    const other = await addMonitor({ name: "Other", url: "https://other.example/" });
    await checkAll([other], STEP, "ok", "failed", "failed", "failed");
    await deliver();
    const payments = await add("Payments", { severity: "critical" });
    await down(...blogs);
    await down(payments);
    pass(5_000);
    await deliver();
    expect(texts().at(-1)).toContain("Payments (critical)");
  });

  test("a severity that is raised during an outage reaches who wants only that", async () => {
    const { add, addChannel, down, send, titles, server } = await start();
    await addChannel({ severities: ["critical"] });
    const a = await add("Alpha", { severity: "low" });
    await down(a);
    await send();
    expect(titles()).toEqual([]);
    await server.api("PUT", `/api/domains/${a}`, { severity: "critical" });
    await send();
    expect(titles()).toEqual(["Alpha is down"]);
  });
});
