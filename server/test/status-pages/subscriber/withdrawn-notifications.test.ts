import { expect, onTestFinished, test } from "vitest";
import { status } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { PAGES } from "../factories.ts";
import { HOUR, linksIn, MINUTE, type Subscribing, startSubscribing, subscribed } from "./subscribing.ts";

const ADA = "ada@example.com";

const subjects = ({ mail }: Subscribing) => mail.mails.map(({ headers }) => headers["subject"]);

eachEngine("what the page does not show any more", (engine) => {
  test("is taken back a minute later: merged, deleted, or of something else", async () => {
    const all = await startSubscribing({ engine });
    const { server, notify, pass, report, mail } = all;
    await subscribed(all, ADA);
    const [merged, deleted, moved] = [await report("Merged"), await report("Deleted"), await report("Moved")];
    await notify();
    mail.mails.splice(0);
    pass(HOUR);
    const into = await report("Everything fails");
    await notify();
    expect(subjects(all)).toEqual(["Example: Everything fails"]);
    await server.api("POST", `/api/incidents/${merged.id}/merge`, { into: into.id });
    await server.api("DELETE", `/api/incidents/${deleted.id}`);
    const elsewhere = await server.api("POST", "/api/domains", { url: "https://elsewhere.test" });
    const monitorIds = [elsewhere.body.data.id];
    expect((await server.api("PUT", `/api/incidents/${moved.id}`, { monitorIds })).status).toBe(200);
    await notify();
    pass(MINUTE);
    await notify();
    const taken = subjects(all).filter((subject) => subject?.includes("No longer"));
    expect(taken.toSorted()).toEqual([
      "Example: No longer shown: Deleted",
      "Example: No longer shown: Merged",
      "Example: No longer shown: Moved",
    ]);
    const said = mail.mails.findLast(({ headers }) => headers["subject"]?.includes("No longer"));
    expect(said?.text).toContain("That does not mean that everything works");
    mail.mails.splice(0);
    pass(HOUR);
    await notify();
    expect(mail.mails).toEqual([]);
  });

  test("is not taken back to those who were never notified of it, nor when it is only gone for a moment", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, notify, pass, report, shop, domains } = all;
    const hook = await startHttpTarget();
    onTestFinished(hook.close);
    await server.api("POST", `${PAGES}/${page.id}/subscribers`, { kind: "webhook", address: hook.url });
    await notify();
    hook.set(status(500));
    const gone = await report("Gone by then");
    await notify();
    await subscribed(all, ADA);
    await server.api("DELETE", `/api/incidents/${gone.id}`);
    hook.set(status(200));
    hook.requests.splice(0);
    await report("Payments fail");
    await notify();
    const link = `${PAGES}/${page.id}/domains`;
    expect((await server.api("DELETE", `${link}/${shop.id}`)).status).toBe(200);
    pass(MINUTE / 2);
    await report("Database is slow", domains[1]);
    await notify();
    await server.api("POST", link, { domainId: domains[0]?.id, displayName: "Shop" });
    pass(HOUR);
    await notify();
    const reported = ["Example: Payments fail", "Example: Database is slow"];
    expect(hook.requests.map(({ body }) => JSON.parse(body).title)).toEqual(reported);
    expect(subjects(all)).toEqual(reported);
  });

  test("maintenance that is called off is announced, and who chose a component is notified how all goes on", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, notify, pass, now, report, mail, shop, domains, visit } = all;
    await subscribed(all, ADA, [["component[]", shop.uuid]]);
    const startsAt = new Date(now() + HOUR).toISOString();
    const domainIds = [domains[0]?.id];
    const body = { title: "Upgrade", startsAt, duration: 3_600, monitorIds: domainIds };
    const made = await server.api("POST", "/api/maintenance", body);
    expect(made.status).toBe(201);
    await notify();
    const incident = await report("Slow");
    await notify();
    expect(subjects(all)).toEqual(["Example: Maintenance planned: Upgrade", "Example: Slow"]);
    const manage =
      linksIn(mail.mails[0] as never).find((path) => path.startsWith("/status/subscribers/")) ?? "";
    pass(2 * MINUTE);
    expect((await server.api("DELETE", `/api/maintenance/${made.body.data.id}`)).status).toBe(200);
    await server.api("PUT", `/api/incidents/${incident.id}`, { monitorIds: [domains[1]?.id] });
    await notify();
    pass(MINUTE);
    await notify();
    expect(subjects(all).slice(2)).toEqual(["Example: No longer announced: Upgrade"]);
    await server.api("PUT", `/api/incidents/${incident.id}`, { status: "resolved" });
    await notify();
    expect(subjects(all).slice(3)).toEqual(["Example: Resolved: Slow"]);
    // Linked anew, it is what they chose.
    const link = `${PAGES}/${page.id}/domains`;
    await server.api("DELETE", `${link}/${shop.id}`);
    await server.api("POST", link, { domainId: domains[0]?.id, displayName: "Shop again" });
    expect(await (await visit(manage)).text()).toMatch(/checked> Shop again/);
    pass(MINUTE);
    await report("Fails");
    await notify();
    expect(subjects(all).slice(4)).toEqual(["Example: Fails"]);
  });
});
