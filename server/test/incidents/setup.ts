import { onTestFinished } from "vitest";
import { insertMember } from "../../src/accounts/queries/members.ts";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { createState } from "../../src/engine/status/monitor-states.ts";
import { insertMonitor } from "../../src/monitors/queries/monitors.ts";
import { failed, monitorNamed, probed } from "../app/pipeline/setup.ts";
import { startTestServer, type TestPerson, type TestServer } from "../harness/server.ts";
import type { EngineName } from "../harness/stores.ts";

/** A server that the test ends. */
export async function serverOn(
  engine: EngineName,
  more: { plan?: "free" | "pro"; scopes?: string[] } = {},
): Promise<TestServer> {
  const server = await startTestServer({ engine, ...more });
  onTestFinished(() => server.close());
  return server;
}

/** A monitor of the person's organization that has not been checked. */
export function addMonitor(
  { ctx }: TestServer,
  { organization }: TestPerson,
  name: string,
  severity: "low" | "high" | "critical" = "high",
): Promise<number> {
  const now = ctx.clock.now();
  return ctx.store.transaction(async (trx) => {
    const settings = { ...monitorNamed(name), severity, organizationId: organization.id };
    const created = await insertMonitor(trx, settings, now);
    await createState(trx, created, now);
    return created;
  });
}

/** A monitor of the person's organization that has an outage; `over`: and has recovered. */
export async function outage(
  server: TestServer,
  person: TestPerson,
  name: string,
  more: { severity?: "low" | "critical"; over?: boolean } = {},
): Promise<number> {
  const id = await addMonitor(server, person, name, more.severity);
  const now = server.ctx.clock.now();
  const results = [failed(id, now - 4_000), failed(id, now - 3_000)];
  if (more.over) results.push(probed(id, now - 2_000), probed(id, now - 1_000));
  await ingestBatch(server.ctx, results);
  return id;
}

/** The monitor's outage ends. */
export async function recovery({ ctx }: TestServer, id: number): Promise<void> {
  const now = ctx.clock.now();
  await ingestBatch(ctx, [probed(id, now - 2_000), probed(id, now - 1_000)]);
}

/** The key of another member of the server's organization. */
export async function colleague(server: TestServer): Promise<string> {
  const { organization } = server.person;
  const { userId } = await server.createOrganization();
  await insertMember(server.ctx.store.db, { userId, organizationId: organization.id, role: "member" }, 0);
  return server.createKey({ person: { ...server.person, userId, organization } });
}
