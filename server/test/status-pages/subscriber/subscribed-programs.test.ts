import { createHmac } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { sendMail } from "../../../src/alerts/mail/send-mail.ts";
import { claimDeliveries } from "../../../src/alerts/queries/claim-deliveries.ts";
import { insertSubscriberDeliveries } from "../../../src/alerts/queries/incident-deliveries.ts";
import {
  readKnownToSubscribers,
  unwatchPage,
  watchPages,
} from "../../../src/status-pages/queries/page-notifications.ts";
import { readPage } from "../../../src/status-pages/queries/status-pages.ts";
import { openDestination, sealDestination } from "../../../src/status-pages/subscriber/channels/channel.ts";
import { status } from "../../harness/behaviours.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { makePage, PAGES } from "../factories.ts";
import { HOUR, MINUTE, startSubscribing, subscribed } from "./subscribing.ts";

/** Has the only subscriber notified at that address, as if a member had added it. */
async function leadInside({ ctx }: TestServer, url: string): Promise<void> {
  const { db } = ctx.store;
  const { id, secrets } = await db
    .selectFrom("status_page_subscribers")
    .select(["id", "secrets"])
    .executeTakeFirstOrThrow();
  const destination = { ...openDestination(ctx.secrets, secrets ?? ""), url, mayBeInside: true as const };
  await db
    .updateTable("status_page_subscribers")
    .set({ secrets: sealDestination(ctx.secrets, destination) })
    .where("id", "=", id)
    .execute();
}

