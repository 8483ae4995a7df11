import { expect, test } from "vitest";
import { openBrowser } from "../../accounts/browser.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { PUBLIC_URL } from "../mailing.ts";
import { HOUR_MS, MINUTE_MS, startAlerts } from "../setup.ts";

/* A message's link acknowledges what the message named, and nothing that joined the incident since. */

async function start(engine: EngineName, channel: object) {
  const alerts = await startAlerts(engine);
  const { server, add, addChannel, down, send, received } = alerts;
  await addChannel({ name: "On call", reminder: "1h", ...channel });
  const visitor = openBrowser(server);
  const shared = (name: string) => ({ url: `https://shared.example/${name}` });
  const a = await add("Alpha", { ...shared("a"), severity: "low" });
  const b = await add("Beta", { ...shared("b"), severity: "critical" });
  const tokens = () =>
    received().flatMap((one) => /\/acknowledge#([\w.-]+)/.exec(JSON.stringify(one))?.[1] ?? []);
  await down(a);
  await send(5_000);
  const [token = ""] = tokens();
  await down(b);
  await send();
  return {
    ...{ ...alerts, a, b, token, tokens },
    link: async (path: string, token: string) =>
      (await visitor.send("POST", `/api/auth/acknowledgement${path}`, { token }, { origin: PUBLIC_URL })).body
        .data,
    async affected() {
      const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
      const { affected } = (await server.api("GET", `/api/incidents/${id}`)).body.data;
      return Object.fromEntries(
        affected.map((one: { name: string; acknowledged: boolean }) => [one.name, one.acknowledged]),
      );
    },
    async timeline() {
      const [{ id }] = (await server.api("GET", "/api/incidents")).body.data;
      const { data } = await (await server.api("GET", `/api/incidents/${id}/updates`)).body;
      return data
        .filter(({ fact }: { fact: { code: string } | null }) => fact?.code.includes("acknowledged"))
        .map(({ message, authorName }: { message: string; authorName: string | null }) => ({
          ...{ message, authorName },
        }));
    },
  };
}

eachEngine("the link of a message", (engine) => {
  test.each([
    ["a chat", {}],
    ["a program", { type: "webhook" }],
  ])("acknowledges nothing that joined since, and lists what it does: of %s", async (_, channel) => {
    const { link, token, tokens, affected, titles, wait, incidents } = await start(engine, channel);
    expect(await incidents()).toHaveLength(1);
    const open = { name: "Alpha", state: "open", acknowledgedByName: null };
    const read = await link("", token);
    expect(read).toMatchObject({ state: "open", monitors: [open], moreMonitors: 0 });
    expect(await link("/confirm", token)).toMatchObject({
      state: "acknowledged",
      monitors: [{ name: "Alpha", state: "acknowledged", acknowledgedByName: "On call" }],
    });
    expect(await affected()).toEqual({ Alpha: true, Beta: false });
    const before = titles().length;
    await wait(HOUR_MS, 2);
    const reminders = titles().slice(before);
    expect(reminders.length).toBeGreaterThan(0);
    for (const title of reminders) expect(title).toBe("Beta is still down");
    const later = tokens().at(-1) ?? "";
    expect((await link("", later)).monitors).toContainEqual(
      expect.objectContaining({ name: "Beta", state: "open" }),
    );
    expect(await link("/confirm", later)).toMatchObject({ state: "acknowledged" });
    expect(await affected()).toEqual({ Alpha: true, Beta: true });
  });

  test("has nothing to acknowledge of what is up again, though its incident goes on", async () => {
    const { link, token, a, up, wait, affected } = await start(engine, {});
    await up(a);
    await wait(MINUTE_MS, 2);
    expect(await link("", token)).toMatchObject({ state: "resolved", monitors: [{ state: "resolved" }] });
    await link("/confirm", token);
    expect((await affected())["Beta"]).toBe(false);
  });

  test("leaves an entry in the log where something else was acknowledged before", async () => {
    const { link, token, tokens, timeline, pass } = await start(engine, {});
    await link("/confirm", token);
    expect(await timeline()).toEqual([]);
    pass(MINUTE_MS);
    await link("/confirm", tokens().at(-1) ?? "");
    const via = { message: "Also acknowledged through On call: Beta.", authorName: null };
    expect(await timeline()).toEqual([via]);
  });

  test("is not all: the app leaves an entry as well, with its author", async () => {
    const { server, incidents, timeline, token, link } = await start(engine, {});
    await link("/confirm", token);
    const [incident] = await incidents();
    const path = `/api/incidents/${incident?.id}/acknowledge`;
    expect((await server.api("POST", path)).status).toBe(200);
    expect(await timeline()).toEqual([
      { message: "Also acknowledged: Beta.", authorName: expect.any(String) },
    ]);
  });
});
