import { expect, test } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { probed } from "../app/pipeline/setup.ts";
import { aReason } from "../harness/reasons.ts";
import { eachEngine } from "../harness/stores.ts";
import { CHANNELS } from "./channel-setup.ts";
import { HOUR_MS, MINUTE_MS, startAlerts } from "./setup.ts";

const DAYTIME = { hours: { from: "08:00", to: "20:00" }, timeZone: "UTC" };
const shared = (path: string) => ({ url: `https://shared.example/${path}` });

eachEngine("hours:", (engine) => {
  /** Lets the clock run to that time of the day on which tests begin. */
  const startAt = async (hour: number, minute = 0, second = 0) => {
    const all = await startAlerts(engine);
    return {
      ...all,
      begin: () => all.pass(Date.UTC(2026, 10, 22, hour, minute, second) - all.now()),
    };
  };

  test("a critical monitor is announced at night, whatever it depends on is held", async () => {
    const { begin, add, addChannel, down, send, titles, uuidOf, wait } = await startAt(23);
    await addChannel({ ...DAYTIME, reminder: "never" });
    const parent = await add("Switch", { severity: "low" });
    const child = await add("Payments", { severity: "critical", parents: [await uuidOf(parent)] });
    begin();
    await down(parent);
    await send();
    expect(titles()).toEqual([]);
    await down(child);
    await wait(0, 1);
    expect(titles()).toEqual(["Payments is down"]);
    await wait(HOUR_MS, 12);
    expect(titles()).toEqual(["Payments is down", "Switch is down"]);
  });

  test("the end of an outage is sent at night, and takes nothing along that they hold", async () => {
    const { begin, add, addChannel, down, up, deliver, pass, titles, texts, wait } = await startAt(19, 59);
    await addChannel(DAYTIME);
    const a = await add("Alpha", shared("a"));
    const b = await add("Beta", { ...shared("b"), severity: "low" });
    begin();
    await down(a);
    await deliver();
    pass(40_000);
    await down(b);
    await wait(HOUR_MS, 1);
    expect(titles()).toEqual(["Alpha is down"]);
    await up(a);
    await wait(MINUTE_MS, 2);
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
    expect(texts()[1]).not.toContain("Beta");
    await wait(HOUR_MS, 12);
    expect(titles().slice(2)).toEqual(["Beta is down"]);
  });

  test("a mailbox that is closed soon does not keep from a person's own address what it holds", async () => {
    const { begin, add, deliver, down, pass, wait, server, mail, ctx, now } = await startAt(19, 58, 40);
    const own = { emailNotifications: true, emailDowntime: true };
    await server.api("PUT", "/api/notifications/settings", own);
    const { email } = await ctx.store.db.selectFrom("users").select("email").executeTakeFirstOrThrow();
    const mailbox = { name: "Mailbox", type: "email", config: { address: email }, ...DAYTIME };
    expect((await server.api("POST", CHANNELS, mailbox)).status).toBe(201);
    await ctx.store.db.updateTable("channels").set({ confirmed_at: now() }).execute();
    const [a, b] = [await add("Alpha", shared("a")), await add("Beta", shared("b"))];
    begin();
    await down(a);
    await deliver();
    pass(20_000);
    await down(b);
    await wait(MINUTE_MS, 10);
    const subjects = () => mail.mails.map(({ to, headers }) => [to.join(), headers["subject"]]);
    // The mailbox was open when Alpha went down, for a minute only: both addresses were written to.
    const night = ["Alpha is down", "Alpha is down", "Beta is down"].map((subject) => [email, subject]);
    expect(subjects()).toEqual(night);
    await wait(HOUR_MS, 14);
    expect(subjects()).toEqual([...night, [email, "Beta is down"]]);
  });
});

