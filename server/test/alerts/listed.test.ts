import { expect, test } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { probed } from "../app/pipeline/setup.ts";
import { aReason } from "../harness/reasons.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { HOUR_MS, MINUTE_MS, startAlerts } from "./setup.ts";

const DAYTIME = { hours: { from: "08:00", to: "20:00" }, timeZone: "UTC", reminder: "never" };

/** A chat or a pager, a switch, and what depends on it. */
async function startBehind(engine: EngineName, { isPager = false, settings = {} } = {}) {
  const all = await startAlerts(engine);
  const channelId = await (isPager ? all.addPager(settings) : all.addChannel(settings));
  const parent = await all.add("Switch");
  const parents = [await all.uuidOf(parent)];
  const child = await all.add("Blog", { parents });
  const later = async (minutes = 4) => {
    await all.send();
    await all.wait(MINUTE_MS, minutes - 1);
  };
  /** The switch works again, and what depends on it does not. */
  const release = async (...still: number[]) => {
    await all.up(parent);
    await all.look();
    await all.down(...still);
    await later();
  };
  return { ...all, channelId, parent, parents, child, later, release };
}

async function slowFor(
  { ctx, pass, now }: Awaited<ReturnType<typeof startAlerts>>,
  id: number,
  minutes: number,
) {
  for (let minute = 0; minute < minutes; minute += 1) {
    pass(MINUTE_MS);
    const slow = { verdict: "degraded", reason: aReason("slow", "It was slow.") } as const;
    await ingestBatch(ctx, [probed(id, now(), slow)]);
  }
}

eachEngine("what fails again after a server died while it sent the end", (engine) => {
  test.each([
    ["a chat", false, ["Alpha is down", "Alpha is up again", "Alpha is down", "Alpha is up again"]],
    ["a pager", true, ["trigger: Alpha is down", "resolve", "trigger: Alpha is down", "resolve"]],
  ])("is announced: to %s", async (_, isPager, expected) => {
    const all = await startAlerts(engine);
    await (isPager ? all.addPager({ reminder: "never" }) : all.addChannel({ reminder: "never" }));
    const a = await all.add("Alpha");
    await all.down(a);
    await all.deliver();
    await all.wait(MINUTE_MS, 2);
    await all.up(a);
    await all.sendAndDie();
    all.pass(20_000);
    await all.down(a);
    await all.deliver();
    await all.wait(MINUTE_MS, 10);
    const said = () => all.titles().map((title) => title.replace(/^(trigger: [^:]*|resolve): .*/, "$1"));
    expect(said()).toEqual(expected.slice(0, 3));
    await all.up(a);
    await all.wait(MINUTE_MS, 3);
    expect(said()).toEqual(expected);
  });

  test("is listed anew, and announced when nothing holds it back", async () => {
    const all = await startBehind(engine, { settings: { reminder: "never" } });
    const { down, up, later, release, titles, parent, child } = all;
    await down(parent);
    await later();
    await down(child);
    await later();
    await up(child);
    await all.sendAndDie();
    all.pass(20_000);
    await down(child);
    await later(10);
    const listed = [
      "Switch is down",
      "Blog is down (depends on Switch)",
      "Blog is up again",
      "Blog is down (depends on Switch)",
    ];
    expect(titles()).toEqual(listed);
    await release(child);
    expect(titles()).toEqual([...listed, "Switch is up again", "Blog is down"]);
  });
});

