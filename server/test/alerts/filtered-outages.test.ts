import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

eachEngine("channels that do not want all of what went down together", (engine) => {
  /** Only what has the tag. */
  const start = async (own: readonly (0 | 1 | 2)[]) => {
    const group = await startGroup(engine);
    const { server, ids } = group;
    const [channel] = (await server.api("GET", "/api/notifications/channels")).body.data;
    await server.api("PUT", `/api/notifications/channels/${channel.id}`, { tags: ["own"] });
    for (const which of own) await server.api("PUT", `/api/domains/${ids[which]}`, { tags: ["own"] });
    const ends = () =>
      group.titles().filter((title) => title?.includes("Cards") && title.includes("up again"));
    return { ...group, ends };
  };

  test("are sent the end of what is left where the next one that speaks is not theirs", async () => {
    const { ids, check, send, act, ends } = await start([0, 2]);
    await check(ids, "failed");
    await send();
    await act("split", { monitorId: ids[0] });
    await send();
    await check(ids, "ok");
    await send();
    await send();
    expect(ends()).not.toEqual([]);
  });

  test("are sent the end of all of theirs after a merge into an incident that is not theirs", async () => {
    const { ids, check, send, act, addMonitor, incidents, ends } = await start([0, 1, 2]);
    const vault = await addMonitor({ name: "Vault", url: "https://two.example/vault" });
    await check([vault], "ok");
    await check([vault], "failed");
    await check(ids, "failed");
    await send();
    const [other, shop] = await incidents();
    await act("merge", { into: other.id }, shop.id);
    await send();
    for (const id of [...ids, vault]) {
      await check([id], "ok");
      await send();
    }
    await send();
    expect(ends()).not.toEqual([]);
  });
});
