import { expect, onTestFinished, test } from "vitest";
import { insertIncidentUpdates } from "../../../src/incidents/queries/incident-updates.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { readTexts } from "../../../src/status-pages/render/view.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, NOW, serve } from "../../monitors/domains/factories.ts";
import { linkDomain, makePage, publicOf } from "../factories.ts";
import { incident, publicPage } from "../render/public-pages.ts";

const LONG = "word ".repeat(800);

/** A page with an incident; and what writes so many updates into it. */
async function pageWithIncident(server: TestServer) {
  const domain = await makeDomain(server);
  const page = await makePage(server);
  await linkDomain(server, page, domain);
  const open = async () => {
    const body = { title: "Slow", monitorIds: [domain.id] };
    return (await server.api("POST", "/api/incidents", body)).body.data as { id: number; uuid: string };
  };
  const { id: organizationId } = server.person.organization;
  const { userId } = server.person;
  const write = (incidentId: number, count: number, textOf: (n: number) => string, more: object = {}) =>
    insertIncidentUpdates(
      server.ctx.store.db,
      Array.from({ length: count }, (_, n) => ({
        ...{ organizationId, incidentId, userId, status: "open", message: textOf(n), descriptor: null },
        ...{ at: NOW + n, ...more },
      })),
    );
  const visit = async (path = "") => (await fetch(`${server.url}/status/${page.slug}${path}`)).text();
  return { page, open, write, visit };
}

const said = (text: string) => text.match(/Said \d+\./g) ?? [];

eachEngine("an incident with very many updates", (engine) => {
  test("shows the ten newest on the page and in feeds, and a hundred on its own", async () => {
    const server = await serve({ engine });
    const { page, open, write, visit } = await pageWithIncident(server);
    const { id, uuid } = await open();
    await write(id, 600, (n) => `Said ${n}.`);
    const [shown] = (await publicOf(server, page.slug)).incidents;
    expect(shown.updates.map(({ message }: { message: string }) => message)).toEqual(
      Array.from({ length: 100 }, (_, n) => `Said ${599 - n}.`),
    );
    const newest = Array.from({ length: 10 }, (_, n) => `Said ${599 - n}.`);
    const whole = await visit();
    expect(said(whole)).toEqual(newest);
    expect(whole).toContain(`<a href="/status/${page.slug}/incidents/${uuid}">Older updates</a>`);
    for (const feed of ["/feed.atom", "/feed.rss", "/feed.json"])
      expect(said(await visit(feed))).toEqual(newest);
    const own = await visit(`/incidents/${uuid}`);
    expect(said(own)).toHaveLength(100);
    expect(own).toContain("Older updates are no longer shown here.");
  });

  test("leaves room for the newest updates of all others", async () => {
    const server = await serve({ engine });
    const { page, open, write, visit } = await pageWithIncident(server);
    const others = [await open(), await open()];
    const { id } = await open();
    await write(id, 200, (n) => `${LONG} ${n}`);
    for (const other of others) await write(other.id, 2, (n) => `Said ${n}.`);
    const { incidents } = await publicOf(server, page.slug);
    const texts: string[][] = incidents.map(({ updates }: { updates: { message: string }[] }) =>
      updates.map(({ message }) => message),
    );
    expect(texts.flat().join("").length).toBeLessThan(256 * 1024);
    expect(texts.map((own) => own.slice(0, 2))).toEqual([
      [`${LONG} 199`, `${LONG} 198`],
      ["Said 1.", "Said 0."],
      ["Said 1.", "Said 0."],
    ]);
    expect((await visit()).length).toBeLessThan(256 * 1024);
  });

  test("stays on the page where only its state has changed since the notification", async () => {
    const server = await serve({ engine });
    const { page, open, write } = await pageWithIncident(server);
    const { id } = await open();
    await write(id, 1, () => "We know.");
    await write(id, 150, () => "", { descriptor: msg("incident.status_set", { stage: "open" }) });
    const elsewhere = await open();
    await server.ctx.store.db
      .updateTable("incident_updates")
      .set({ pages: "[]" })
      .where("incident_id", "=", elsewhere.id)
      .execute();
    await write(elsewhere.id, 1, () => "For no page.", { pages: [page.id + 1, page.id * 10] });
    const { incidents } = await publicOf(server, page.slug);
    expect(incidents.map(({ updates }: { updates: object[] }) => updates.length)).toEqual([100]);
  });

  test("takes no more updates of people than 500, but another state", async () => {
    const server = await serve({ engine });
    const { open, write } = await pageWithIncident(server);
    const { id } = await open();
    await write(id, 499, (n) => `Said ${n}.`);
    const post = () => server.api("POST", `/api/incidents/${id}/updates`, { message: "More" });
    expect((await post()).status).toBe(201);
    const refused = await post();
    expect([refused.status, refused.body.errors?.message]).toEqual([
      422,
      ["An incident has at most 500 updates. Report another incident, or edit an update."],
    ]);
    const solved = await server.api("PUT", `/api/incidents/${id}`, { status: "resolved" });
    expect(solved.status).toBe(200);
  });
});

test("the texts of a page are read in turns with everything else", async () => {
  const updates = Array.from({ length: 40 }, (_, n) => ({
    ...{ uuid: `${n}`, at: NOW, status: "open", text: `${n} ${"*_".repeat(400)}` },
  }));
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(timer));
  await readTexts(publicPage({ incidents: [incident("Slow", { updates })] }));
  expect(turns).toBeGreaterThan(5);
});