eachEngine("a monitor that depends on another", (engine) => {
  test("sends no reminders of what was acknowledged", async () => {
    const { add, addChannel, down, send, titles, uuidOf, incidents, server, wait } =
      await startAlerts(engine);
    await addChannel({ reminder: "15m" });
    const parent = await add("Switch");
    const child = await add("Payments", { parents: [await uuidOf(parent)] });
    await down(parent);
    await send();
    await down(child);
    await send();
    const [incident] = await incidents();
    const { status } = await server.api("POST", `/api/incidents/${incident?.id}/acknowledge`, {});
    expect(status).toBe(200);
    await wait(10 * MINUTE_MS, 8);
    expect(titles()).toEqual(["Switch is down", "Payments is down (depends on Switch)"]);
  });

  test("is said to be up again where the channel was notified of it only as down behind that", async () => {
    const { add, addChannel, addPager, down, up, send, titles, texts, uuidOf } = await startAlerts(engine);
    await addChannel();
    await addPager();
    const parent = await add("Switch");
    const parents = [await uuidOf(parent)];
    const [first, second] = [await add("Blog", { parents }), await add("Shop", { parents })];
    await down(parent);
    await send();
    await down(first, second);
    await send();
    const isToPager = (title: string) => /^(trigger|resolve)/.test(title);
    const toChat = () => titles().filter((title) => !isToPager(title));
    const before = ["Switch is down", "Blog and Shop are down (depend on Switch)"];
    expect(toChat()).toEqual(before);
    await up(first);
    await send();
    expect(toChat()).toEqual([...before, "Blog is up again"]);
    expect(texts().join()).toContain("Still down: Switch and Shop.");
    await up(parent, second);
    await send();
    expect(toChat().slice(3)).toEqual(["Switch and Shop are up again"]);
    expect(titles().filter((title) => title.startsWith("resolve"))).toHaveLength(1);
  });

  test("and on a third is announced by itself where it is more severe than both, and only then", async () => {
    const { add, addChannel, down, send, titles, incidents, uuidOf } = await startAlerts(engine);
    await addChannel();
    const router = await add("Router");
    const middle = await add("Switch", { parents: [await uuidOf(router)] });
    const parents = [await uuidOf(middle)];
    const leaf = await add("Blog", { parents });
    const critical = await add("Payments", { severity: "critical", parents });
    await down(router);
    await send();
    await down(middle);
    await send();
    await down(leaf);
    await send();
    const before = [
      "Router is down",
      "Switch is down (depends on Router)",
      "Blog is down (depends on Switch)",
    ];
    expect(titles()).toEqual(before);
    await down(critical);
    await send();
    expect(titles()).toEqual([...before, "Payments is down"]);
    expect((await incidents()).map(({ title }) => title).toSorted()).toEqual([
      ...["Payments is down", "Router is down"],
    ]);
  });
});

eachEngine("a channel for outages and their ends only", (engine) => {
  const start = async () => {
    const all = await startAlerts(engine);
    await all.addChannel({ events: ["monitor.down", "monitor.up"], reminder: "15m" });
    const a = await all.add("Alpha");
    await all.down(a);
    await all.deliver();
    expect(all.titles()).toEqual(["Alpha is down"]);
    return { ...all, a };
  };

  test("is sent the end when the monitor works again, though slowly, and no reminder after it", async () => {
    const { a, server, pass, now, up, send, wait, titles, texts } = await start();
    for (let times = 0; times < 6; times += 1) {
      pass(10_000);
      const slow = { verdict: "degraded", reason: aReason("slow", "It was slow.") } as const;
      await ingestBatch(server.ctx, [probed(a, now(), slow)]);
    }
    await send();
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
    expect(texts()[1]).toBe("Up again since 12:00 (UTC), after 20 seconds.");
    await wait(10 * MINUTE_MS, 4);
    await up(a);
    await send();
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
  });

  test("is reminded of nothing while the monitor flaps, and sent the end when that is over", async () => {
    const { a, checkOf, deliver, titles } = await start();
    // A check a minute: three that fail, and two that do not.
    for (let round = 0; round < 8; round += 1) {
      await checkOf(a, "ok", "ok", "failed", "failed", "failed");
      await deliver();
    }
    expect(titles()).toEqual(["Alpha is down"]);
    await checkOf(a, ...Array.from({ length: 13 }, () => "ok" as const));
    await deliver();
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
  });
});
