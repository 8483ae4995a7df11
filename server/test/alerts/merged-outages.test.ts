import { expect, test } from "vitest";
import { respond } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import type { Target } from "../harness/targets.ts";
import { startGroup } from "./group-setup.ts";
import { openAlerts } from "./open-alerts.ts";

const mattermosts = ({ requests }: Target): string[] =>
  requests.flatMap(({ path, body }) => (path === "/" ? JSON.parse(body).attachments[0].title : []));

eachEngine("channels, of incidents that people merge and delete", (engine) => {
  test("are reminded of a group in what people opened, when its first is up", async () => {
    const { ids, check, send, sendUpdate, remind, act, server, titles } = await startGroup(engine);
    await check(ids.slice(0, 2), "failed");
    await send();
    const { body } = await server.api("POST", "/api/incidents", {
      title: "Checkout is slow",
      severity: "high",
    });
    await send();
    await server.api("GET", "/api/incidents");
    await act("merge", { into: body.data.id });
    await send();
    await check(ids.slice(0, 1), "ok");
    await sendUpdate();
    expect(titles().at(-1)).toBe("Shop is up again");
    await remind();
    expect(titles().at(-1)).toBe("Bank is still down");
  });

  test("are sent the end of each of two that were merged, and the last one closes the alert", async () => {
    const group = await startGroup(engine);
    const { ids, addMonitor, addChannel, check, send, sendUpdate, act, server, incidents, target } = group;
    const replies: string[] = [];
    const telegram = { token: "1:a", chat: "1", server: `${target.url}telegram` };
    await addChannel({ type: "telegram", config: telegram });
    target.set((socket, request) => {
      const isAnswered = request.path.startsWith("/telegram");
      if (isAnswered) replies.push(JSON.parse(request.body).text.split("\n")[0]);
      respond({ body: isAnswered ? '{"ok":true,"result":{"message_id":7}}' : "ok" })(socket, request);
    });
    const vault = await addMonitor({ name: "Vault", url: "https://two.example/vault" });
    await check([vault], "ok");
    await check(ids.slice(0, 1), "failed");
    await check([vault], "failed");
    await send();
    await send();
    const [shop, other] = await incidents();
    await act("merge", { into: other.id }, shop.id);
    await check(ids.slice(0, 1), "ok");
    await send();
    await sendUpdate();
    expect(mattermosts(target).slice(2)).toEqual(["Shop is up again"]);
    expect(await openAlerts(server)).toEqual([vault]);
    await check([vault], "ok");
    await send();
    expect(mattermosts(target).slice(2)).toEqual(["Shop is up again", "Vault is up again"]);
    expect(replies.slice(2)).toHaveLength(2);
    expect(await openAlerts(server)).toEqual([]);
  });

  test("are sent the end of what is separated after the merged incident's rest was deleted", async () => {
    const { ids, addMonitor, check, send, act, server, incidents, titles } = await startGroup(engine);
    const vault = await addMonitor({ name: "Vault", url: "https://two.example/vault" });
    await check([vault], "ok");
    await check(ids.slice(0, 2), "failed");
    await send();
    await check([vault], "failed");
    await send();
    const [shop, other] = await incidents();
    await act("merge", { into: other.id }, shop.id);
    await server.api("DELETE", `/api/incidents/${shop.id}`);
    await act("split", { monitorId: ids[1] }, other.id);
    await send();
    await check([...ids.slice(0, 2), vault], "ok");
    await send();
    await send();
    expect(titles().filter((title) => title?.includes("Bank") && title.includes("up again"))).not.toEqual([]);
  });

  test("are sent no end twice", async () => {
    const { ids, check, send, act, server, incidents, titles } = await startGroup(engine);
    await check(ids.slice(0, 2), "failed");
    await send();
    await act("split", { monitorId: ids[1] });
    await send();
    await check(ids.slice(1, 2), "ok");
    await send();
    const [shop, bank] = await incidents();
    await act("merge", { into: shop.id }, bank.id);
    await server.api("DELETE", `/api/incidents/${shop.id}`);
    await send();
    expect(titles().filter((title) => title === "Bank is up again")).toHaveLength(1);
  });

  test("are reminded of what joined an acknowledged incident once the first is paused", async () => {
    const { ids, check, send, remind, act, server, titles } = await startGroup(engine);
    await check(ids.slice(0, 1), "failed");
    await send();
    await act("acknowledge");
    await check(ids.slice(1, 2), "failed");
    await send();
    await server.api("PUT", `/api/domains/${ids[0]}`, { enabled: false });
    await send();
    expect(titles()).toEqual(["Shop is down", "Bank is down"]);
    await remind();
    await send();
    expect(titles()).toContain("Bank is still down");
  });

  test("count as notified of what a message about all of it said", async () => {
    const { ids, check, send, act, server, incidents } = await startGroup(engine);
    await check(ids.slice(0, 2), "failed");
    await send();
    await act("split", { monitorId: ids[1] });
    await send();
    const [, bank] = await incidents();
    const { body } = await server.api("GET", `/api/incidents/${bank.id}/deliveries`);
    const shared = body.channels.filter(({ isOwn }: { isOwn: boolean }) => !isOwn);
    expect(shared).toMatchObject([{ state: "notified", why: null }]);
  });

  test("are sent the end of an outage of whose incident they were sent what people wrote", async () => {
    const { ids, check, send, server, incidents, titles } = await startGroup(engine);
    const [channel] = (await server.api("GET", "/api/notifications/channels")).body.data;
    const events = ["incident.opened", "incident.updated", "incident.resolved"];
    await server.api("PUT", `/api/notifications/channels/${channel.id}`, { events });
    await check(ids.slice(0, 1), "failed");
    const [{ id }] = await incidents();
    await server.api("POST", `/api/incidents/${id}/updates`, { message: "We look at it" });
    await send();
    await check(ids.slice(0, 1), "ok");
    await send();
    await send();
    expect(titles()).toHaveLength(2);
  });
});
