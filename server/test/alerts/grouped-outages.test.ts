import { expect, test } from "vitest";
import { openBrowser } from "../accounts/browser.ts";
import { eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";
import { PUBLIC_URL } from "./mailing.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STEP = { stepMs: 5_000 };

interface Posted {
  attachments: { title: string; text: string }[];
}

eachEngine("channels, of outages that share an incident", (engine) => {
  /** Two monitors of one host; the first is the less severe, and has other tags. */
  const start = async () => {
    const telling = await startTelling(engine);
    const shop = await telling.addMonitor({ name: "Shop", url: "https://one.example/shop", tags: ["shop"] });
    const bank = await telling.addMonitor({
      ...{ name: "Bank", url: "https://one.example/bank", tags: ["bank"], severity: "critical" },
    });
    const both = [shop, bank];
    const addChannel = (settings: object = {}) =>
      telling.addChannel({ type: "mattermost", config: { url: telling.target.url }, ...settings });
    const posted = () =>
      (telling.received() as unknown as Posted[]).flatMap(({ attachments: [one] }) => one ?? []);
    const titlesOf = async (id: number) =>
      (await telling.deliveries(id)).map(({ event, state }) => `${event} ${state}`).reverse();
    const fail = async () => {
      await telling.checkAll(both, "ok", "ok");
      await telling.checkAll([shop], STEP, "failed", "failed");
      await telling.deliver();
      await telling.checkAll([bank], STEP, "failed", "failed");
      telling.pass(6_000);
      await telling.deliver();
      const incidents = await telling.server.api("GET", "/api/incidents");
      expect(incidents.body.data.map(({ title }: { title: string }) => title)).toEqual([
        "Shop and 1 other monitor are down",
      ]);
    };
    const recover = async (...ids: number[]) => {
      await telling.checkAll(ids, STEP, "ok", "ok");
      // What follows another message waits for more.
      telling.pass(6_000);
      await telling.deliver();
    };
    return { ...telling, addChannel, posted, shop, bank, titlesOf, fail, recover };
  };

  test("are sent a later one where the first is none of theirs, and its end", async () => {
    const { addChannel, titlesOf, fail, recover, shop, bank } = await start();
    const all = await addChannel();
    const critical = await addChannel({ severities: ["critical"] });
    const tagged = await addChannel({ tags: ["bank"] });
    const other = await addChannel({ tags: ["shop"] });
    await fail();
    expect(await titlesOf(all)).toEqual(["monitor.down sent", "monitor.down sent"]);
    expect(await titlesOf(critical)).toEqual(["monitor.down sent"]);
    expect(await titlesOf(tagged)).toEqual(["monitor.down sent"]);
    await recover(bank);
    expect(await titlesOf(all)).toEqual(["monitor.down sent", "monitor.down sent"]);
    await recover(shop);
    expect((await titlesOf(all)).slice(2)).toEqual(["monitor.up sent"]);
    for (const id of [critical, tagged, other])
      expect(await titlesOf(id)).toEqual(["monitor.down sent", "monitor.up sent"]);
  });

  test("name the first three and how many more there are, in each language, as the page of their link does", async () => {
    const { addMonitor, addChannel, checkAll, deliver, posted, server, received } = await start();
    for (const language of ["en", "de", "zh"]) await addChannel({ language });
    const on = (name: string) =>
      addMonitor({ name, url: `https://one.example/${name.length}${Math.random()}` });
    const ids = [await on("Shop"), await on("API"), await on("Mail")];
    for (let more = 1; more <= 17; more += 1) ids.push(await on(`More ${more}`));
    await checkAll(ids, "ok", "ok");
    await checkAll(ids.slice(0, 1), STEP, "failed", "failed");
    await checkAll(ids.slice(1), STEP, "failed", "failed");
    await deliver();
    const notified = posted();
    expect(notified.map(({ title }) => title).toSorted()).toEqual([
      "Shop, API, Mail and 17 others are down",
      "Shop, API, Mail und 17 weitere Monitore sind ausgefallen",
      "Shop、API、Mail 及另外 17 个监控项 发生故障",
    ]);
    const english = notified.find(({ title }) => String(title).endsWith("are down"));
    expect(english?.text).toMatch(/^• Shop \(high severity\), down since .*: The connection was refused\.$/m);
    expect(english?.text).toContain("• and 10 more");
    const message = JSON.stringify(received().find((one) => JSON.stringify(one).includes("are down")));
    const token = /acknowledge#([\w.~-]+)/.exec(message)?.[1] ?? "";
    const page = await openBrowser(server).send(
      "POST",
      "/api/auth/acknowledgement",
      { token },
      { origin: PUBLIC_URL },
    );
    expect(page.body.data.title).toBe("Shop, API, Mail and 17 others are down");
  });

  test("name no more than a title has room for, and one by itself where the first is none of theirs", async () => {
    const { addMonitor, addChannel, checkAll, deliver, posted } = await start();
    await addChannel();
    await addChannel({ tags: ["own"] });
    const long = "A name that takes most of what a title has room for";
    const ids = [];
    for (const [name, tag] of [
      [long, "a"],
      ["Second one", "own"],
      ["Third", "b"],
    ] as const)
      ids.push(await addMonitor({ name, tags: [tag], url: `https://one.example/${tag}` }));
    await checkAll(ids, "ok", "ok");
    await checkAll(ids.slice(0, 1), STEP, "failed", "failed");
    await checkAll(ids.slice(1), STEP, "failed", "failed");
    await deliver();
    expect(
      posted()
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual([`${long} and 2 others are down`, "Second one is down"]);
  });

  test("have the app speak as they do, and the API of each by itself", async () => {
    const { fail, recover, shop, bank, server } = await start();
    const list = async (query = "") => (await server.api("GET", `/api/notifications?${query}`)).body;
    const notified = async (query = "") => {
      const { unread, data } = await list(query);
      return [unread, ...data.map(({ message }: { message: string }) => message.replace(/ since.*/, ""))];
    };
    await fail();
    expect(await notified()).toEqual([2, "Bank has been down", "Shop has been down"]);
    const down = ["Bank has been down", "Shop and 1 other monitor have been down"];
    expect(await notified("grouped=true")).toEqual([2, ...down]);
    const [escalation, first] = (await list("grouped=true")).data;
    expect(escalation.message).toMatch(
      /refused\. It is one of 2 that are down together; Shop was the first\.$/,
    );
    expect(first.reason).toBe("The connection was refused.");
    await server.api("PUT", `/api/notifications/${first.id}/read`);
    await recover(shop);
    expect(await notified("grouped=true")).toEqual([1, ...down]);
    await recover(bank);
    expect(await notified("grouped=true")).toEqual([
      2,
      "Shop and 1 other monitor have been up again",
      ...down,
    ]);
    expect((await notified()).length).toBe(5);
    const paged = await server.api("GET", "/v2/notifications?grouped=true&page=2&per_page=1");
    expect(paged.body).toMatchObject({ unread: 2, pagination: { total: 3 }, data: [{ id: escalation.id }] });
    const events = await server.ctx.store.db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "notification")
      .orderBy("id")
      .execute();
    const shown = events.map(({ payload }) => JSON.parse(payload)).slice(-4);
    expect(shown.map(({ isQuiet, togetherFact }) => [isQuiet, togetherFact?.code])).toEqual([
      [false, undefined],
      [false, "notification.down_among"],
      [true, undefined],
      [false, "notification.recovered_together"],
    ]);
  });

  test("have the app say once what fails twice, and its end", async () => {
    const { addMonitor, checkAll, server, shop } = await start();
    const blog = await addMonitor({ name: "Blog", url: "https://one.example/blog" });
    const notified = async () => {
      const { body } = await server.api("GET", "/api/notifications?grouped=true");
      return body.data.map(({ message }: { message: string }) => message.replace(/ since.*/, ""));
    };
    await checkAll([shop, blog], "ok", "ok");
    await checkAll([shop], STEP, "failed", "failed");
    await checkAll([blog], STEP, "failed", "failed");
    await checkAll([shop], STEP, "ok", "ok", "failed", "failed");
    const down = "Shop and 1 other monitor have been down";
    expect(await notified()).toEqual([down]);
    // Not so soon that it flaps.
    await checkAll([shop, blog], ...Array.from({ length: 11 }, () => "failed" as const));
    await checkAll([blog], STEP, "ok", "ok");
    expect(await notified()).toEqual([down]);
    await checkAll([shop], STEP, "ok", "ok");
    expect(await notified()).toEqual(["Shop and 1 other monitor have been up again", down]);
  });

  test("have the app say of them together when their incident is merged into others, one after the other", async () => {
    const { addMonitor, checkAll, server, shop } = await start();
    const blog = await addMonitor({ name: "Blog", url: "https://one.example/blog" });
    await checkAll([shop, blog], "ok", "ok");
    await checkAll([shop], STEP, "failed", "failed");
    await checkAll([blog], STEP, "failed", "failed");
    let [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
    for (const title of ["The host is gone", "All of it"]) {
      const into = (await server.api("POST", "/api/incidents", { title })).body.data.id;
      expect((await server.api("POST", `/api/incidents/${id}/merge`, { into })).status).toBe(200);
      id = into;
    }
    const { data } = (await server.api("GET", "/api/notifications?grouped=true")).body;
    expect(data).toMatchObject([{ event: "monitor.down", monitorId: shop }]);
  });

  test("have the app speak of one by itself once it is separated", async () => {
    const { fail, bank, server } = await start();
    await fail();
    const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
    await server.api("POST", `/api/incidents/${id}/split`, { monitorId: bank });
    const { body } = await server.api("GET", "/api/notifications?grouped=true");
    expect(body.unread).toBe(2);
    const names = body.data.map(({ message }: { message: string }) => message.split(" has been")[0]);
    expect(names).toEqual(["Bank", "Shop"]);
  });

  test("lead to the incident that one has by itself, where it was separated before its message was sent", async () => {
    const { addChannel, checkAll, deliver, received, shop, bank, server } = await start();
    await addChannel({ type: "webhook" });
    await checkAll([shop, bank], "ok", "ok");
    await checkAll([shop], STEP, "failed", "failed");
    await deliver();
    await checkAll([bank], STEP, "failed", "failed");
    const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
    await server.api("POST", `/api/incidents/${id}/split`, { monitorId: bank });
    const incidents = (await server.api("GET", "/api/incidents")).body.data;
    const own = incidents.find(({ monitorId }: { monitorId: number }) => monitorId === bank).id;
    await deliver();
    expect(received().map(({ incidentId, url }) => [incidentId, url])).toEqual([
      [id, `${PUBLIC_URL}/incidents/${id}`],
      [own, `${PUBLIC_URL}/incidents/${own}`],
    ]);
  });

  test("are reminded of one that is still down after the first", async () => {
    const { addChannel, fail, recover, shop, bank, pass, deliver, posted } = await start();
    await addChannel({ reminder: "15m" });
    const remind = async () => {
      pass(HOUR_MS / 4);
      await deliver();
    };
    await fail();
    await recover(shop);
    pass(MINUTE_MS);
    await deliver();
    await remind();
    await recover(bank);
    await remind();
    expect(posted().map(({ title }) => title)).toEqual([
      "Shop is down",
      "Bank is down",
      "Shop is up again",
      "Bank is still down",
      "Bank is up again",
    ]);
    expect(posted()[2]?.text).toContain("Still down: Bank.");
  });

  test("are sent a critical one at once outside their hours, with what else is down", async () => {
    const { addChannel, titlesOf, fail, recover, shop, bank, pass, deliver, posted } = await start();
    const channel = await addChannel({ hours: { from: "18:00", to: "20:00" } });
    await fail();
    expect(await titlesOf(channel)).toEqual(["monitor.down sent"]);
    expect(posted()[0]?.title).toBe("Bank and Shop are down");
    await recover(shop);
    await recover(bank);
    pass(7 * HOUR_MS);
    await deliver();
    expect(await titlesOf(channel)).toEqual(["monitor.down sent", "monitor.up sent"]);
    expect(posted()[1]?.title).toBe("Bank and Shop are up again");
  });

  test("name a more severe one at once, what joins later together, and in the end all that is over", async () => {
    const { addChannel, addMonitor, checkAll, deliver, pass, posted, fail, recover, shop, bank } =
      await start();
    await addChannel();
    const more = [];
    for (const name of ["Loans", "Cards"])
      more.push(await addMonitor({ name, url: `https://one.example/${name}`, severity: "critical" }));
    await checkAll(more, "ok", "ok");
    await fail();
    await checkAll(more, STEP, "failed", "failed");
    pass(6_000);
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["Shop is down", "Bank is down"]);
    expect(posted()[1]?.text).toMatch(/^.*refused\. Down since [^.]*\.\nStill down: Shop\.$/m);
    pass(MINUTE_MS);
    await deliver();
    expect(posted()[2]?.title).toBe("Loans and Cards are down");
    expect(posted()[2]?.text).toContain("Still down: Bank and Shop.");
    await recover(bank, ...more, shop);
    expect(posted()[3]?.title).toBe("Bank, Loans, Cards and 1 other monitor are up again");
    expect(posted()).toHaveLength(4);
  });

  test("send programs each member's own beginning and end, at its time", async () => {
    const { addChannel, received, fail, recover, shop, bank } = await start();
    await addChannel({ type: "webhook" });
    await fail();
    await recover(shop);
    const notified = () => received().map(({ type, title }) => `${type} ${title}`);
    const begun = ["monitor.down Shop is down", "monitor.down Bank is down", "monitor.up Shop is up again"];
    expect(notified()).toEqual(begun);
    await recover(bank);
    expect(notified()).toEqual([...begun, "monitor.up Bank is up again"]);
  });
});
