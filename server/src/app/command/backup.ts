import type { Command } from "commander";
import { ConfigError } from "../../platform/config-values.ts";
import type { StoreLocation } from "../../platform/database/open.ts";
import type { Restored } from "../backup.ts";
import { configOf, type DataFlags, withData } from "./account.ts";
import { dataPaths, lockDataFolder, prepareDataFolder } from "./data-folder.ts";
import type { Wiring } from "./wiring.ts";

export function addBackupCommands(program: Command, wiring: Wiring): void {
  withData(program.command("backup").argument("<file>"))
    .description("Write everything that is stored into one file; the server may run meanwhile.")
    .action(async (file: string, flags: DataFlags) => {
      const config = configOf(wiring.environment, flags);
      const [{ backupStore }, { storeLocation }] = await Promise.all([
        import("../backup.ts"),
        import("./wiring.ts"),
      ]);
      await backupStore(storeLocation(config), file);
      process.stdout.write(`Wrote ${file}.\n`);
      if (config.secretKey) return;
      const key = dataPaths(config.dataFolder).secretKey;
      process.stdout.write(
        `Keep ${key} as well, in another place: without it the secrets in the backup cannot be read.\n`,
      );
    });

  withData(program.command("restore").argument("<file>"))
    .description("Replace everything that is stored by a backup; the server must be stopped.")
    .action((file: string, flags: DataFlags) => restore(wiring, file, flags));

  withData(program.command("migrate"))
    .description("Bring the database up to this program's version (start does it by itself).")
    .action(async (flags: DataFlags) => {
      const { withContext } = await import("./wiring.ts");
      await withContext(wiring, configOf(wiring.environment, flags), async () => {});
      process.stdout.write("The database is up to date.\n");
    });
}

async function restore(wiring: Wiring, file: string, flags: DataFlags): Promise<void> {
  const [{ restoreStore }, { storeLocation }] = await Promise.all([
    import("../backup.ts"),
    import("./wiring.ts"),
  ]);
  const config = configOf(wiring.environment, flags);
  prepareDataFolder(config.dataFolder);
  const release = lockDataFolder(config.dataFolder);
  try {
    if (config.databaseUrl) await refuseWhileRunning(wiring, storeLocation(config));
    const { revivedKeys } = await restoreStore(storeLocation(config), file);
    process.stdout.write(`Restored ${file}. All sessions have ended: everybody signs in again.\n`);
    process.stdout.write(aboutKeys(revivedKeys));
  } finally {
    release();
  }
}

/** What the operator must know of the backup's keys: some may have been deleted for a reason. */
function aboutKeys(revived: Restored["revivedKeys"]): string {
  if (revived === null) {
    return "There was no database to compare with. Keys that were deleted after the backup work again: look through them.\n";
  }
  if (revived.length === 0) return "";
  const lines = revived.map(({ organization, prefix, name }) => `  ${organization}: ${prefix}… (${name})`);
  return `These API keys work again, though they were deleted or had expired:\n${lines.join("\n")}\n`;
}

/** With PostgreSQL a server may run on another machine: its probe's heartbeat shows. */
async function refuseWhileRunning(wiring: Wiring, location: StoreLocation): Promise<void> {
  const [{ countLiveProbes }, { SILENT_MS }] = await Promise.all([
    import("../../platform/database/installation.ts"),
    import("../../engine/probe/membership.ts"),
  ]);
  const store = await wiring.openStore(location);
  const since = wiring.clock.now() - SILENT_MS;
  const running = await countLiveProbes(store.db, since).finally(() => store.close());
  if (running > 0) {
    throw new ConfigError(
      "A Vedette server is running on this database. Stop every one, wait 15 seconds, and try again.",
    );
  }
}
