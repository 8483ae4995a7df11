import { expect, onTestFinished, test } from "vitest";
import { deliverOutbox } from "../../../src/alerts/deliver.ts";
import { TRANSPORTS } from "../../../src/app/jobs.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { LANGUAGES } from "../../../src/platform/i18n/render.ts";
import { followPages } from "../../../src/status-pages/subscriber/follow-pages.ts";
import { probed } from "../../app/pipeline/setup.ts";
import { formsOf } from "../../harness/canaries.ts";
import type { TestServer } from "../../harness/server.ts";
import { startMailServer } from "../../harness/smtp.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { NOW } from "../../monitors/domains/factories.ts";
import { PAGES } from "../factories.ts";
import { makeFailingPage, SECRETS } from "../failing-page.ts";

const MINUTE = 60_000;

/** A failing page with subscribers of every kind in every language, and all that they are sent. */
async function startTelling(engine: "sqlite" | "postgres") {
  let now = NOW;
  const mail = await startMailServer();
  onTestFinished(mail.stop);
  const hook = await startHttpTarget();
  onTestFinished(hook.close);
  const step = async ({ ctx }: TestServer) => {
    now += MINUTE;
    await follower(ctx).look();
    await deliverOutbox(ctx, TRANSPORTS, new AbortController().signal);
  };
  let only: ReturnType<typeof followPages> | null = null;
  const follower = (ctx: TestServer["ctx"]) => {
    only ??= followPages(ctx);
    return only;
  };
  const failing = await makeFailingPage(engine, {
    clock: { now: () => now },
    config: { smtp: mail.smtp, signup: "closed" },
    async prepare(server, page) {
      const path = `${PAGES}/${page.id}/subscribers`;
      for (const language of LANGUAGES) {
        for (const kind of ["email", "webhook", "slack"]) {
          const address = kind === "email" ? `${language}@readers.test` : `${hook.url}${kind}/${language}`;
          const answer = await server.api("POST", path, { kind, address, language, agreed: true });
          expect(answer.status).toBe(201);
        }
      }
      await step(server);
    },
  });
  // Alarms to people of the organization say more.
  const toSubscribers = () =>
    mail.mails.filter(({ to: [address = ""] }) => address.endsWith("@readers.test"));
  const said = () => [
    ...toSubscribers().map((one) => [one.raw, JSON.stringify(one.headers), one.text, one.html].join("\n")),
    ...hook.requests.map(({ raw, body }) => `${raw}\n${body}`),
  ];
  return { ...failing, now: () => now, step: () => step(failing.server), said };
}

eachEngine("what subscribers are sent of a failing page", (engine) => {
  test("has nothing that is not public, from the outage to its end, in any form and language", async () => {
    const { server, page, ids, step, said, now } = await startTelling(engine);
    const path = `/api/incidents/${ids.incident}`;
    await step();
    await server.api("POST", `${path}/updates`, { message: "We are on it.", status: "monitoring" });
    await step();
    const works = [2_000, 1_000, 0].flatMap((ago) =>
      [ids.domain, ids.device].map((id) => probed(id, now() - ago)),
    );
    await ingestBatch(server.ctx, works);
    await server.api("PUT", path, { status: "resolved" });
    await server.api("DELETE", `/api/maintenance/${ids.maintenance}`);
    await step();
    await step();
    const subscribe = { kind: "email", address: "ada@readers.test" };
    await server.api("POST", `${PAGES}/${page.slug}/subscriptions`, subscribe, { key: null });
    await step();
    const all = said();
    const secrets = SECRETS.flatMap((secret) => formsOf(secret).map((form) => form.toLowerCase()));
    for (const one of all) {
      const lower = one.toLowerCase();
      expect(secrets.filter((secret) => lower.includes(secret))).toEqual([]);
    }
    // The walk saw each kind of notification, of people and of ours, by all ways.
    const events = [
      ...["Payments fail", "Shop is not available", "We are on it.", "Resolved: Payments fail"],
      ...["Machine is not available", "Resolved: Machine was not available"],
      ...["Resolved: Shop was not available", "Maintenance planned: New servers"],
      ...["No longer announced: New servers", "Confirm your subscription"],
    ];
    for (const event of events) {
      const ways = event.startsWith("Confirm") ? 1 : 3;
      expect([event, all.filter((one) => one.includes(event)).length >= ways]).toEqual([event, true]);
    }
  });
});
