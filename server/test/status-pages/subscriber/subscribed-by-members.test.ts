import { expect, onTestFinished, test } from "vitest";
import { openDestination, sealDestination } from "../../../src/status-pages/subscriber/channels/channel.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { PAGES } from "../factories.ts";
import { startSubscribing } from "./subscribing.ts";

eachEngine("programs that members subscribe to their page", (engine) => {
  test("a webhook inside the network that a member added to an older version is notified", async () => {
    const { server, page, notify, report } = await startSubscribing({ engine });
    const hook = await startHttpTarget();
    onTestFinished(hook.close);
    const path = `${PAGES}/${page.id}/subscribers`;
    await server.api("POST", path, { kind: "webhook", address: hook.url });
    const { db } = server.ctx.store;
    const row = await db.selectFrom("status_page_subscribers").select("secrets").executeTakeFirstOrThrow();
    const { url, secret } = openDestination(server.ctx.secrets, row.secrets ?? "");
    const before = sealDestination(server.ctx.secrets, { url, secret });
    await db.updateTable("status_page_subscribers").set({ secrets: before }).execute();
    await notify();
    await report("Payments fail");
    await notify();
    expect(hook.requests).toHaveLength(1);
  });
});
