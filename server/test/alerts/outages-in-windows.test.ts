import { expect, test } from "vitest";
import { createActiveWindows } from "../../src/monitors/maintenance/active-windows.ts";
import { followWindows } from "../../src/monitors/maintenance/apply-window.ts";
import { eachEngine } from "../harness/stores.ts";
import { startGroup } from "./group-setup.ts";

eachEngine("channels, of what is in a maintenance window when it is separated", (engine) => {
  const start = async () => {
    const group = await startGroup(engine);
    const { ctx } = group.server;
    ctx.windows = createActiveWindows(ctx);
    const windows = followWindows(ctx, ctx.windows, () => {});
    const open = async (id: number) => {
      const planned = await group.server.api("POST", "/api/maintenance", {
        title: "Work",
        monitorIds: [id],
        duration: 300,
      });
      expect(planned.status).toBe(201);
      windows.changed();
      await windows.look();
    };
    const over = async () => {
      await group.remind();
      await group.send();
      windows.changed();
      await windows.look();
    };
    return { ...group, open, over };
  };
  test.each(["split", "pause"])("are notified at once of the others (%s)", async (how) => {
    const { ids, check, send, act, server, titles, open, over } = await start();
    await check(ids.slice(0, 1), "failed");
    await send();
    await check(ids.slice(1), "failed");
    await send();
    await open(ids[1]);
    const before = titles().length;
    if (how === "split") await act("split", { monitorId: ids[0] });
    else await server.api("PUT", `/api/domains/${ids[0]}`, { enabled: false });
    await send();
    const atOnce = titles().slice(before);
    await over();
    await check(ids.slice(1), "failed");
    await send();
    await check(ids.slice(1), "ok");
    await send();
    await send();
    expect(atOnce.filter((title) => title?.includes("Cards"))).not.toEqual([]);
  });
  test.each(["split", "delete", "nothing"])(
    "are sent the end of what they had been notified of before its window (%s)",
    async (how) => {
      const { ids, check, send, act, server, titles, open, over, incidents } = await start();
      await check(ids.slice(0, 2), "failed");
      await send();
      await open(ids[1]);
      const [one] = await incidents();
      if (how === "split") await act("split", { monitorId: ids[1] });
      if (how === "delete") expect((await server.api("DELETE", `/api/incidents/${one.id}`)).status).toBe(200);
      await send();
      await over();
      await check(ids.slice(0, 2), "failed");
      await send();
      await check(ids.slice(0, 2), "ok");
      await send();
      await send();
      expect(titles().filter((title) => title?.includes("Bank") && title.includes("up again"))).not.toEqual(
        [],
      );
    },
  );
});