eachEngine("programs that subscribe to a status page", (engine) => {
  test("a webhook is sent a request, notified by signed JSON from then on, and ended by a POST", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, deliver, notify, report, subscribers, pass } = all;
    const hook = await startHttpTarget();
    onTestFinished(hook.close);
    const address = "https://hooks.example.com/secret-path";
    const body = { kind: "webhook", address, components: [all.shop.uuid] };
    const answer = await server.api("POST", `${PAGES}/${page.slug}/subscriptions`, body, { key: null });
    expect(answer.status).toBe(200);
    await leadInside(server, `${hook.url}secret-path`);
    await deliver();
    const confirmation = JSON.parse(hook.requests[0]?.body ?? "");
    expect(confirmation).toMatchObject({
      ...{ type: "subscription.question", incident: null, maintenance: null },
      page: { uuid: page.uuid, name: "Example" },
      secret: expect.stringMatching(/^whsec_/),
    });
    const toUs = (url: string) => fetch(server.url + new URL(url).pathname, { method: "POST" });
    const confirmed = await toUs(confirmation.confirmUrl);
    expect([confirmed.status, await confirmed.json()]).toEqual([200, { success: true }]);
    await notify();
    await report("Database is slow", all.domains[1]);
    await report("Payments fail");
    await notify();
    expect(hook.requests).toHaveLength(2);
    const [, received] = hook.requests;
    const event = JSON.parse(received?.body ?? "");
    expect(event).toMatchObject({
      ...{ type: "incident.opened", confirmUrl: null, secret: null },
      incident: { title: "Payments fail", components: [{ uuid: all.shop.uuid, name: "Shop" }] },
    });
    expect(received?.body).not.toMatch(/canary/);
    const {
      "webhook-id": id,
      "webhook-timestamp": at,
      "webhook-signature": signature,
    } = received?.headers ?? {};
    const key = Buffer.from(confirmation.secret.slice("whsec_".length), "base64");
    const wanted = createHmac("sha256", key).update(`${id}.${at}.${received?.body}`).digest("base64");
    expect(signature).toBe(`v1,${wanted}`);
    expect(JSON.stringify(await subscribers())).not.toMatch(/secret-path|whsec_/);
    expect((await toUs(event.unsubscribeUrl)).status).toBe(200);
    expect(await subscribers()).toEqual([]);
    pass(MINUTE);
    await report("More fails");
    await notify();
    expect(hook.requests).toHaveLength(2);
  });

  test("a visitor causes no request inside the network, whatever monitors may reach", async () => {
    const { server, page, deliver, pass } = await startSubscribing({ engine });
    const inside = await startHttpTarget();
    onTestFinished(inside.close);
    const subscribeAt = (kind: string, address: string) =>
      server.api("POST", `${PAGES}/${page.slug}/subscriptions`, { kind, address }, { key: null });
    for (const kind of ["webhook", "slack"]) {
      expect((await subscribeAt(kind, inside.url)).body.errors).toMatchObject({
        address: [expect.any(String)],
      });
    }
    const named = await subscribeAt("webhook", inside.url.replace("127.0.0.1", "inside.example.com"));
    expect(named.status).toBe(200);
    server.ctx.network.resolver.resolve = async () => ({
      ...{ addresses: [{ address: "127.0.0.1", family: 4 }], late: null },
    });
    await deliver();
    pass(MINUTE);
    await deliver();
    expect(inside.requests).toEqual([]);
  });

  test("Slack that was added by the page's owners is notified at once, and ended by 410", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, notify, report, subscribers } = all;
    const slack = await startHttpTarget();
    onTestFinished(slack.close);
    const path = `${PAGES}/${page.id}/subscribers`;
    await server.api("POST", path, { kind: "slack", address: slack.url });
    await notify();
    await report("Payments fail <!channel>");
    await notify();
    expect(slack.requests).toHaveLength(1);
    expect(slack.requests[0]?.body).toContain("Example: Payments fail &lt;!channel&gt;");
    slack.set(status(410));
    await report("More fails");
    await notify();
    expect(await subscribers()).toMatchObject([{ state: "ended", endedReason: expect.any(String) }]);
  });

  test("what was withdrawn or edited while it waited is not sent, or as it is now", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, notify, report, deliver, post, pass } = all;
    const hook = await startHttpTarget();
    onTestFinished(hook.close);
    const path = `${PAGES}/${page.id}/subscribers`;
    await server.api("POST", path, { kind: "webhook", address: hook.url });
    await notify();
    hook.set(status(500));
    const gone = await report("Gone by then");
    const incident = await report("Payments fail");
    await notify();
    const updates = `/api/incidents/${incident.id}/updates`;
    pass(2 * MINUTE);
    await post(incident, "The password is 4711.");
    await post(incident, "The cause is not known.");
    await notify();
    const written = (await server.api("GET", updates)).body.data as { id: number; message: string }[];
    const idOf = (message: string) => written.find((one) => one.message === message)?.id;
    await server.api("DELETE", `${updates}/${idOf("The password is 4711.")}`);
    await server.api("PUT", `${updates}/${idOf("The cause is not known.")}`, { message: "We look for it." });
    await server.api("DELETE", `/api/incidents/${gone.id}`);
    hook.requests.splice(0);
    hook.set(status(200));
    pass(10 * MINUTE);
    await deliver();
    expect(hook.requests.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: "incident.updated", incident: { title: "Payments fail" } },
    ]);
    expect(hook.requests[0]?.body).toContain("We look for it.");
    expect(hook.requests[0]?.body).not.toMatch(/4711|The cause is not/);
  });

  test("a page that is for members only by now is sent to nobody", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, notify, report, mail, pass } = all;
    await subscribed(all, "ada@example.com");
    await server.api("PUT", `${PAGES}/${page.id}`, { isPublic: false });
    await report("Payments fail");
    await notify();
    await server.api("PUT", `${PAGES}/${page.id}`, { isPublic: true });
    pass(MINUTE);
    await notify();
    expect(mail.mails).toEqual([]);
  });

  test("who subscribes while a page is left because nobody does is notified all the same", async () => {
    const { server, page, now } = await startSubscribing({ engine });
    const { store } = server.ctx;
    const own = { id: page.id, organizationId: server.person.organization.id };
    await watchPages(store.db, [own], now());
    const confirmed = await store.transaction(async (trx) => {
      await readKnownToSubscribers(trx, page.id);
      const watched = store.transaction((other) => watchPages(other, [own], now()));
      // Time enough for a subscriber that does not wait.
      for (let read = 0; read < 30; read++) await readPage(trx, page.id);
      await unwatchPage(trx, page.id);
      return { watched };
    });
    await confirmed.watched;
    expect(await readKnownToSubscribers(store.db, page.id)).toBeNull();
  });

  test("a long list of one page holds up nobody else's requests", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, look, pass, subscribers, subscribe } = all;
    const { db } = server.ctx.store;
    const content = Array.from({ length: 300 }, (_, n) => `reader${n}@example.com`).join("\n");
    await server.api("POST", `${PAGES}/${page.id}/subscribers/import`, { content });
    for (let round = 0; round < 7; round++) await look();
    const recordedRequests = () =>
      db.selectFrom("status_page_confirmation_requests").select("page_id as pageId").execute();
    expect(await recordedRequests()).toHaveLength(100);
    const other = await makePage(server, { name: "Other" });
    const path = `${PAGES}/${other.id}/subscribers`;
    await server.api("POST", path, { kind: "email", address: "bob@example.com" });
    await server.api("POST", path, { kind: "webhook", address: "https://hooks.example.com/" });
    await look();
    expect((await recordedRequests()).filter(({ pageId }) => pageId === other.id)).toHaveLength(1);
    // Lists leave a share to visitors.
    pass(HOUR);
    const many = Array.from({ length: 300 }, (_, n) => ({
      ...{ organization_id: server.person.organization.id, page_id: other.id, at: all.now() },
      ...{ address_hash: `hash ${n}`, is_listed: 1 as const },
    }));
    await db.insertInto("status_page_confirmation_requests").values(many).execute();
    const before = (await recordedRequests()).length;
    await look();
    expect(await recordedRequests()).toHaveLength(before);
    expect((await subscribe({ kind: "email", address: "ada@example.com" })).status).toBe(200);
    expect(await subscribers()).toContainEqual(
      expect.objectContaining({ address: "ada@example.com", askedAt: expect.any(String) }),
    );
  });

  test("thousands of them keep no one waiting, and one organization's not another's", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, look, report, now } = all;
    const content = Array.from({ length: 1_200 }, (_, n) => `reader${n}@example.com`).join("\n");
    const path = `${PAGES}/${page.id}/subscribers/import`;
    expect((await server.api("POST", path, { content, agreed: true })).body.data.added).toBe(1_200);
    await look();
    await report("Payments fail");
    await look();
    const { store, secrets, clock } = server.ctx;
    const waiting = store.db.selectFrom("outbox").select("id").where("channel", "=", "subscriber");
    expect(await waiting.execute()).toHaveLength(1_200);
    const mail = {
      kind: "test",
      reader: { language: "en", timeZone: "UTC" },
      params: {},
      link: null,
    } as const;
    const other = await server.createOrganization();
    await store.transaction(async (db) => {
      await sendMail({ db, secrets, clock }, { to: "oncall@example.com", mail, worthMs: MINUTE });
      const theirs = { subscriberId: 1, pageNotificationId: 1, event: "page.incident.opened", content: "" };
      const organizationId = other.organization.id;
      const due = { ...theirs, organizationId, uuid: crypto.randomUUID(), givesUpAt: now() + MINUTE };
      await insertSubscriberDeliveries(db, [due], now());
    });
    const none = { atMost: 0, ofOne: 8, running: new Map() };
    const subscribers = { atMost: 64, ofOne: 8, running: new Map() };
    const limits = {
      now: now(),
      worthAfter: 0,
      until: now() + 1,
      plain: 4,
      channels: none,
      own: none,
      subscribers,
    };
    const begun = await store.transaction((trx) => claimDeliveries(trx, limits));
    expect(begun.filter(({ transport }) => transport === "mail")).toHaveLength(1);
    const received = begun.filter(({ transport }) => transport === "subscriber");
    expect(received.filter((one) => one.organizationId === other.organization.id)).toHaveLength(1);
    expect(received).toHaveLength(5);
  });
});
