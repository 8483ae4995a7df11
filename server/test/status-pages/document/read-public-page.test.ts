import { expect, test } from "vitest";
import { insertAffectedServices } from "../../../src/incidents/queries/affected-services.ts";
import { insertIncidents } from "../../../src/incidents/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../../../src/incidents/queries/incident-updates.ts";
import { titleOfOutage } from "../../../src/incidents/title-rules.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { countQueries } from "../../harness/count-queries.ts";
import { makeResult } from "../../harness/results.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import {
  DAY,
  HOUR,
  MINUTE,
  makeDomain,
  makeLocation,
  NOW,
  observe,
  serve,
  setHistory,
  setState,
} from "../../monitors/domains/factories.ts";
import { componentRow, linkDomain, makePage, manyMonitors, PAGES, publicOf } from "../factories.ts";

/** A page with one domain on it, as `Shop`. */
async function pageWithShop(server: TestServer, more: { page?: object; link?: object } = {}) {
  const page = await makePage(server, more.page);
  const domain = await makeDomain(server, { name: "Front" });
  const component = await linkDomain(server, page, domain, more.link);
  return { page, domain, component };
}

const post = async (server: TestServer, path: string, body: object) => {
  const answer = await server.api("POST", path, body);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
};

interface Outage {
  monitorId: number;
  name: string;
  outageStartedAt: number;
  outageEndedAt: number | null;
}

/** What the pipeline writes of an outage that several monitors may share. */
async function openAutomatic(
  server: TestServer,
  outages: readonly Outage[],
  more: { resolvedAt?: number } = {},
): Promise<{ id: number; uuid: string }> {
  const { db } = server.ctx.store;
  const { id: organizationId } = server.person.organization;
  const [first] = outages as [Outage];
  const { resolvedAt = null } = more;
  const reported = msg("incident.outage", { name: first.name, since: new Date(NOW).toISOString() });
  const incident = {
    ...{
      uuid: crypto.randomUUID(),
      organizationId,
      monitorId: first.monitorId,
      automatic: true,
      descriptionMessage: reported,
    },
    titleMessage: titleOfOutage(first.name),
    ...{ title: `${first.name} is down`, description: "The server answered 500.", severity: "high" as const },
    ...{ impact: "major" as const, status: resolvedAt === null ? "open" : "resolved", resolvedAt },
    ...{ startedAt: first.outageStartedAt, detectedAt: first.outageStartedAt + MINUTE },
    affectedServices: [...outages],
  };
  const id = (await insertIncidents(db, [incident], NOW)).get(incident.uuid) as number;
  await insertAffectedServices(db, [{ id, organizationId, affectedServices: outages }]);
  const entry = { organizationId, incidentId: id, userId: null, status: "open", at: NOW };
  await insertIncidentUpdates(db, [{ ...entry, message: "The server answered 500.", descriptor: reported }]);
  return { id, uuid: incident.uuid };
}