eachEngine("what was listed as down behind another", (engine) => {
  test("is announced by itself though a later message named it as still down", async () => {
    const all = await startBehind(engine, { settings: { reminder: "never" } });
    const { add, down, up, look, later, titles, parent, parents, child } = all;
    const other = await add("Wiki", { parents });
    for (const id of [parent, child, other]) {
      await down(id);
      await later();
    }
    await up(parent);
    await look();
    await up(other);
    await down(child);
    await later();
    expect(titles().slice(3)).toEqual(["Switch and Wiki are up again", "Blog is down"]);
  });

  test("and had something listed behind it, is announced when it goes on alone", async () => {
    const { add, addChannel, down, up, look, send, wait, titles, uuidOf } = await startAlerts(engine);
    await addChannel({ reminder: "never" });
    const router = await add("Router");
    const middle = await add("Switch", { parents: [await uuidOf(router)] });
    const leaf = await add("Blog", { parents: [await uuidOf(middle)] });
    for (const id of [router, middle, leaf]) {
      await down(id);
      await send();
    }
    await up(router);
    await look();
    await down(middle);
    await send();
    await wait(MINUTE_MS, 4);
    expect(titles().slice(3)).toEqual(["Router is up again", "Switch is down"]);
  });

  test("leaves no pager's alert open when the incident was deleted", async () => {
    const { down, up, later, release, server, titles, parent, child } = await startBehind(engine, {
      isPager: true,
    });
    await down(parent);
    await later();
    expect((await server.api("DELETE", "/api/incidents/1")).status).toBe(200);
    await later();
    await down(child);
    await later();
    await release(child);
    await up(child);
    await later();
    expect(titles().at(-1)).toMatch(/^resolve/);
  });

  test("is listed, too, where it was known to be slow", async () => {
    const all = await startBehind(engine, { settings: { reminder: "never" } });
    const { down, up, later, titles, parent, child } = all;
    await slowFor(all, child, 20);
    await later();
    await down(parent);
    await later();
    await down(child);
    await later();
    const before = ["Blog is degraded", "Switch is down", "Blog is down (depends on Switch)"];
    expect(titles()).toEqual(before);
    await up(child);
    await later();
    expect(titles()).toEqual([...before, "Blog is up again"]);
  });

  test("is not sent again when its channel was off during the same outage", async () => {
    const { down, later, release, set, titles, parent, child, channelId } = await startBehind(engine);
    await down(parent);
    await later();
    await down(child);
    await later();
    await release(child);
    const before = [
      "Switch is down",
      "Blog is down (depends on Switch)",
      "Switch is up again",
      "Blog is down",
    ];
    expect(titles()).toEqual(before);
    await set(channelId, { enabled: false });
    await later();
    await set(channelId, { enabled: true });
    await later();
    expect(titles()).toEqual(before);
  });

  test("is not listed at night with the end of something else", async () => {
    const { add, addChannel, down, up, pass, now, deliver, wait, titles, texts, uuidOf } =
      await startAlerts(engine);
    await addChannel(DAYTIME);
    const shared = (path: string) => ({ url: `https://shared.example/${path}`, severity: "low" });
    const other = await add("Alpha", shared("a"));
    const parent = await add("Switch", shared("s"));
    const child = await add("Blog", { severity: "low", parents: [await uuidOf(parent)] });
    pass(Date.UTC(2026, 10, 22, 19, 59) - now());
    await down(other);
    await deliver();
    pass(40_000);
    await down(parent);
    await wait(MINUTE_MS, 1);
    await down(child);
    await wait(MINUTE_MS, 2);
    await up(other);
    await wait(MINUTE_MS, 3);
    expect(titles()).toEqual(["Alpha is down", "Alpha is up again"]);
    expect(texts()[1]).not.toContain("Blog");
    await wait(HOUR_MS, 13);
    expect(titles().slice(2)).toEqual(["Switch is down"]);
    expect(texts()[2]).toContain("Also down, as they depend on it: Blog.");
  });
});

eachEngine("what was slow before it went down", (engine) => {
  test("was down for as long as it was down", async () => {
    const all = await startAlerts(engine);
    await all.addChannel({ reminder: "never" });
    const a = await all.add("Alpha");
    await slowFor(all, a, 20);
    await all.send();
    await all.wait(MINUTE_MS, 30);
    await all.down(a);
    await all.send();
    await all.wait(MINUTE_MS, 4);
    await all.up(a);
    await all.send();
    expect(all.titles()).toEqual(["Alpha is degraded", "Alpha is down", "Alpha is up again"]);
    expect(all.texts()[2]).toContain("after 5 minutes");
  });
});
