import type { Command } from "commander";
import { readConfig } from "../../platform/config.ts";
import { type DataFlags, withData } from "./account.ts";
import type { Running } from "./serve.ts";
import type { Wiring } from "./wiring.ts";

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
      const { serve } = await import("./serve.ts");
      const config = readConfig(wiring.environment, { host, port, dataFolder });
      const running = await serve(wiring, config);
      // First: the reader of the line may send a signal at once.
      stopOnSignal(running.stop);
      surviveFaults(running.contain);
      process.stdout.write(
        readyLine(running.address, config.publicUrl) + setUpLine(running, config.publicUrl),
      );
    });
}

/** Behind a proxy people use another address than the one it listens on: both are shown. */
function readyLine(address: string, publicUrl: string | null): string {
  if (publicUrl === null) return `Vedette is ready at ${address}\n`;
  return `Vedette is ready at ${publicUrl} (listening on ${address})\n`;
}

/** How to become the owner where anonymous clients could reach the server first. */
function setUpLine({ address, setUpToken }: Running, publicUrl: string | null): string {
  if (setUpToken === null) return "";
  const here = publicUrl ?? reachable(address);
  const elsewhere =
    publicUrl === null && here !== address
      ? "From another machine, use the address of this one in place of localhost.\n"
      : "";
  return `There is no account yet. Create the owner at ${here}/set-up#${setUpToken} or there with the one-time token ${setUpToken}\n${elsewhere}`;
}

/** The address at which this machine reaches the server: `0.0.0.0` and `::` cannot be opened. */
const reachable = (address: string): string =>
  address.replace(/^http:\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, "http://localhost");

/**
 * An uncaught exception ends its connection; one without a connection leaves the process in an unknown state:
 * it ends, as is Node's rule, and is restarted by its supervisor (docs/adr/0077).
 */
function surviveFaults(contain: Running["contain"]): void {
  process.on("uncaughtException", (error: unknown) => {
    if (contain(error)) return;
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`vedette: an unexpected exception ended the server: ${what}\n`);
    process.exit(1);
  });
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
