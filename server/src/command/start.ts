import type { AddressInfo } from "node:net";
import type { Command } from "commander";
import type { FastifyInstance } from "fastify";
import { type Config, readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { type Engine, startEngine } from "../engine.ts";
import { createLive } from "../http/live/hub.ts";
import { createServer } from "../http/server.ts";
import { lockDataFolder, prepareDataFolder } from "./data-folder.ts";
import { type DataFlags, withData } from "./options.ts";
import { openContext, type Wiring } from "./wiring.ts";

const STOP_LIMIT_MS = 9_500;

interface StartFlags extends DataFlags {
  host?: string;
  port?: string;
}

/** `vedette start`: the API, the app and the check engine in one process. */
export function addStartCommand(program: Command, wiring: Wiring): void {
  withData(program.command("start").description("Run the server: API, app and check engine."))
    .option("--host <address>", "the address to listen on (VEDETTE_HOST, default 127.0.0.1)")
    .option("--port <number>", "the port to listen on, 0 for any (VEDETTE_PORT, default 8080)")
    .action(async (flags: StartFlags) => {
      const { host, port, data: dataFolder } = flags;
      const running = await start(wiring, readConfig(wiring.environment, { host, port, dataFolder }));
      process.stdout.write(`Vedette is ready at ${running.address}\n`);
      stopOnSignal(running.stop);
    });
}

interface Running {
  address: string;
  stop(): Promise<void>;
}

/** Starts everything in the order of dependence; what was started is stopped when a later part fails. */
async function start(wiring: Wiring, config: Config): Promise<Running> {
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    prepareDataFolder(config.dataFolder);
    undo.push(lockDataFolder(config.dataFolder));
    const ctx = await openContext(wiring, config);
    undo.push(() => ctx.store.close());
    const live = createLive(ctx.store, ctx.clock, ctx.log);
    ctx.live = live;
    undo.push(() => live.close());
    const engine = await startEngine(ctx);
    ctx.engine = engine;
    undo.push(() => engine.stop());
    live.onEvent("monitor.changed", ({ monitorId }) => engine.monitorChanged(monitorId as number));
    const server = await createServer(ctx);
    undo.push(() => server.close());
    return { address: await listen(server, config), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  await server.listen({ host: config.host, port: config.port });
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return config.publicUrl ?? `http://${host}:${port}`;
}

/** SIGTERM and SIGINT: finish what is running, flush, exit 0 within 10 s; a second signal exits at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`vedette: stopping failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
