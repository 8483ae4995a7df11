import { expect, it, onTestFinished } from "vitest";
import type { TestServer } from "../harness/server.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { addIncident, addMonitor, DAY, HOUR, NOW, reportServer } from "./world.ts";

const MINUTE = 60_000;

async function serverOn(engine: EngineName): Promise<TestServer> {
  const server = await reportServer({ engine });
  onTestFinished(() => server.close());
  return server;
}

eachEngine("the report on incidents", (engine) => {
  it("counts what began in its time, and how soon it was acknowledged and resolved", async () => {
    const server = await serverOn(engine);
    const first = await addIncident(server, {
      ...{ title: "Disk full", startedAt: NOW - 3 * DAY, lastedMs: 2 * HOUR, acknowledgedMs: 10 * MINUTE },
      ...{ severity: "critical", affects: ["Shop", "Blog"] },
    });
    const second = await addIncident(server, {
      ...{ title: "Slow", startedAt: NOW - 2 * DAY, lastedMs: HOUR, acknowledgedMs: 20 * MINUTE },
      ...{ severity: "low", affects: ["Shop"] },
    });
    const open = await addIncident(server, { title: "Still open", startedAt: NOW - 5 * HOUR });
    await addIncident(server, { title: "Merged", startedAt: NOW - HOUR, mergedIntoId: open });
    await addIncident(server, { title: "Week before", startedAt: NOW - 8 * DAY, lastedMs: 30 * MINUTE });
    await addIncident(server, {
      title: "Foreign",
      startedAt: NOW - HOUR,
      person: await server.createOrganization(),
    });
    const { status, body } = await server.api("GET", "/api/reports/incidents?range=7d");
    expect(status).toBe(200);
    const { total, previous, worst, items, points } = body.data;
    expect(total).toEqual({
      ...{ incidents: 3, automatic: 0, open: 1, resolved: 2, acknowledged: 2 },
      bySeverity: { low: 1, medium: 0, high: 1, critical: 1 },
      ...{ mttaSeconds: 900, mttrSeconds: 5400, longestSeconds: 5 * 3600 },
    });
    expect(previous).toMatchObject({ incidents: 1, mttrSeconds: 1800, mttaSeconds: null });
    expect(worst).toEqual([
      { monitorId: null, name: "Shop", incidents: 2, durationSeconds: 3 * 3600 },
      { monitorId: null, name: "Blog", incidents: 1, durationSeconds: 2 * 3600 },
    ]);
    expect(items.map(({ id }: { id: number }) => id)).toEqual([open, second, first]);
    expect(items[2]).toMatchObject({ title: "Disk full", durationSeconds: 7200, affected: ["Shop", "Blog"] });
    const counted = points.reduce((sum: number, point: { incidents: number }) => sum + point.incidents, 0);
    expect(counted).toBe(3);
    expect((await server.api("GET", "/v2/reports/incidents?range=7d")).body.data.total).toMatchObject({
      mtta_seconds: 900,
      by_severity: { critical: 1 },
    });
  });

  it("as CSV names what was affected, and runs nothing", async () => {
    const server = await serverOn(engine);
    await addIncident(server, {
      title: "@cmd|' /C calc'!A0",
      startedAt: NOW - HOUR,
      affects: ["Shop", "=1+1"],
    });
    const { body } = await server.api("GET", "/api/reports/incidents?format=csv");
    const [head, row] = (body as string).trim().split("\n");
    expect(head).toContain("title,severity,impact,status,automatic,startedAt,acknowledgedAt,resolvedAt");
    expect(head).not.toContain("Fact");
    expect(row).toContain(`'@cmd|' /C calc'!A0`);
    expect(row).toContain('"Shop, =1+1"');
  });
});

eachEngine("the report on devices", (engine) => {
  it("says how long they were online, in words of the same kind", async () => {
    const server = await serverOn(engine);
    const id = await addMonitor(server, {
      ...{ name: "db-1", kind: "device" },
      history: [
        [NOW - 3 * DAY, "up"],
        [NOW - 12 * HOUR, "down"],
        [NOW - 6 * HOUR, "up"],
      ],
    });
    const { status, body } = await server.api("GET", "/api/reports/devices?range=24h");
    expect(status).toBe(200);
    expect(body.data.items).toMatchObject([
      { id, uptimePercentage: 75, downSeconds: 6 * 3600, outages: 1, mttrSeconds: 6 * 3600, cpuMean: null },
    ]);
    expect(body.data.usageKnown).toBe(true);
    expect(body.data.items[0]).not.toHaveProperty("avgResponseTime");
    expect((await server.api("GET", "/v2/reports/devices")).status).toBe(200);
  });
});
