import { chmodSync, existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { EngineControl } from "../../engine/control.ts";
import { NO_HEALTH } from "../../engine/probe/check-delay.ts";
import { FileReader } from "../../monitors/import/file-reader.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.ts";
import { ConfigError } from "../../platform/config-values.ts";
import type { Context, Logger } from "../../platform/context.ts";
import { claimMeta } from "../../platform/database/installation.ts";
import type { openStore, StoreLocation } from "../../platform/database/open.ts";
import { createSecretBox } from "../../platform/secrets/secret-box.ts";
import { createLogger } from "../http/server.ts";
import { laterRooms } from "../pipeline.ts";
import { dataPaths, installationKey, prepareDataFolder } from "./data-folder.ts";
import { networkOf, pagesOf, toolsOf } from "./network.ts";

/** What only main.ts may provide: the environment, the store and the clock. */
export interface Wiring {
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  openStore: typeof openStore;
}

/** Where this configuration keeps its data. */
export const storeLocation = (config: Config): StoreLocation =>
  config.databaseUrl ? { url: config.databaseUrl } : { file: dataPaths(config.dataFolder).database };

/** The context of a command that runs no engine: its changes reach a running server through the store. */
export async function openContext(wiring: Wiring, config: Config): Promise<Context> {
  const log = createLogger(config.logLevel);
  prepareDataFolder(config.dataFolder);
  const modes = closeToOthers(config.dataFolder);
  const key = installationKey(config.dataFolder, config.secretKey);
  const store = await wiring.openStore(storeLocation(config));
  describeModes(modes, log);
  const ctx: Context = {
    store,
    clock: wiring.clock,
    config,
    log,
    network: networkOf(config),
    pages: pagesOf(config, log),
    tools: toolsOf(config, log),
    files: new FileReader(),
    secrets: createSecretBox(key),
    engine: noEngine,
    live: { wake() {} },
    ...laterRooms,
  };
  await checkKey(ctx).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return ctx;
}

/** Only once the store is open: a start that fails says why in one line. */
function describeModes({ corrected, refused }: CorrectedModes, log: Logger): void {
  if (corrected.length > 0) {
    log.warn({ files: corrected }, "Others on this machine could read these files; now only their owner can");
  }
  if (refused.length > 0) {
    log.warn(
      { files: refused },
      "Others on this machine can read these files; their owner must take that right away",
    );
  }
}

const noEngine: EngineControl = {
  accept: () => Promise.reject(new Error("No engine runs here.")),
  checkNow: async () => null,
  monitorChanged() {},
  health: () => NO_HEALTH,
  jobs: () => [],
};

const KEY_PROOF = "vedette";

/** With the wrong key every stored secret would be unreadable: say so now, not at the first check. */
async function checkKey({ store, secrets }: Context): Promise<void> {
  const proof = await claimMeta(store.db, "secret_key_proof", secrets.seal(KEY_PROOF));
  try {
    if (secrets.open(proof) === KEY_PROOF) return;
  } catch {
    // A box that does not open is the answer.
  }
  throw new ConfigError(
    "The secret key does not fit this database. Set VEDETTE_SECRET_KEY to the key it was made with, or put its secret.key file back into the data folder.",
  );
}

/** Runs `work` with a context and closes the store whatever happens. */
export async function withContext<T>(
  wiring: Wiring,
  config: Config,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const ctx = await openContext(wiring, config);
  try {
    return await work(ctx);
  } finally {
    await ctx.store.close();
  }
}

/** What Vedette writes into its data folder; anything else there is not ours. */
const OWN = /^(vedette\.db|secret\.key|instance\.lock|probe-queue)/;
const OTHERS = 0o077;

interface CorrectedModes {
  /** Files and folders that others on this machine could read, and no longer can. */
  corrected: string[];
  /** Those that belong to another user, who alone may change them. */
  refused: string[];
}

/**
 * Removes the permissions of group and others from everything of Vedette's in the data folder: earlier versions left
 * them to the umask. Does nothing on Windows, which has no such permissions.
 */
export function closeToOthers(dataFolder: string): CorrectedModes {
  const modes: CorrectedModes = { corrected: [], refused: [] };
  if (process.platform === "win32" || !existsSync(dataFolder)) return modes;
  for (const name of readdirSync(dataFolder)) {
    if (OWN.test(name)) closeOne(join(dataFolder, name), modes);
  }
  return modes;
}

function closeOne(path: string, modes: CorrectedModes): void {
  const found = statOf(path);
  if (!found) return;
  if ((found.mode & OTHERS) !== 0) {
    try {
      chmodSync(path, found.mode & ~OTHERS & 0o7777);
      modes.corrected.push(path);
    } catch {
      modes.refused.push(path);
    }
  }
  if (found.isDirectory()) for (const name of namesIn(path)) closeOne(join(path, name), modes);
}

/** Null: another process has just removed it, or this user may not look into its folder. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** A folder that this user may not read is reported by whatever needs it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
