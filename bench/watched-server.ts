/**
 * The API over the store of the folder that it is started with, in a process that watches its own main thread. It
 * sends its port once it listens, and then an answer to each order. Turns of the event loop are measured in
 * milliseconds of the thread's CPU, so that other processes of a busy machine do not count.
 */

import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { toolsOf } from "../server/src/app/command/network.ts";
import { offeredTools } from "../server/src/app/http/described.ts";
import { createLogger, createServer } from "../server/src/app/http/server.ts";
import { createLive } from "../server/src/app/live/hub.ts";
import { laterRooms } from "../server/src/app/pipeline.ts";
import { createAssistant } from "../server/src/assistant/tools/assistant-tools.ts";
import { createResolver } from "../server/src/checks/resolve.ts";
import { PageReader } from "../server/src/checks/site/page-reader.ts";
import { NO_HEALTH } from "../server/src/engine/probe/check-delay.ts";
import { FileReader } from "../server/src/monitors/import/file-reader.ts";
import { systemClock } from "../server/src/platform/clock.ts";
import { readConfig } from "../server/src/platform/config.ts";
import type { Context } from "../server/src/platform/context.ts";
import { openStore } from "../server/src/platform/database/open.ts";
import { createSecretBox } from "../server/src/platform/secrets/secret-box.ts";
import { type WatchOrder, watchTurns } from "./harness.ts";

const store = await openStore({ file: join(process.argv[2] as string, "vedette.db") });
const log = createLogger("warn");
const config = { ...readConfig({}), rateLimits: false, metrics: "loopback" as const };
const own = { store, log, clock: systemClock, secrets: createSecretBox(Buffer.alloc(32, 1)) };
const ctx: Context = {
  ...own,
  config,
  network: { resolver: createResolver({ servers: [] }), policy: "all" },
  files: new FileReader(),
  tools: toolsOf(config, log),
  pages: new PageReader({ settings: { resolvers: [], policy: "all" }, log }),
  engine: {
    accept: async () => {},
    checkNow: async () => null,
    monitorChanged() {},
    health: () => ({ ...NO_HEALTH, ticking: true }),
    jobs: () => [],
  },
  live: createLive(own),
  ...laterRooms,
};
ctx.assistant = createAssistant(ctx, offeredTools);
const app = await createServer(ctx);
await app.listen({ host: "127.0.0.1", port: 0 });

const turns = watchTurns();

process.on("message", (order: WatchOrder) => {
  if (order === "longest") return void process.send?.(turns.longestMs());
  turns.begin();
  process.send?.(0);
});
process.on("disconnect", () => process.exit(0));
process.send?.((app.server.address() as AddressInfo).port);
