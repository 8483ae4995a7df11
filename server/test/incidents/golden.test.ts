import { expect, onTestFinished, test } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { createState } from "../../src/engine/status/monitor-states.ts";
import { insertMonitor } from "../../src/monitors/queries/monitors.ts";
import { failed, monitorNamed } from "../app/pipeline/setup.ts";
import { startTestServer } from "../harness/server.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";

const NOW = Date.UTC(2026, 10, 21, 9, 30);
/** What is hard to carry over: quotes, a comma, a bracket, other scripts. */
const NAME = 'Shop "north", [1] 漢字';

/** An organization with one incident, of an outage; the monitor has been renamed since. */
async function sample(engine: EngineName) {
  const server = await startTestServer({ engine, alone: true, clock: { now: () => NOW } });
  onTestFinished(server.close);
  const { store } = server.ctx;
  const organizationId = server.person.organization.id;
  const id = await store.transaction(async (trx) => {
    const created = await insertMonitor(trx, { ...monitorNamed(NAME), organizationId }, NOW);
    await createState(trx, created, NOW);
    return created;
  });
  await ingestBatch(server.ctx, [failed(id, NOW - 4_000), failed(id, NOW - 3_000)]);
  await store.db.updateTable("monitors").set({ name: "Renamed" }).where("id", "=", id).execute();
  const { uuid } = await store.db
    .selectFrom("incidents")
    .select("uuid")
    .where("monitor_id", "=", id)
    .executeTakeFirstOrThrow();
  const { uuid: monitorUuid } = await store.db
    .selectFrom("monitors")
    .select("uuid")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { server, id, uuid, monitorUuid };
}

/** With the order of the fields, as it goes over the network. */
const text = (value: unknown) => JSON.stringify(value, null, 2);

eachEngine("the shape in the API", (engine) => {
  test("of an incident, in the list and alone, in both families", async () => {
    const { server, id, uuid, monitorUuid } = await sample(engine);
    const incident = {
      id: 1,
      uuid,
      title: `${NAME} is down`,
      titleFact: { code: "incident.down", params: { name: NAME } },
      description: `${NAME} has not been working since 2026-11-21 09:29:56 UTC. The connection was refused.`,
      fact: {
        code: "incident.outage",
        params: { name: NAME, since: "2026-11-21T09:29:56.000Z" },
        because: { code: "refused.text", params: { text: "The connection was refused." } },
      },
      reason: "The connection was refused.",
      reasonFact: { code: "refused.text", params: { text: "The connection was refused." } },
      deployment: null,
      status: "open",
      severity: "high",
      impact: "major",
      automatic: true,
      affectedServices: [NAME],
      affected: [
        {
          name: NAME,
          monitorId: id,
          monitorUuid,
          kind: "domain",
          outageStartedAt: "2026-11-21T09:29:56.000Z",
          outageEndedAt: null,
          acknowledged: false,
          flapping: false,
          maintenanceUntil: null,
        },
      ],
      startedAt: "2026-11-21T09:29:56.000Z",
      detectedAt: "2026-11-21T09:30:00.000Z",
      resolvedAt: null,
      acknowledgedAt: null,
      acknowledgedById: null,
      acknowledgedByName: null,
      assigneeId: null,
      assigneeName: null,
      mergedIntoId: null,
      hasPostmortem: false,
      grouping: null,
      groupingFact: null,
      monitorId: id,
      monitorUuid,
      createdAt: "2026-11-21T09:30:00.000Z",
      updatedAt: "2026-11-21T09:30:00.000Z",
    };
    const inSnake = (object: object) =>
      Object.fromEntries(
        Object.entries(object).map(([key, value]) => [
          key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
          value,
        ]),
      );
    const snake = inSnake({ ...incident, affected: incident.affected.map(inSnake) });
    for (const [path, expected] of [
      ["/api/incidents", [incident]],
      ["/api/incidents/1", { ...incident, suppressed: [] }],
      ["/v2/incidents", [snake]],
      [`/v2/incidents/${uuid}`, { ...snake, suppressed: [] }],
    ] as const) {
      expect(text((await server.api("GET", path)).body.data), path).toBe(text(expected));
    }
  });
});
