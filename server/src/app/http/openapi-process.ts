import type { FastifyInstance } from "fastify";
import { PageReader } from "../../checks/site/page-reader.ts";
import { ToolRunner } from "../../checks/toolbox/tool-runner.ts";
import { NO_HEALTH } from "../../engine/probe/check-delay.ts";
import { FileReader } from "../../monitors/import/file-reader.ts";
import { systemClock } from "../../platform/clock.ts";
import { readConfig } from "../../platform/config.ts";
import type { Context } from "../../platform/context.ts";
import { openStore } from "../../platform/database/open.ts";
import { createSecretBox } from "../../platform/secrets/secret-box.ts";
import { laterRooms } from "../pipeline.ts";
import { createServer } from "./server.ts";

/** The OpenAPI document of this version, from the routes themselves; no server is started and no setting read. */
export const buildOpenApi = async (): Promise<object> => (await describeApi()).document;

/** The document, and what it does not say of the routes: who may call them. */
export async function describeApi(): Promise<{ document: object; routes: FastifyInstance["routeList"] }> {
  const store = await openStore({ file: ":memory:" });
  const nothing = () => {};
  const ctx: Context = {
    store,
    clock: systemClock,
    config: { ...readConfig({}), rateLimits: false },
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    network: { resolver: { resolve: async () => ({ addresses: [], late: null }) }, policy: "public" },
    files: new FileReader(),
    pages: new PageReader({ settings: { resolvers: [], policy: "public" }, log: { error: nothing } }),
    tools: new ToolRunner({
      settings: {
        resolvers: [],
        policy: "public",
        sources: { geoDatabase: null, asnDatabase: null, rdapBootstrap: null, dataFolder: "" },
      },
      log: { error: nothing },
    }),
    secrets: createSecretBox(Buffer.alloc(32)),
    engine: {
      accept: async () => {},
      checkNow: async () => null,
      monitorChanged: nothing,
      health: () => NO_HEALTH,
      jobs: () => [],
    },
    live: { wake: nothing },
    ...laterRooms,
  };
  const app = await createServer(ctx);
  try {
    return { document: app.swagger(), routes: app.routeList };
  } finally {
    await app.close();
    await store.close();
  }
}

/* A process of its own, started with `--write`, writes the document to standard output. */
if (process.argv[2] === "--write") process.stdout.write(JSON.stringify(await buildOpenApi()));
