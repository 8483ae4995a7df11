import { expect, onTestFinished, test, vi } from "vitest";
import { deliverOutbox } from "../../../src/alerts/deliver.ts";
import { claimDeliveries } from "../../../src/alerts/queries/claim-deliveries.ts";
import { TRANSPORTS } from "../../../src/app/jobs.ts";
import { hang } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { newSlug, PAGES } from "../factories.ts";
import { type Subscribing, startSubscribing } from "./subscribing.ts";

/** Another organization with a page of its own, with a subscriber by mail. */
async function otherOrganization({ server }: Subscribing, address: string) {
  const key = await server.createKey({ person: await server.createOrganization() });
  const made = async (path: string, body: object) => {
    const answer = await server.api("POST", path, body, { key });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const page = await made(PAGES, { name: "Theirs", slug: newSlug() });
  const domain = await made("/api/domains", { name: "theirs", url: "https://theirs.test" });
  await made(`${PAGES}/${page.id}/domains`, { domainId: domain.id, displayName: "Theirs" });
  await made(`${PAGES}/${page.id}/subscribers`, { kind: "email", address, agreed: true });
  return { report: (title: string) => made("/api/incidents", { title, monitorIds: [domain.id] }) };
}

eachEngine("subscribers of several organizations", (engine) => {
  test("are notified while as many messages of one of them hang as it may have under way", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, look, report, mail } = all;
    const hook = await startHttpTarget();
    onTestFinished(hook.close);
    hook.set(hang);
    for (let n = 0; n < 12; n++) {
      const address = `${hook.url}${n}`;
      await server.api("POST", `${PAGES}/${page.id}/subscribers`, { kind: "webhook", address });
    }
    const theirs = await otherOrganization(all, "grace@example.com");
    await look();
    await report("Payments fail");
    await look();
    const stop = new AbortController();
    const delivering = deliverOutbox(server.ctx, TRANSPORTS, stop.signal);
    await vi.waitFor(() => expect(hook.requests.length).toBeGreaterThanOrEqual(6), { timeout: 5_000 });
    await theirs.report("Theirs fail");
    await look();
    await vi.waitFor(() => expect(mail.mails).toHaveLength(1), { timeout: 5_000 });
    // Those that wait behind the hanging ones still do.
    expect(hook.requests.length).toBeLessThan(12);
    stop.abort();
    await delivering;
  });

  test("get confirmation requests before notifications go to many of the same organization", async () => {
    const { server, page, look, report, pass, now, subscribe } = await startSubscribing({ engine });
    const content = Array.from({ length: 20 }, (_, n) => `reader${n}@example.com`).join("\n");
    await server.api("POST", `${PAGES}/${page.id}/subscribers/import`, { content, agreed: true });
    await look();
    await report("Payments fail");
    await look();
    pass(1_000);
    await subscribe({ kind: "email", address: "grace@example.com" });
    const none = { atMost: 0, ofOne: 8, running: new Map() };
    const limits = { now: now(), worthAfter: 0, until: now() + 1, plain: 0, channels: none, own: none };
    const begun = await server.ctx.store.transaction((trx) =>
      claimDeliveries(trx, { ...limits, subscribers: { ...none, atMost: 64 } }),
    );
    expect(begun).toHaveLength(8);
    expect(begun.map(({ event }) => event)).toContain("subscription.question");
  });
});
