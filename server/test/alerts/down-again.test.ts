import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

type Group = Awaited<ReturnType<typeof startGroup>>;

eachEngine("channels, while one of those that went down together fails once more by itself,", (engine) => {
  /** Shop and Bank are down, as they were notified together; `first` is up, and down again where nothing groups it with them. */
  const start = async (first: 0 | 1) => {
    const group = await startGroup(engine);
    const { ids, check, send, remind, incidents } = group;
    const own = ids.slice(first, first + 1);
    const other = ids.slice(1 - first, 2 - first);
    await check(ids.slice(0, 2), "failed");
    await send();
    await check(own, "ok");
    await send();
    await remind();
    await check(own, "ok");
    await check(other, "failed");
    await check(own, "failed");
    await send();
    expect(await incidents()).toHaveLength(2);
    return { ...group, own, other };
  };
  const ends = ({ titles }: Group, name: string) =>
    titles().filter((title) => title?.includes(name) && title.includes("up again"));

  test("are sent the end of the others", async () => {
    const group = await start(0);
    const { own, other, check, send, remind, titles } = group;
    await check(own, "ok");
    await send();
    const before = titles().length;
    await remind();
    await send();
    expect(titles().slice(before)).toEqual(["Bank is still down"]);
    await check(other, "ok");
    await send();
    await send();
    expect(ends(group, "Bank")).not.toEqual([]);
  });

  test.each([
    [0, "Shop"],
    [1, "Bank"],
  ] as const)("are not notified that it is up while it is down (%i)", async (first, name) => {
    const group = await start(first);
    const { own, other, check, send, titles } = group;
    const before = ends(group, name).length;
    await check(other, "ok");
    await send();
    await send();
    expect(ends(group, name)).toHaveLength(before);
    await check(own, "ok");
    await send();
    await send();
    expect(titles().at(-1)).toBe(`${name} is up again`);
  });

  test("are sent the end of what it went down with then", async () => {
    const group = await startGroup(engine);
    const { ids, check, send, remind } = group;
    const [shop, bank, cards] = ids;
    await check([shop, bank], "failed");
    await send();
    await check([shop], "ok");
    await send();
    await remind();
    await check([shop, cards], "ok");
    await check([bank], "failed");
    await check([shop, cards], "failed");
    await send();
    await check([bank], "ok");
    await send();
    await send();
    await check([shop, cards], "ok");
    await send();
    await send();
    expect(ends(group, "Cards")).not.toEqual([]);
  });

  test("are sent the end of the others where it flapped and is stable again", async () => {
    const group = await startGroup(engine);
    const { ids, check, send, titles } = group;
    await check(ids.slice(0, 2), "failed");
    await send();
    for (const outcome of ["ok", "failed", "ok", "failed", "ok"] as const) {
      await check(ids.slice(0, 1), outcome);
      await check(ids.slice(1, 2), "failed");
      await send();
    }
    for (let each = 0; each < 70; each += 1) await check(ids.slice(0, 1), "ok");
    await send();
    expect(titles()).toEqual(["Shop and Bank are down", "Shop is flapping", "Shop is stable again"]);
    await check(ids.slice(1, 2), "failed");
    await check(ids.slice(1, 2), "ok");
    await send();
    await send();
    expect(ends(group, "Bank")).not.toEqual([]);
  });
});
