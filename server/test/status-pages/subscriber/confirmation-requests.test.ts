import { expect, test } from "vitest";
import { recipientHash } from "../../../src/status-pages/subscriber/address.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makePage, PAGES } from "../factories.ts";
import { HOUR, MINUTE, type Subscribing, startSubscribing } from "./subscribing.ts";

/** As if so many confirmation requests had been sent just now. */
async function recordRequests({ server, page, now }: Subscribing, count: number, isListed: boolean) {
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ organization_id: server.person.organization.id, page_id: page.id, at: now() },
    ...{ address_hash: `hash ${n}`, is_listed: isListed ? (1 as const) : (0 as const) },
  }));
  await server.ctx.store.db.insertInto("status_page_confirmation_requests").values(rows).execute();
}

const requestedAddresses = ({ server }: Subscribing) =>
  server.ctx.store.db
    .selectFrom("status_page_subscribers")
    .select("address")
    .where("confirmation_requested_at", "is not", null)
    .orderBy("id")
    .execute()
    .then((rows) => rows.map(({ address }) => address));

const subscribe = (all: Subscribing, address: string) => all.subscribe({ kind: "email", address });

const list = ({ server, page }: Subscribing, ...addresses: string[]) =>
  server.api("POST", `${PAGES}/${page.id}/subscribers/import`, { addresses });

eachEngine("who gets a confirmation request", (engine) => {
  test("visitors are while a list has used up its limit, and lists while visitors have", async () => {
    const all = await startSubscribing({ engine });
    await recordRequests(all, 300, true);
    await list(all, "ada@example.com");
    await all.look();
    expect((await subscribe(all, "grace@example.com")).status).toBe(200);
    expect(await requestedAddresses(all)).toEqual(["grace@example.com"]);
    all.pass(2 * HOUR);
    await recordRequests(all, 500, false);
    expect((await subscribe(all, "alan@example.com")).status).toBe(429);
    await all.look();
    expect(await requestedAddresses(all)).toEqual(["ada@example.com", "grace@example.com"]);
    // What a clock noted that was ahead does not lock anybody out for long.
    all.pass(48 * HOUR);
    await recordRequests(all, 500, false);
    all.pass(-24 * HOUR);
    expect((await subscribe(all, "alan@example.com")).status).toBe(200);
  });

  test("one mailbox is not twice, by a visitor and by a list", async () => {
    const all = await startSubscribing({ engine });
    await subscribe(all, "ada@example.com");
    await list(all, "ada+list@example.com");
    await all.look();
    await all.deliver();
    expect(all.mail.mails).toHaveLength(1);
  });

  test("others are when the request to one fails, and that one again later", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, look, pass } = all;
    const path = `${PAGES}/${page.id}/subscribers`;
    const { db } = server.ctx.store;
    await list(all, "broken@example.com", "ada@example.com");
    const first = db.updateTable("status_page_subscribers").where("address", "=", "broken@example.com");
    await first.set({ kind: "webhook", secrets: "not sealed" }).execute();
    await look();
    expect(await requestedAddresses(all)).toEqual(["ada@example.com"]);
    await first.set({ kind: "email", secrets: null }).execute();
    await server.api("POST", path, { kind: "email", address: "grace@example.com" });
    pass(MINUTE);
    await look();
    expect(await requestedAddresses(all)).toEqual([
      "broken@example.com",
      "ada@example.com",
      "grace@example.com",
    ]);
  });

  test("the list of a page for members only is not, until the page is for everybody", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, look, deliver, mail, pass } = all;
    await server.api("PUT", `${PAGES}/${page.id}`, { isPublic: false });
    await list(all, "ada@example.com");
    await look();
    await deliver();
    expect(await requestedAddresses(all)).toEqual([]);
    await server.api("PUT", `${PAGES}/${page.id}`, { isPublic: true });
    pass(MINUTE);
    await look();
    await deliver();
    expect(mail.mails.map(({ to }) => to)).toEqual([["ada@example.com"]]);
  });

  test("a webhook is once a day, whatever follows its path", async () => {
    const { server, page } = await startSubscribing({ engine });
    for (const more of ["", "?a=1", "?a=2", "#x"]) {
      const body = { kind: "webhook", address: `https://hooks.example.com/hook${more}` };
      const path = `${PAGES}/${page.slug}/subscriptions`;
      expect((await server.api("POST", path, body, { key: null })).status).toBe(200);
    }
    const requested = await server.ctx.store.db.selectFrom("outbox").select("event").execute();
    expect(requested).toEqual([{ event: "subscription.question" }]);
    const { secrets } = server.ctx;
    const hashOf = (url: string) =>
      recipientHash(secrets, {
        ...{ kind: "webhook", address: "a.test" },
        secrets: secrets.seal(JSON.stringify({ url, secret: "" })),
      });
    expect(hashOf("https://a@a.test/x?y")).toBe(hashOf("https://a.test/x"));
    expect(hashOf("https://a.test/x")).not.toBe(hashOf("https://a.test/y"));
  });

  test("429: who sends the form too often reads so on a page, the same of every page", async () => {
    const all = await startSubscribing({ engine, config: { rateLimits: true } });
    const hidden = await makePage(all.server, { isPublic: false });
    const answers: Response[] = [];
    for (let n = 0; n < 6; n++) answers.push(await subscribe(all, "nonsense"));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429]);
    const last = answers.at(-1) as Response;
    expect(last.headers.get("content-type")).toContain("text/html");
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    const text = await last.text();
    expect(text).toContain("Too many attempts");
    for (const slug of [hidden.slug, "no-such-page"]) {
      const answer = await fetch(`${all.server.url}/status/${slug}/subscribe`, {
        ...{ method: "POST", headers: { accept: "text/html" } },
        body: new URLSearchParams({ kind: "email", address: "nonsense" }),
      });
      expect([answer.status, await answer.text()]).toEqual([429, text]);
    }
  });
});
