import { expect, test } from "vitest";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { MINUTE_MS, startAlerts } from "./setup.ts";

/* What the overview warns of, and what an incident's page says of a channel, is about each of its outages. */

interface ChannelState {
  name: string | null;
  state: string;
  why: string | null;
  wants: object | null;
  sentAt: string | null;
  nextAt: string | null;
}

async function start(engine: EngineName) {
  const alerts = await startAlerts(engine);
  const { server, now, incidents } = alerts;
  /** The organization's only channel, as the page of an incident has it: of the newest where none is named. */
  const shown = async (incidentId?: number): Promise<ChannelState> => {
    const id = incidentId ?? (await incidents())[0]?.id;
    const { channels } = (await server.api("GET", `/api/incidents/${id}/deliveries`)).body;
    return channels.find(({ name }: ChannelState) => name !== null);
  };
  return {
    ...alerts,
    shown,
    unnotified: async (): Promise<number[]> => {
      const { body } = await server.api("GET", "/api/dashboard/stats");
      return body.data.incidents.unnotified.map(({ id }: { id: number }) => id);
    },
    newest: async () => (await incidents())[0]?.id ?? 0,
    of: async (monitorId: number) =>
      (await server.api("GET", `/api/incidents?monitor=${monitorId}`)).body.data[0].id as number,
    iso: () => new Date(now()).toISOString(),
  };
}

const shared = (name: string) => ({ url: `https://shared.example/${name}` });

eachEngine("a channel", (engine) => {
  test("that was switched off was not notified of the next outage of the same monitor", async () => {
    const { add, addChannel, set, down, up, send, wait, unnotified, newest, shown } = await start(engine);
    const webhook = await addChannel({ type: "webhook" });
    const a = await add("Alpha");
    await down(a);
    await send();
    await wait(MINUTE_MS, 3);
    const first = await newest();
    expect(await unnotified()).toEqual([]);
    await set(webhook, { enabled: false });
    expect(await shown()).toMatchObject({ state: "none", why: "off", sentAt: expect.any(String) });
    expect(await unnotified()).toEqual([]);
    await up(a);
    await wait(MINUTE_MS, 10);
    await down(a);
    await wait(MINUTE_MS, 3);
    expect(await newest()).not.toBe(first);
    expect(await unnotified()).toEqual([await newest()]);
    expect(await shown()).toMatchObject({ state: "none", why: "off", sentAt: null });
    await up(a);
    await wait(MINUTE_MS, 3);
    expect(await shown()).toMatchObject({ state: "none", why: "off", sentAt: null });
  });

  test("that knows of one monitor of an incident does not hide another that its filter leaves out", async () => {
    const { add, addChannel, down, up, send, wait, unnotified, incidents, newest, shown, server } =
      await start(engine);
    await addChannel({ tags: ["o"] });
    const a = await add("Alpha", { ...shared("a"), tags: ["o"] });
    const b = await add("Beta", { ...shared("b"), tags: ["p"], severity: "critical" });
    await down(a);
    await send(5_000);
    await down(b);
    await wait(MINUTE_MS, 1);
    expect(await incidents()).toHaveLength(1);
    expect(await unnotified()).toEqual([]);
    await wait(MINUTE_MS, 2);
    expect(await unnotified()).toEqual([await newest()]);
    const filtered = { why: "tags", wants: { tags: ["o"] } };
    expect(await shown()).toMatchObject({ state: "notified", ...filtered, sentAt: expect.any(String) });
    await up(a);
    await wait(MINUTE_MS, 2);
    expect(await shown()).toMatchObject({ state: "none", ...filtered });
    await server.api("POST", `/api/incidents/${await newest()}/acknowledge`);
    expect(await unnotified()).toEqual([]);
    await up(b);
    await wait(MINUTE_MS, 2);
    expect(await shown()).toMatchObject({ state: "resolved", sentAt: expect.any(String) });
  });

  test("that leaves out what joins after an acknowledgement has the overview warn of that", async () => {
    const { add, addChannel, down, send, wait, unnotified, newest, server } = await start(engine);
    await addChannel({ tags: ["o"] });
    const a = await add("Alpha", { ...shared("a"), tags: ["o"] });
    const b = await add("Beta", shared("b"));
    await down(a);
    await send(5_000);
    await server.api("POST", `/api/incidents/${await newest()}/acknowledge`);
    await down(b);
    await wait(MINUTE_MS, 3);
    expect(await unnotified()).toEqual([await newest()]);
  });

  test("that was notified of what went down again soon after is not warned about", async () => {
    const { add, addChannel, down, up, send, wait, unnotified, incidents } = await start(engine);
    await addChannel();
    const [a, b] = [await add("Alpha", shared("a")), await add("Beta", shared("b"))];
    await down(a, b);
    await send(5_000);
    await up(b);
    await down(b);
    await wait(MINUTE_MS, 4);
    expect(await incidents()).toHaveLength(1);
    expect(await unnotified()).toEqual([]);
  });

  test("that wants no ends was sent none, and its page says so", async () => {
    const { add, addChannel, down, up, send, wait, shown, iso } = await start(engine);
    await addChannel({ events: ["monitor.down"] });
    const a = await add("Alpha");
    await down(a);
    const sentAt = iso();
    await send();
    expect(await shown()).toMatchObject({ state: "notified", why: null, sentAt });
    await up(a);
    await wait(MINUTE_MS, 3);
    expect(await shown()).toMatchObject({
      ...{ state: "notified", why: "event", wants: { events: ["monitor.down"] }, sentAt },
    });
  });

  test("that knows of what was behind another monitor is not notified that it is over with that", async () => {
    const { add, addChannel, down, up, look, send, wait, shown, of, uuidOf } = await start(engine);
    await addChannel({ tags: ["shop"] });
    const parent = await add("Switch");
    const child = await add("Payments", { tags: ["shop"], parents: [await uuidOf(parent)] });
    await down(parent);
    await send();
    await down(child);
    await send();
    const first = await of(parent);
    expect(await shown(first)).toMatchObject({ state: "notified" });
    await up(parent);
    await look();
    await down(child);
    await wait(MINUTE_MS, 4);
    const second = await of(child);
    expect(second).not.toBe(first);
    expect(await shown(second)).toMatchObject({ state: "notified", why: null });
    expect((await shown(first)).state).not.toBe("resolved");
    await up(child);
    await wait(MINUTE_MS, 4);
    expect(await shown(second)).toMatchObject({ state: "resolved" });
    expect((await shown(first)).state).not.toBe("resolved");
  });

  test.each([
    ["a chat", {}],
    ["a program", { type: "webhook" }],
  ])("whose first attempt has no answer yet is being sent to: %s", async (_, channel) => {
    const { add, addChannel, down, deliver, sendWhile, shown } = await start(engine);
    const channels: ChannelState[] = [];
    await addChannel(channel);
    await down(await add("Alpha"));
    await sendWhile(async () => {
      channels.push(await shown());
    });
    expect(channels).toMatchObject([{ state: "waiting", why: "sending", sentAt: null, nextAt: null }]);
    await deliver();
    expect(await shown()).toMatchObject({ state: "notified" });
  });
});

