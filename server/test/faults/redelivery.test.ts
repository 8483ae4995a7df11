import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { respond, status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { type House, openHouse } from "./house.ts";
import { readStored, startSites, total } from "./served.ts";

/** A check that was answered this long ago is on disk: 20 ms by design, the rest for a busy machine. */
const ON_DISK_MS = 150;

/** How many failed checks of each monitor are stored, in the order of `ids`. */
async function failuresOf(house: House, ids: readonly number[]): Promise<number[]> {
  const rows = await house.look(({ db }) =>
    db.selectFrom("results").select("monitor_id").where("outcome", "=", 1).execute(),
  );
  return ids.map((id) => rows.filter((row) => row.monitor_id === id).length);
}

it("stores what waited on disk when it was killed, and counts a batch once that comes again, because the kill came before the queue had noted it as stored", async () => {
  const house = await openHouse();
  const sites = await startSites(100);
  const ids = await house.addDomains(sites.urls);
  const everything = async () => {
    const served = total(sites.served);
    return eventually(
      () => readStored(house, ids),
      ({ times }) => total(times) >= served,
    );
  };
  await everything();
  // Another process holds the database, so results wait on disk.
  // The server writes, too: wait for it as any other process would.
  const other = new DatabaseSync(join(house.folder, "vedette.db"), { timeout: 5_000 });
  onTestFinished(() => other.close());
  other.exec("begin immediate");
  // Distinguishes what is made now from what is made again afterwards.
  sites.set(status(503));
  const before = sites.served.map(({ length }) => length);
  await eventually(
    () => total(sites.served),
    (now) => now >= before.reduce((sum, count) => sum + count) + 20,
  );
  const waiting = sites.served.map(({ length }, site) => length - (before[site] ?? 0));
  await new Promise((resolve) => setTimeout(resolve, ON_DISK_MS));
  const queue = join(house.folder, "probe-queue");
  const copy = join(house.folder, "copy");
  cpSync(queue, copy, { recursive: true });
  await house.kill();
  sites.set(respond());
  other.exec("rollback");
  await house.start();
  await eventually(
    () => failuresOf(house, ids),
    (stored) => stored.every((count, site) => count >= (waiting[site] ?? 0)),
  );
  await everything();
  await house.kill();
  rmSync(queue, { recursive: true });
  cpSync(copy, queue, { recursive: true });
  await house.start();
  // Results leave the queue in order: with a new one here, all of the old ones have come again.
  const again = total(sites.served);
  await eventually(
    () => total(sites.served),
    (now) => now >= again + 10,
  );
  const stored = await everything();
  expect(stored.rolledUp).toEqual(stored.times.map(({ length }) => length));
}, 240_000);
