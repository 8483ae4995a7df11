import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

eachEngine("channels, once the monitor that spoke for others does so no more", (engine) => {
  /** Shop is down, was told, and others have joined it silently; Vault is elsewhere. */
  const start = async () => {
    const group = await startGroup(engine);
    const { addMonitor, check, ids, send, titles } = group;
    const vault = await addMonitor({ name: "Vault", url: "https://two.example/vault" });
    await check([vault], "ok");
    await check(ids.slice(0, 1), "failed");
    await send();
    await check(ids.slice(1), "failed");
    await send();
    expect(titles()).toEqual(["Shop is down"]);
    /** What they are told from now on. */
    const since = () => {
      const before = titles().length;
      return () => titles().slice(before).toSorted();
    };
    return { ...group, vault, since };
  };

  test("are told of what joined silently and is separated after its incident was merged", async () => {
    const { ids, vault, check, send, remind, act, incidents, since } = await start();
    await check([vault], "failed");
    await send();
    const [shop, other] = await incidents();
    await act("merge", { into: other.id }, shop.id);
    const told = since();
    await act("split", { monitorId: ids[1] }, other.id);
    await send();
    expect(told()).toEqual(["Bank is down"]);
    await remind();
    await send();
    expect(told()).toContain("Bank is still down");
    await check(ids.slice(1, 2), "ok");
    await send();
    expect(told()).toContain("Bank is up again");
  });
});