eachEngine("a pager that keeps what it was opened for", (engine) => {
  test("was notified of the end in the incident that a monitor was separated into", async () => {
    const { add, addPager, down, up, send, wait, shown, of, server } = await start(engine);
    await addPager();
    const [a, b] = [await add("Alpha"), await add("Beta")];
    await down(a);
    await send();
    await down(b);
    await send();
    const [one, other] = [await of(a), await of(b)];
    expect(one).not.toBe(other);
    await server.api("POST", `/api/incidents/${other}/merge`, { into: one });
    await send();
    await server.api("POST", `/api/incidents/${one}/acknowledge`);
    await send();
    await server.api("POST", `/api/incidents/${one}/split`, { monitorId: b });
    await send();
    const own = await of(b);
    expect([one, other]).not.toContain(own);
    expect(await shown(own)).toMatchObject({ state: "notified" });
    await up(b);
    await wait(MINUTE_MS, 2);
    expect(await shown(own)).toMatchObject({ state: "resolved", why: null, sentAt: expect.any(String) });
    expect(await shown(one)).toMatchObject({ state: "notified" });
    await up(a);
    await wait(MINUTE_MS, 2);
    expect(await shown(one)).toMatchObject({ state: "resolved", why: null });
    expect(await shown(own)).toMatchObject({ state: "resolved", why: null });
  });

  test("was notified of the end of what was behind another monitor first", async () => {
    const { add, addPager, down, up, look, wait, shown, of, uuidOf } = await start(engine);
    await addPager();
    const parent = await add("Switch");
    const parents = [await uuidOf(parent)];
    const children = [await add("Blog", { parents }), await add("Wiki", { parents })] as const;
    await down(parent);
    await wait(MINUTE_MS, 2);
    await down(...children);
    await wait(MINUTE_MS, 2);
    await up(parent);
    await look();
    await down(...children);
    await wait(MINUTE_MS, 4);
    const [blog, wiki] = [await of(children[0]), await of(children[1])];
    expect(blog).not.toBe(await of(parent));
    expect(await shown(blog)).toMatchObject({ state: "notified" });
    await up(children[0]);
    await wait(MINUTE_MS, 4);
    await up(children[1]);
    await wait(MINUTE_MS, 4);
    for (const id of [blog, wiki]) expect(await shown(id)).toMatchObject({ state: "resolved", why: null });
  });
});
