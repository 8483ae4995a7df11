import { expect, test, vi } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { linkDomain, makePage, PAGES } from "../factories.ts";
import { HOUR, linksIn, MINUTE, SECOND, startSubscribing, subscribed } from "./subscribing.ts";

const ADA = "ada@example.com";

eachEngine("subscribing to a status page", (engine) => {
  test("requests confirmation by one mail, notifies once it is given, and ends by one click", async () => {
    const all = await startSubscribing({ engine });
    const { subscribe, deliver, notify, visit, mail, pass, report, post, subscribers, server } = all;
    const form = await visit(`/status/${all.page.slug}/subscribe`);
    expect(await form.text()).toContain('<form class="form" method="post"');
    expect(await (await visit(`/status/${all.page.slug}`)).text()).toContain('/subscribe">Get updates');
    const answer = await subscribe(
      { kind: "email", address: " Ada@Example.com " },
      { "accept-language": "de" },
    );
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    await deliver();
    expect(mail.mails).toMatchObject([
      { to: [ADA], headers: { subject: "Bestätigen Sie Ihr Abonnement von Example" } },
    ]);
    // Nothing else, however often and by whatever way.
    const again = await subscribe({ kind: "email", address: "ADA@example.com" }, { "accept-language": "de" });
    expect(await again.text()).toBe(await answer.text());
    // The same mailbox by another spelling, which is not kept for a later request.
    const tagged = await subscribe(
      { kind: "email", address: "ada+1@example.com" },
      { "accept-language": "de" },
    );
    expect([tagged.status, await subscribers()]).toEqual([200, [expect.objectContaining({ address: ADA })]]);
    const json = await server.api(
      ...(["POST", `/v2/status-pages/${all.page.slug}/subscriptions`] as const),
      { kind: "email", address: ADA },
      { key: null },
    );
    expect([json.status, json.body.data]).toEqual([200, {}]);
    await report("Slow");
    await notify();
    expect(mail.mails).toHaveLength(1);
    const [link = ""] = linksIn(mail.mails[0] as never);
    // Scanners open links.
    expect((await visit(link)).status).toBe(200);
    expect((await visit(link, { method: "HEAD" })).status).toBe(200);
    expect(await subscribers()).toMatchObject([{ address: ADA, state: "waiting" }]);
    const confirmed = await visit(link, { method: "POST" });
    expect([confirmed.status, await confirmed.text()]).toEqual([200, expect.stringContaining("bestätigt")]);
    expect((await visit(link, { method: "POST" })).status).toBe(409);
    expect((await visit(link)).status).toBe(409);
    expect(await subscribers()).toMatchObject([{ state: "active", confirmedAt: expect.any(String) }]);
    await notify();
    const incident = await report("Payments fail");
    await notify();
    pass(MINUTE);
    await post(incident, "We are on it.");
    await notify();
    pass(MINUTE);
    await server.api("PUT", `/api/incidents/${incident.id}`, { status: "resolved" });
    await notify();
    const notifications = mail.mails.slice(1);
    expect(notifications.map(({ headers }) => headers["subject"])).toEqual([
      "Example: Payments fail",
      "Example: Neues zu: Payments fail",
      "Example: Behoben: Payments fail",
    ]);
    expect(notifications[1]?.text).toContain("We are on it.");
    expect(JSON.stringify(notifications)).not.toMatch(/canary/);
    expect(notifications[0]?.headers).toMatchObject({
      "list-unsubscribe": expect.stringMatching(/^<https:\/\/vedette\.test\/status\/unsubscribe\/[^>]+>$/),
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      "auto-submitted": "auto-generated",
      "content-language": "de",
    });
    const end = new URL((notifications[0]?.headers["list-unsubscribe"] ?? "").slice(1, -1)).pathname;
    expect((await visit(end)).status).toBe(200);
    expect(await subscribers()).toHaveLength(1);
    const boundary =
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const ended = await fetch(server.url + end, { method: "POST", headers, body: boundary });
    expect([ended.status, await ended.json()]).toEqual([200, { success: true }]);
    expect(await subscribers()).toEqual([]);
    const repeated = await fetch(server.url + end, { method: "POST", headers, body: boundary });
    expect([repeated.status, await repeated.json()]).toEqual([200, { success: true }]);
    expect((await visit(end, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${server.url}${end}x`, { method: "POST", headers, body: boundary })).status).toBe(
      404,
    );
    pass(MINUTE);
    await report("Once more");
    await notify();
    expect(mail.mails).toHaveLength(4);
    // Nothing is left of the address.
    const rows = await server.ctx.store.db.selectFrom("outbox").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("ada");
  });

  test("who subscribes twice at once gets a request, and can confirm", async () => {
    const { subscribe, deliver, visit, mail, subscribers } = await startSubscribing({ engine });
    const people = Array.from({ length: 12 }, (_, at) => `person${at}@example.com`);
    const answers = people.flatMap((address) =>
      [1, 2, 3].map(() => subscribe({ kind: "email", address }).then(({ status }) => status)),
    );
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    await deliver();
    expect(mail.mails.flatMap(({ to }) => to).toSorted()).toEqual(people.toSorted());
    for (const confirmation of mail.mails) {
      expect((await visit(linksIn(confirmation)[0] ?? "", { method: "POST" })).status).toBe(200);
    }
    expect(await subscribers()).toHaveLength(people.length);
  });

  test("what was chosen stays where the page offers nothing to choose, as it is for members only by now", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, shop, notify, report, visit, mail, subscribers } = all;
    await subscribed(all, ADA, [["component[]", shop.uuid]]);
    await report("Payments fail");
    await notify();
    const link = linksIn(mail.mails[0] as never).find((path) => path.includes("/subscribers/")) ?? "";
    await server.api("PUT", `${PAGES}/${page.id}`, { isPublic: false });
    const body = new URLSearchParams({ language: "de" });
    expect((await visit(link, { method: "POST", body })).status).toBe(200);
    expect(await subscribers()).toMatchObject([{ components: [shop.uuid], language: "de" }]);
  });

  test("a storm of updates is one mail a minute, with all of them", async () => {
    const all = await startSubscribing({ engine });
    const { notify, mail, pass, report, post } = all;
    await subscribed(all, ADA);
    const incident = await report("Payments fail");
    await notify();
    for (let count = 1; count <= 20; count++) {
      pass(2 * SECOND);
      await post(incident, `Update ${count}.`);
      await notify();
    }
    expect(mail.mails).toHaveLength(1);
    pass(20 * SECOND);
    await notify();
    expect(mail.mails).toHaveLength(2);
    expect(mail.mails[1]?.text).toContain("Update 20.");
    for (let count = 1; count <= 20; count++) expect(mail.mails[1]?.text).toContain(`Update ${count}.`);
    pass(5 * MINUTE);
    await notify();
    expect(mail.mails).toHaveLength(2);
  });

  test("each is notified of the components that they chose, and chooses anew by a link", async () => {
    const all = await startSubscribing({ engine });
    const { notify, mail, report, domains, visit, shop, database, subscribers, server, page } = all;
    await subscribed(all, ADA, [["component[]", database.uuid]]);
    await subscribed(all, "grace@example.com");
    await report("Shop is slow");
    await notify();
    expect(mail.mails.map(({ to }) => to)).toEqual([["grace@example.com"]]);
    await report("Database is slow", domains[1]);
    await notify();
    expect(mail.mails.map(({ to }) => to[0]).toSorted()).toEqual([
      ADA,
      "grace@example.com",
      "grace@example.com",
    ]);
    const own = mail.mails.find(({ to }) => to[0] === ADA);
    const manage = linksIn(own as never).find((path) => path.startsWith("/status/subscribers/")) ?? "";
    expect(await (await visit(manage)).text()).toContain(`value="${database.uuid}" checked`);
    const groups = [
      { name: "Inside", components: [database.uuid] },
      { name: "Outside", components: [shop.uuid] },
    ];
    await server.api("PUT", `${PAGES}/${page.id}/layout`, { components: [], groups });
    expect(await (await visit(manage)).text()).toMatch(/<p>Inside<.*> Database<.*<p>Outside<.*> Shop</);
    const body = new URLSearchParams({ "component[]": shop.uuid, language: "zh" });
    expect((await visit(manage, { method: "POST", body })).status).toBe(200);
    expect(await subscribers()).toContainEqual(
      expect.objectContaining({ address: ADA, components: [shop.uuid], language: "zh" }),
    );
    expect((await visit(`${manage}x`)).status).toBe(404);
    expect((await visit("/status/subscribers/nonsense", { method: "POST" })).status).toBe(404);
  });

  test("who ticks none of the components has to tick one, and nothing is sent or changed", async () => {
    const all = await startSubscribing({ engine });
    const { subscribe, visit, mail, deliver, shop, database, subscribers, report, notify } = all;
    const form = { kind: "email", address: ADA, language: "de", choice: "1" };
    const refused = await subscribe(form, { "accept-language": "de" });
    const text = await refused.text();
    expect([refused.status, text.match(/role="alert">([^<]*)/)?.[1]]).toEqual([
      422,
      "Wählen Sie mindestens eine Komponente.",
    ]);
    expect(text).toContain(`value="${ADA}"`);
    expect(text).not.toContain(" checked> Database");
    await deliver();
    expect([mail.mails, await subscribers()]).toEqual([[], []]);
    await subscribed(all, ADA, [
      ["choice", "1"],
      ["component[]", database.uuid],
    ]);
    await report("Database is slow", all.domains[1]);
    await notify();
    const manage = linksIn(mail.mails[0] as never).find((path) => path.startsWith("/status/subscribers/"));
    const post = (fields: Record<string, string>) =>
      visit(manage ?? "", { method: "POST", body: new URLSearchParams({ choice: "1", ...fields }) });
    const nothing = await post({});
    expect([nothing.status, (await subscribers())[0].components]).toEqual([422, [database.uuid]]);
    expect((await post({ "component[]": shop.uuid })).status).toBe(200);
    expect((await subscribers())[0].components).toEqual([shop.uuid]);
    // What they chose has been taken off the page since they opened the form.
    const gone = await post({ "component[]": crypto.randomUUID(), choice: "" });
    expect([gone.status, (await subscribers())[0].components]).toEqual([422, [shop.uuid]]);
  });

  test("notifications that wait to be sent call a component as the page does by then", async () => {
    const all = await startSubscribing({ engine });
    const { notify, mail, pass, report, server, page, shop, deliver } = all;
    await subscribed(all, ADA);
    mail.refuse({ code: 451, text: "4.3.0 try again later" });
    await report("Payments fail");
    await notify();
    const link = `${PAGES}/${page.id}/domains/${shop.id}`;
    expect((await server.api("PUT", link, { displayName: "Checkout" })).status).toBe(200);
    mail.refuse(null);
    pass(20 * SECOND);
    await deliver();
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]?.text).toContain("Checkout");
    expect(mail.mails[0]?.text).not.toContain("Shop");
  });

  test("410: a link that is too old, and an address that gets another request a day later", async () => {
    const all = await startSubscribing({ engine });
    const { subscribe, deliver, visit, mail, pass, look, subscribers, server, page } = all;
    await subscribe({ kind: "email", address: ADA });
    await deliver();
    pass(3 * 24 * HOUR);
    const [link = ""] = linksIn(mail.mails[0] as never);
    const expired = await visit(link);
    expect(expired.status).toBe(410);
    const way = `<a href="https://vedette.test/status/${page.slug}">See the status page</a>`;
    expect(await expired.text()).toContain(way);
    const setPublic = (isPublic: boolean) => server.api("PUT", `${PAGES}/${page.id}`, { isPublic });
    await setPublic(false);
    expect(await (await visit(link)).text()).not.toContain(page.slug);
    await setPublic(true);
    expect((await visit(link, { method: "POST" })).status).toBe(410);
    await subscribe({ kind: "email", address: ADA });
    await deliver();
    expect(mail.mails).toHaveLength(2);
    expect((await visit(link)).status).toBe(404);
    pass(8 * 24 * HOUR);
    await look();
    expect(await subscribers()).toEqual([]);
  });

  test("422, 404, 429: refuses what nothing can be sent to, and floods", async () => {
    const all = await startSubscribing({ engine, config: { targets: "public", rateLimits: true } });
    const { server, page, subscribe, deliver, mail } = all;
    const path = `${PAGES}/${page.slug}/subscriptions`;
    const refusalOf = async (body: object, to = path) => {
      const answer = await server.api("POST", to, body, { key: null });
      return [answer.status, Object.keys(answer.body.errors ?? {})];
    };
    expect(await refusalOf({ kind: "email", address: "nonsense" })).toEqual([422, ["address"]]);
    expect(await refusalOf({ kind: "webhook", address: "http://10.0.0.1/" })).toEqual([422, ["address"]]);
    expect(await refusalOf({ kind: "email", address: ADA }, path.replace(page.slug, "no-such-page"))).toEqual(
      [404, []],
    );
    const refused = await subscribe({ kind: "email", address: "<script>alert(1)</script>" });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("&lt;script&gt;")]);
    expect((await subscribe({ kind: "email", address: ADA })).status).toBe(200);
    expect((await subscribe({ kind: "email", address: "grace@example.com" })).status).toBe(429);
    const { db } = server.ctx.store;
    const requests = Array.from({ length: 99 }, (_, n) => ({
      ...{ organization_id: server.person.organization.id, page_id: page.id, at: all.now() },
      address_hash: `hash ${n}`,
    }));
    await db.insertInto("status_page_confirmation_requests").values(requests).execute();
    all.pass(MINUTE);
    await vi.waitFor(async () =>
      expect(await refusalOf({ kind: "email", address: "x@example.com" })).toEqual([429, []]),
    );
    await deliver();
    expect(mail.mails).toHaveLength(1);
  });

  test("550: an unknown mailbox ends the subscription, and says why", async () => {
    const all = await startSubscribing({ engine });
    await subscribed(all, ADA);
    all.mail.refuse({ code: 550, text: "5.1.1 no such user" });
    await all.report("Payments fail");
    await all.notify();
    const [ended] = await all.subscribers();
    expect(ended).toMatchObject({ state: "ended", endedReason: expect.stringContaining("no such user") });
    all.mail.refuse(null);
    await all.report("More fails");
    await all.notify();
    expect(all.mail.mails).toEqual([]);
  });

  test("a page that cannot be read holds up no other page, and is put off", async () => {
    const all = await startSubscribing({ engine });
    const { server, notify, look, mail, pass, report, page } = all;
    const other = await makePage(server, { name: "Other" });
    await linkDomain(server, other, all.domains[0] as { id: number });
    for (const [{ id }, address] of [
      [page, ADA],
      [other, "grace@example.com"],
    ] as const) {
      await server.api("POST", `${PAGES}/${id}/subscribers`, { kind: "email", address, agreed: true });
    }
    await look();
    const { db } = server.ctx.store;
    const ofPage = db.updateTable("status_page_snapshots").where("page_id", "=", page.id);
    const { snapshot } = await db
      .selectFrom("status_page_snapshots")
      .select("snapshot")
      .where("page_id", "=", page.id)
      .executeTakeFirstOrThrow();
    await ofPage.set({ snapshot: "{" }).execute();
    pass(SECOND);
    await report("Payments fail");
    await notify();
    expect(mail.mails.map(({ to }) => to)).toEqual([["grace@example.com"]]);
    await ofPage.set({ snapshot }).execute();
    pass(SECOND);
    await report("Database is slow", all.domains[1]);
    await notify();
    expect(mail.mails).toHaveLength(1);
    pass(MINUTE);
    await notify();
    expect(mail.mails.slice(1).map(({ to }) => to)).toEqual([[ADA], [ADA]]);
  });
});