eachEngine("what visitors get of a page", (engine) => {
  test("is in UTC hours and the zone's days, with the metrics that the API has elsewhere", async () => {
    const server = await serve({ engine });
    const { store } = server.ctx;
    const { page, domain, component } = await pageWithShop(server, {
      page: { timeZone: "Europe/Berlin" },
      link: { showsResponseTimes: true, description: "Where people buy." },
    });
    await setHistory(store, domain.id, [
      [NOW - 10 * DAY, "up"],
      [NOW - 2 * DAY, "down"],
      [NOW - 2 * DAY + HOUR, "up"],
      [NOW - HOUR, "degraded"],
    ]);
    await setState(store, domain.id, { status: "degraded", status_since: NOW - HOUR });
    const locationId = await makeLocation(store, "local");
    const check = (minutes: number, totalUs: number) =>
      makeResult({ monitorId: domain.id, locationId, scheduledAt: NOW - HOUR - minutes * MINUTE, totalUs });
    await observe(store, [check(5, 100_000), check(6, 100_000), check(7, 900_000)]);
    const read = await publicOf(server, page.slug);
    expect(read).toMatchObject({ overall: "degraded", timeZone: "Europe/Berlin", incidents: [] });
    const [shop] = read.groups[0].components;
    expect(shop).toMatchObject({
      ...{ uuid: component.uuid, name: "Shop", description: "Where people buy.", status: "degraded" },
      since: new Date(NOW - HOUR).toISOString(),
      measuredSince: new Date(NOW - 10 * DAY).toISOString(),
    });
    const summary = (await server.api("GET", `/api/domains/${domain.id}/summary`)).body.data;
    expect(Math.abs(shop.uptime - summary.stats.uptime30d)).toBeLessThan(0.01);
    expect(shop.days).toHaveLength(90);
    expect(shop.days.at(-1).date).toBe("2026-11-21");
    expect(shop.days.find((day: { date: string }) => day.date === "2026-11-19")).toMatchObject({
      status: "outage",
      outages: [
        { from: new Date(NOW - 2 * DAY).toISOString(), to: new Date(NOW - 2 * DAY + HOUR).toISOString() },
      ],
    });
    expect(shop.responseTimes).toHaveLength(24);
    const hour = shop.responseTimes.find((one: { responseTime: number | null }) => one.responseTime !== null);
    expect(hour.responseTime).toBeGreaterThan(95);
    expect(hour.responseTime).toBeLessThan(105);
  });

  test("leaves out the metrics that are not for visitors", async () => {
    const server = await serve({ engine });
    const hidden = { showsUptime: false, showsDays: false, showsResponseTimes: false };
    const { page } = await pageWithShop(server, { link: hidden });
    expect((await publicOf(server, page.slug)).groups[0].components).toMatchObject([
      { uptime: null, days: null, responseTimes: null, status: "unknown", since: null },
    ]);
  });

  test("says what is paused and what is in maintenance", async () => {
    const server = await serve({ engine });
    const { page, domain } = await pageWithShop(server);
    await setState(server.ctx.store, domain.id, { status: "down", maintenance_until: NOW + HOUR });
    expect(await publicOf(server, page.slug)).toMatchObject({ overall: "maintenance" });
    await server.api("PUT", `/api/domains/${domain.id}`, { enabled: false });
    const read = await publicOf(server, page.slug);
    expect([read.overall, read.groups[0].status]).toEqual(["unknown", "paused"]);
  });

  test("reports outages in sentences of its own, and of people's updates as they wrote them", async () => {
    const server = await serve({ engine });
    const { page, domain, component } = await pageWithShop(server);
    const hidden = await makeDomain(server, { name: "Ledger", url: "https://ledger.test" });
    const startedAt = NOW - 20 * MINUTE;
    const incident = await openAutomatic(server, [
      { monitorId: hidden.id, name: "Ledger", outageStartedAt: NOW - HOUR, outageEndedAt: null },
      { monitorId: domain.id, name: "Front", outageStartedAt: startedAt, outageEndedAt: null },
    ]);
    await post(server, `/api/incidents/${incident.id}/updates`, {
      message: "We are on it.",
      status: "identified",
    });
    const [shown] = (await publicOf(server, page.slug)).incidents;
    expect(shown).toMatchObject({
      ...{ uuid: incident.uuid, title: "Shop is not available", status: "identified", impact: "major" },
      ...{ startedAt: new Date(startedAt).toISOString(), resolvedAt: null },
      components: [{ uuid: component.uuid, name: "Shop" }],
    });
    expect(shown.updates.map(({ status, message }: Record<string, string>) => [status, message])).toEqual([
      ["identified", "We are on it."],
      ["open", "Shop is not available."],
    ]);
    const german = await server.api("GET", `${PAGES}/${page.slug}/public`, undefined, {
      key: null,
      headers: { "accept-language": "de" },
    });
    expect(german.body.data.incidents[0].title).toBe("Shop ist nicht verfügbar");
  });

  test("an incident is over for visitors when all that they know of works again", async () => {
    const server = await serve({ engine });
    const { page, domain } = await pageWithShop(server);
    const hidden = await makeDomain(server, { name: "Ledger", url: "https://ledger.test" });
    const endedAt = NOW - 5 * MINUTE;
    await openAutomatic(server, [
      { monitorId: hidden.id, name: "Ledger", outageStartedAt: NOW - HOUR, outageEndedAt: null },
      { monitorId: domain.id, name: "Front", outageStartedAt: NOW - HOUR, outageEndedAt: endedAt },
    ]);
    const read = await publicOf(server, page.slug);
    expect(read.incidents).toEqual([]);
    expect(read.history).toMatchObject([
      {
        ...{ status: "resolved", resolvedAt: new Date(endedAt).toISOString() },
        updates: [
          { status: "resolved", message: "Shop is available again." },
          { status: "open", message: "Shop is not available." },
        ],
      },
    ]);
  });

  test("without automatic incidents, an outage is shown once somebody writes of it", async () => {
    const server = await serve({ engine });
    const { page, domain } = await pageWithShop(server, { page: { showAutomatic: false } });
    const outage = { monitorId: domain.id, name: "Front", outageStartedAt: NOW - HOUR, outageEndedAt: null };
    const { id } = await openAutomatic(server, [outage]);
    expect((await publicOf(server, page.slug)).incidents).toEqual([]);
    await post(server, `/api/incidents/${id}/updates`, { message: "We know." });
    expect((await publicOf(server, page.slug)).incidents).toMatchObject([
      { title: "Shop is not available", updates: [{ message: "We know." }] },
    ]);
  });

  test("a title that a person gave an outage is shown, not the one that names the monitor", async () => {
    const server = await serve({ engine });
    const { page, domain } = await pageWithShop(server);
    const outage = { monitorId: domain.id, name: "Front", outageStartedAt: NOW - HOUR, outageEndedAt: null };
    const { id } = await openAutomatic(server, [outage]);
    const titleAfter = async (change: object) => {
      await server.api("PUT", `/api/incidents/${id}`, change);
      return (await publicOf(server, page.slug)).incidents[0].title;
    };
    expect(await titleAfter({ description: "It is the disk of db-3." })).toBe("Shop is not available");
    expect(await titleAfter({ title: "Orders are delayed" })).toBe("Orders are delayed");
    // Written by an older version that runs beside this one.
    for (const [title, shown] of [
      ["Front is down", "Shop is not available"],
      ["Front and 2 more are down", "Shop is not available"],
      ["Front and Mail are down", "Front and Mail are down"],
    ]) {
      const older = { title, title_message: null };
      await server.ctx.store.db.updateTable("incidents").set(older).where("id", "=", id).execute();
      expect((await publicOf(server, page.slug)).incidents[0].title).toBe(shown);
    }
  });

  test("manual incidents are there with their updates, counted by their impact, and never by a description", async () => {
    const server = await serve({ engine });
    const { page, domain } = await pageWithShop(server);
    await setState(server.ctx.store, domain.id, { status: "up", status_since: NOW - DAY });
    const opened = await post(server, "/api/incidents", {
      ...{
        title: "Slow checkout",
        description: "db-3 is full.",
        impact: "critical",
        status: "investigating",
      },
      monitorIds: [domain.id],
    });
    await post(server, "/api/incidents", { title: "Of nothing here", affectedServices: ["Shop"] });
    const read = await publicOf(server, page.slug);
    expect(read.overall).toBe("major_outage");
    const { status, components } = read.groups[0];
    expect([status, components[0]]).toMatchObject([
      "outage",
      {
        name: "Shop",
        status: "outage",
        since: read.incidents[0].startedAt,
        incidents: [read.incidents[0].uuid],
      },
    ]);
    expect(read.incidents).toMatchObject([
      { title: "Slow checkout", updates: [{ status: "investigating", message: "" }] },
    ]);
    await post(server, `/api/incidents/${opened.id}/updates`, { message: "Solved.", status: "resolved" });
    const after = await publicOf(server, page.slug);
    expect([after.overall, after.incidents]).toEqual(["operational", []]);
    expect(after.groups[0].components[0]).toMatchObject({ status: "operational", incidents: [] });
    expect(after.history[0].updates[0]).toMatchObject({ status: "resolved", message: "Solved." });
  });

  test("an update goes to the pages that it names, and what is for no page is on none", async () => {
    const server = await serve({ engine });
    const { page, domain } = await pageWithShop(server);
    const other = await makePage(server);
    await linkDomain(server, other, domain);
    const { id } = await post(server, "/api/incidents", { title: "Slow", monitorIds: [domain.id] });
    await post(server, `/api/incidents/${id}/updates`, { message: "For one page." });
    const { db } = server.ctx.store;
    const updates = db.updateTable("incident_updates").where("incident_id", "=", id);
    await updates.set({ pages: "[]" }).execute();
    expect((await publicOf(server, page.slug)).incidents).toEqual([]);
    await updates
      .set({ pages: JSON.stringify([page.id]) })
      .where("message", "=", "For one page.")
      .execute();
    expect((await publicOf(server, page.slug)).incidents).toMatchObject([
      { updates: [{ message: "For one page." }] },
    ]);
    expect((await publicOf(server, other.slug)).incidents).toEqual([]);
  });

  test("history goes back 90 days", async () => {
    const server = await serve({ engine });
    const { page, domain } = await pageWithShop(server);
    for (const days of [10, 95]) {
      const outageStartedAt = NOW - days * DAY;
      const outageEndedAt = outageStartedAt + HOUR;
      const outage = { monitorId: domain.id, name: "Front", outageStartedAt, outageEndedAt };
      await openAutomatic(server, [outage], { resolvedAt: outageEndedAt });
    }
    const { history } = await publicOf(server, page.slug);
    expect(history.map((one: { startedAt: string }) => one.startedAt)).toEqual([
      new Date(NOW - 10 * DAY).toISOString(),
    ]);
  });

  test("shows maintenance of what is on the page: under way, then ahead, each time with a uuid", async () => {
    const server = await serve({ engine });
    const { page, domain, component } = await pageWithShop(server);
    const other = await makeDomain(server, { name: "Ledger", url: "https://ledger.test" });
    const at = (ms: number) => new Date(ms).toISOString();
    const plan = (body: object) => post(server, "/api/maintenance", { duration: 3600, ...body });
    await plan({ title: "Of another", monitorIds: [other.id] });
    await plan({ title: "Far away", startsAt: at(NOW + 31 * DAY), everything: true });
    const once = await plan({ title: "Upgrade", startsAt: at(NOW + DAY), monitorIds: [domain.id] });
    await plan({ title: "Now", description: "Disks.", startsAt: at(NOW), everything: true });
    await plan({
      ...{ title: "Weekly", startsAt: at(NOW + 2 * DAY), recurrence: "FREQ=WEEKLY", everything: true },
    });
    const { maintenance } = await publicOf(server, page.slug);
    expect(
      maintenance.map((one: { title: string; isRunning: boolean }) => [one.title, one.isRunning]),
    ).toEqual([["Now", true], ["Upgrade", false], ...Array.from({ length: 4 }, () => ["Weekly", false])]);
    expect(maintenance[0]).toMatchObject({
      description: "Disks.",
      components: [{ uuid: component.uuid, name: "Shop" }],
    });
    expect(maintenance[1].uuid).toBe(once.uuid);
    expect(new Set(maintenance.map((one: { uuid: string }) => one.uuid)).size).toBe(maintenance.length);
  });

  test("takes as many statements for 50 components as for one", async () => {
    const server = await serve({ engine });
    const small = await makePage(server);
    const large = await makePage(server);
    const { id } = server.person.organization;
    const monitors = await manyMonitors(server, 50);
    await insertMany(server.ctx.store.db, "status_page_components", [
      ...monitors.map((one) => componentRow(large, id, one)),
      componentRow(small, id, monitors[0] as number),
    ]);
    for (const monitorId of monitors.slice(0, 5)) {
      const outage = { monitorId, name: "x", outageStartedAt: NOW - HOUR, outageEndedAt: null };
      await openAutomatic(server, [outage]);
    }
    const read = (slug: string) => countQueries(server.ctx.store, () => publicOf(server, slug));
    const one = await read(small.slug);
    expect(await read(large.slug)).toBe(one);
    expect(one).toBeLessThanOrEqual(12);
  });
});
