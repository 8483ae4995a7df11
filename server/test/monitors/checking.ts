import { onTestFinished } from "vitest";
import { type Engine, followEvents, startEngine } from "../../src/app/engine.ts";
import type { Location } from "../../src/engine/probe/location-probe.ts";
import { temporaryFolder } from "../engine/probe/factories.ts";
import type { Behaviour } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { startHttpTarget } from "../harness/targets.ts";

/** A server with the real engine, which receives events as it does in production. */
export async function servingChecks(
  options: TestServerOptions & { locations?: Location[] },
): Promise<TestServer & { checks: Engine }> {
  const { locations, ...more } = options;
  let checks: Engine | undefined;
  const server = await startTestServer({
    ...more,
    async startEngine(ctx) {
      const own = { ...ctx, config: { ...ctx.config, dataFolder: temporaryFolder() } };
      checks = await startEngine(own, undefined, locations ? { locations } : {});
      followEvents(checks, ctx.live as Required<typeof ctx.live>);
      return checks;
    },
  });
  onTestFinished(server.close);
  return { ...server, checks: checks as Engine };
}

/** A web server of the test's own. */
export async function aTarget(handler?: Behaviour) {
  const target = await startHttpTarget(handler ? { handler } : {});
  onTestFinished(target.close);
  return target;
}

/** What its checks found so far, oldest first. */
export const resultsOf = ({ ctx }: TestServer, id: number) =>
  ctx.store.db
    .selectFrom("results")
    .selectAll()
    .where("monitor_id", "=", id)
    .orderBy("scheduled_at")
    .execute();

/** A daily domain after its first checks, one a location. */
export async function aWatchedDomain(server: TestServer, body: object, checks = 1): Promise<number> {
  const made = await server.api("POST", "/api/domains", { checkInterval: 86_400, ...body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { id } = made.body.data as { id: number };
  await eventually(
    () => resultsOf(server, id),
    (rows) => rows.length >= checks,
  );
  return id;
}
