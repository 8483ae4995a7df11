import { expect, test } from "vitest";
import { makeDomain } from "../domains/factories.ts";
import { eachEngine } from "../harness/stores.ts";
import { linkDomain, PAGES } from "./factories.ts";
import { startSubscribing, subscribed } from "./subscribing.ts";

eachEngine("subscribers of a page whose components change", (engine) => {
  test("are told at once of what the page shows since", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, mail, settle, report } = all;
    const subjects = () => mail.mails.map(({ headers }) => headers["subject"]);
    await subscribed(all, "ada@example.com");
    const search = await makeDomain(server, { name: "search", url: "https://search.test" });
    await report("Search is slow", search);
    await settle();
    expect(subjects()).toEqual([]);
    await linkDomain(server, page, search, { displayName: "Search" });
    await settle();
    expect(subjects()).toEqual(["Example: Search is slow"]);
    const elsewhere = await makeDomain(server, { name: "mail", url: "https://mail.test" });
    await report("Mail is late", elsewhere);
    await settle();
    const { components } = (await server.api("GET", `${PAGES}/${page.id}`)).body.data;
    const contents = {
      groups: [],
      components: [
        ...components.map(({ uuid }: { uuid: string }) => ({ uuid })),
        { monitorUuid: (elsewhere as { uuid?: string }).uuid, displayName: "Mail" },
      ],
    };
    expect((await server.api("PUT", `${PAGES}/${page.id}`, { contents })).status).toBe(200);
    await settle();
    expect(subjects().slice(1)).toEqual(["Example: Mail is late"]);
  });
});
