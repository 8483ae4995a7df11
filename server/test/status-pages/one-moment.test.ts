import { expect, test } from "vitest";
import { confirmUserEmail } from "../../src/alerts/queries/own-channels.ts";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { startMailing } from "../alerts/mailing.ts";
import { failed, probed } from "../app/pipeline/setup.ts";
import { eachEngine } from "../harness/stores.ts";
import { makeDomain } from "../monitors/domains/factories.ts";
import { linkDomain, makePage, publicOf } from "./factories.ts";

const MINUTE = 60_000;

eachEngine("at one moment", (engine) => {
  test("page, API, mail and app say the same of a monitor that flaps, whether it is up or down right now", async () => {
    const { server, mail, deliver, pass, now } = await startMailing(engine);
    await confirmUserEmail(server.ctx.store.db, server.person.userId, now());
    const domain = await makeDomain(server, { name: "Shop", confirmations: 1, recoveries: 1 });
    const page = await makePage(server);
    await linkDomain(server, page, domain);
    const check = async (isUp: boolean) => {
      pass(MINUTE);
      await ingestBatch(server.ctx, [isUp ? probed(domain.id, now()) : failed(domain.id, now())]);
    };
    for (const isUp of [true, false, true, false, true]) await check(isUp);
    const moment = async () => {
      const shown = await publicOf(server, page.slug);
      const [incident] = shown.incidents;
      const lines = incident.updates.map((one: { message: string }) => one.message);
      const html = await (await fetch(`${server.url}/status/${page.slug}`)).text();
      const [stored] = (await server.api("GET", "/api/incidents?status=open")).body.data;
      const monitor = (await server.api("GET", `/api/domains/${domain.id}`)).body.data;
      return {
        page: [shown.overall, shown.groups[0].components[0].status, incident.title, incident.status],
        line: lines.at(-1),
        isOnPage: html.includes("Shop is unstable") && !html.includes("All systems operational"),
        app: [stored.title, stored.titleFact.code, monitor.flapping, monitor.state],
        description: stored.fact.code,
        affected: stored.affected.map((one: { flapping: boolean }) => one.flapping),
      };
    };
    const flapping = ["Shop is flapping", "incident.flapping", true];
    const unstable = {
      line: "Shop keeps failing and coming back.",
      description: "incident.keeps_failing",
      affected: [true],
    };
    expect(await moment()).toEqual({
      ...unstable,
      page: ["degraded", "degraded", "Shop is unstable", "open"],
      isOnPage: true,
      app: [...flapping, "up"],
    });
    await check(false);
    expect(await moment()).toEqual({
      ...unstable,
      page: ["major_outage", "outage", "Shop is unstable", "open"],
      isOnPage: true,
      app: [...flapping, "down"],
    });
    await deliver();
    expect(mail.mails.at(-1)?.headers["subject"]).toBe("Shop is flapping");
    // Ten intervals without a change: it is down for good, and says so everywhere.
    for (let times = 0; times < 11; times += 1) await check(false);
    expect(await moment()).toMatchObject({
      page: ["major_outage", "outage", "Shop is not available", "open"],
      line: "Shop is not available.",
      description: "incident.outage",
      affected: [false],
      app: ["Shop is down", "incident.down", false, "down"],
    });
  });
});
