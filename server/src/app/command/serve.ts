import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { readSetUpToken } from "../../accounts/set-up.ts";
import { createAssistant } from "../../assistant/tools/assistant-tools.ts";
import type { Config } from "../../platform/config.ts";
import { followEvents, startEngine } from "../engine.ts";
import { offeredTools } from "../http/described.ts";
import { createServer } from "../http/server.ts";
import { createLive } from "../live/hub.ts";
import { lockDataFolder, prepareDataFolder } from "./data-folder.ts";
import { openContext, type Wiring } from "./wiring.ts";

/** A server that runs; `stop` ends it in order and resolves when everything is stored. */
export interface Running {
  address: string;
  /** The token that set-up requires of the first owner; null: none. */
  setUpToken: string | null;
  /** Ends the connection that an unexpected exception came from; false where none did (platform/http/request-edge.ts). */
  contain(error: unknown): boolean;
  stop(): Promise<void>;
}

/** Starts everything in the order of dependence; what was started is stopped when a later part fails. */
export async function serve(wiring: Wiring, config: Config): Promise<Running> {
  const undo: (() => unknown)[] = [];
  const running: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    // Side by side: each has its own limit, and all of them together must fit into ten seconds.
    const ended = await Promise.allSettled(running.splice(0).map((end) => end()));
    for (const step of undo.splice(0).reverse()) await step();
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  };
  try {
    prepareDataFolder(config.dataFolder);
    undo.push(lockDataFolder(config.dataFolder));
    const ctx = await openContext(wiring, config);
    undo.push(() => ctx.store.close());
    undo.push(() => ctx.pages.close());
    undo.push(() => ctx.tools.close());
    undo.push(() => ctx.files.close());
    const live = createLive(ctx);
    ctx.live = live;
    running.push(() => live.close());
    const engine = await startEngine(ctx);
    ctx.engine = engine;
    running.push(() => engine.stop());
    followEvents(engine, live);
    ctx.assistant = createAssistant(ctx, offeredTools);
    const server = await createServer(ctx);
    running.push(async () => server.close());
    const address = await listen(server, config);
    return { address, setUpToken: await readSetUpToken(ctx), contain: server.faults.contain, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  await server.listen({ host: config.host, port: config.port });
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}
