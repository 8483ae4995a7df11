import { expect, test } from "vitest";
import { respond } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { CHANNELS, startTelling } from "../channel-setup.ts";

const TOKEN = "1234:open-sesame";

eachEngine("a Telegram group that became a supergroup", (engine) => {
  async function start(chat = "-100") {
    const telling = await startTelling(engine);
    const { addChannel, target, server } = telling;
    const id = await addChannel({ type: "telegram", config: { token: TOKEN, chat, server: target.url } });
    const stored = async () => (await server.api("GET", `${CHANNELS}/${id}`)).body.data;
    return { ...telling, id, stored };
  }

  const moved = (to: unknown) =>
    respond({
      status: 400,
      body: JSON.stringify({
        ok: false,
        error_code: 400,
        description: "Bad Request: group chat was upgraded to a supergroup chat",
        parameters: { migrate_to_chat_id: to },
      }),
    });
  const taken = respond({ body: JSON.stringify({ ok: true, result: { message_id: 7 } }) });

  test("gets the message at its new id at once, and all that follow", async () => {
    const { check, deliver, received, target, stored, deliveries, id, server } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    target.set((socket, request) =>
      (request.body.includes('"-100"') ? moved(-1001234567890) : taken)(socket, request),
    );
    await deliver();
    expect(received().map(({ chat_id: chat }) => chat)).toEqual(["-100", "-1001234567890"]);
    expect(await stored()).toMatchObject({
      target: "-1001234567890",
      config: { chat: "-1001234567890" },
      enabled: true,
    });
    expect(await deliveries(id)).toMatchObject([{ event: "monitor.down", state: "sent" }]);
    const log = `/api/organizations/${server.person.organization.id}/audit-log?limit=1`;
    expect((await server.api("GET", log)).body.data).toMatchObject([
      { action: "update channels", userId: null, before: "-100", after: "-1001234567890" },
    ]);
    await check("ok", "ok", "ok");
    await deliver();
    expect(received().slice(2)).toMatchObject([
      { chat_id: "-1001234567890", reply_parameters: { message_id: 7 } },
    ]);
  });

  test("is stored where it is now even if that is busy", async () => {
    const { check, deliver, target, stored, deliveries, id } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    target.set((socket, request) =>
      (request.body.includes('"-100"') ? moved("-200") : respond({ status: 503 }))(socket, request),
    );
    await deliver();
    expect(await stored()).toMatchObject({ target: "-200", enabled: true });
    expect(await deliveries(id)).toMatchObject([{ state: "waiting" }]);
  });

  test("is off where its new id is none", async () => {
    const { check, deliver, target, received, stored } = await start();
    await check("ok", "ok", "failed", "failed", "failed");
    target.set(moved("@elsewhere"));
    await deliver();
    expect(received()).toHaveLength(1);
    expect(await stored()).toMatchObject({ target: "-100", enabled: false });
  });
});
