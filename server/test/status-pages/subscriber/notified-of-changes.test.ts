import { expect, test } from "vitest";
import { PAGE_EVENT } from "../../../src/platform/database/events.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain } from "../../monitors/domains/factories.ts";
import { linkDomain, PAGES } from "../factories.ts";
import { startSubscribing, subscribed } from "./subscribing.ts";

eachEngine("subscribers of a page whose components change", (engine) => {
  test("are notified at once of what the page shows since", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, mail, notify, report } = all;
    const subjects = () => mail.mails.map(({ headers }) => headers["subject"]);
    await subscribed(all, "ada@example.com");
    const search = await makeDomain(server, { name: "search", url: "https://search.test" });
    await report("Search is slow", search);
    await notify();
    expect(subjects()).toEqual([]);
    await linkDomain(server, page, search, { displayName: "Search" });
    await notify();
    expect(subjects()).toEqual(["Example: Search is slow"]);
    const elsewhere = await makeDomain(server, { name: "mail", url: "https://mail.test" });
    await report("Mail is late", elsewhere);
    await notify();
    const { components } = (await server.api("GET", `${PAGES}/${page.id}`)).body.data;
    const contents = {
      groups: [],
      components: [
        ...components.map(({ uuid }: { uuid: string }) => ({ uuid })),
        { monitorUuid: (elsewhere as { uuid?: string }).uuid, displayName: "Mail" },
      ],
    };
    expect((await server.api("PUT", `${PAGES}/${page.id}`, { contents })).status).toBe(200);
    await notify();
    expect(subjects().slice(1)).toEqual(["Example: Mail is late"]);
  });

  test("are notified of a change in whose round the store failed", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, mail, look, notify, report } = all;
    const { db } = server.ctx.store;
    await subscribed(all, "ada@example.com");
    const search = await makeDomain(server, { name: "search", url: "https://search.test" });
    await report("Search is slow", search);
    await notify();
    await linkDomain(server, page, search, { displayName: "Search" });
    const unreadable = { organization_id: 1, type: PAGE_EVENT, payload: "{", at: all.now() };
    await db.insertInto("events").values(unreadable).execute();
    await expect(look()).rejects.toThrow(SyntaxError);
    await db.deleteFrom("events").where("payload", "=", "{").execute();
    await notify();
    expect(mail.mails.map(({ headers }) => headers["subject"])).toEqual(["Example: Search is slow"]);
  });
});
