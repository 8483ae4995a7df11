import { expect, onTestFinished, test } from "vitest";
import { CORRECTIONS } from "../../../src/app/engine.ts";
import { watchClock } from "../../../src/engine/results/clock-watch.ts";
import { status } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { PAGES } from "../factories.ts";
import { HOUR, MINUTE, startSubscribing, subscribed } from "./subscribing.ts";

const ADA = "ada@example.com";
const times = (text: string, what: string) => text.split(what).length - 1;

eachEngine("notifications of the same thing", (engine) => {
  test("that were overtaken before they were sent are sent with the newer ones, each update once", async () => {
    const all = await startSubscribing({ engine });
    const { mail, notify, report, post, pass } = all;
    await subscribed(all, ADA);
    const incident = await report("Payments fail");
    await notify();
    mail.mails.splice(0);
    mail.refuse({ code: 451, text: "4.3.0 later" });
    for (const text of ["The first.", "The second.", "The third."]) {
      pass(MINUTE);
      await post(incident, text);
      await notify();
    }
    mail.refuse(null);
    pass(HOUR);
    await notify();
    expect(mail.mails.map(({ headers }) => headers["subject"])).toEqual(["Example: Update: Payments fail"]);
    await post(incident, "The fourth.");
    await notify();
    expect(mail.mails).toHaveLength(2);
    const said = mail.mails.map(({ text }) => text);
    for (const [at, text] of ["The first.", "The second.", "The third.", "The fourth."].entries()) {
      expect(said.map((one) => times(one, text))).toEqual(at < 3 ? [1, 0] : [0, 1]);
    }
  });

  test("that a clock wrote which was ahead are sent, and those that follow", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, mail, notify, look, report, post, pass } = all;
    // PostgreSQL's own clock is read as well, and the test cannot set that one.
    pass(Date.now() - all.now());
    const watch = watchClock(server.ctx, CORRECTIONS, () => 0);
    await watch.look();
    await subscribed(all, ADA);
    pass(23 * HOUR);
    await watch.look();
    const incident = await report("Payments fail");
    await look();
    pass(-23 * HOUR);
    await watch.look();
    await notify();
    expect(mail.mails).toHaveLength(1);
    await post(incident, "We are on it.");
    await notify();
    pass(MINUTE);
    await notify();
    expect(mail.mails).toHaveLength(2);
    // What no event would announce.
    pass(24 * HOUR);
    await notify();
    pass(-24 * HOUR);
    const { db } = server.ctx.store;
    await db.updateTable("incidents").set({ resolved_at: all.now(), status: "resolved" }).execute();
    await notify();
    pass(MINUTE);
    await notify();
    expect(mail.mails.at(-1)?.headers["subject"]).toBe("Example: Resolved: Payments fail");
    expect((await server.api("GET", `${PAGES}/${page.id}/subscribers`)).status).toBe(200);
  });

  test("are sent to a program after those that are under way", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, notify, look, deliver, report, post, pass } = all;
    const hook = await startHttpTarget();
    onTestFinished(hook.close);
    await server.api("POST", `${PAGES}/${page.id}/subscribers`, { kind: "webhook", address: hook.url });
    await notify();
    const incident = await report("Payments fail");
    await look();
    const { promise: requested, resolve } = Promise.withResolvers<() => void>();
    hook.set((socket, request) => resolve(() => status(200)(socket, request)));
    const first = deliver();
    const answer = await requested;
    pass(MINUTE);
    await post(incident, "We are on it.");
    await look();
    hook.set(status(200));
    await deliver();
    expect(hook.requests).toHaveLength(1);
    answer();
    await first;
    pass(HOUR);
    await deliver();
    expect(hook.requests.map(({ body }) => JSON.parse(body).type)).toEqual([
      "incident.opened",
      "incident.updated",
    ]);
  });
});
