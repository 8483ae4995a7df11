import { expect, it, onTestFinished } from "vitest";
import { backupStore, restoreStore } from "../../src/app/backup.ts";
import { countMonitors } from "../../src/monitors/queries/monitor-list.ts";
import { countOwnedMonitors } from "../../src/platform/access/queries/organizations.ts";
import { insertMany } from "../../src/platform/database/bulk.ts";
import type { Db } from "../../src/platform/database/schema.ts";
import { database, temporaryFile, withStore } from "../harness/databases.ts";
import { monitorRow, organizationRow } from "../harness/rows.ts";
import { eachEngine, openTestStore } from "../harness/stores.ts";

/** Domains and services of organization 1, domains of organization 2, and what a plan of 1 counts. */
const counts = (db: Db) =>
  Promise.all([
    countMonitors(db, { organizationId: 1, kind: "domain" }),
    countMonitors(db, { organizationId: 1, kind: "service" }),
    countMonitors(db, { organizationId: 2, kind: "domain" }),
    countOwnedMonitors(db, 1, ["domain", "service"]),
  ]);

const named = (id: number, more: object = {}) => monitorRow(id, { name: `Shop ${id}`, ...more });

eachEngine("the number of an organization's monitors", (engine) => {
  it("follows whatever happens to them, by whichever statement", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    const { db } = store;
    expect(await counts(db)).toEqual([0, 0, 0, 0]);
    await insertMany(db, "organizations", [organizationRow(1), organizationRow(2)]);
    await insertMany(db, "monitors", [named(1), named(2), named(3, { kind: "service" })]);
    await insertMany(db, "monitors", [named(4, { organization_id: 2 }), named(5, { deleted_at: 1 })]);
    expect(await counts(db)).toEqual([2, 1, 1, 3]);
    await db.updateTable("monitors").set({ deleted_at: 7 }).where("id", "in", [1, 3]).execute();
    expect(await counts(db)).toEqual([1, 0, 1, 1]);
    // What is deleted already does not count twice when it goes for good, nor when it is changed.
    await db.updateTable("monitors").set({ deleted_at: 8 }).where("id", "=", 1).execute();
    await db.deleteFrom("monitors").where("id", "=", 1).execute();
    await db.updateTable("monitors").set({ name: "Other" }).where("id", "=", 2).execute();
    expect(await counts(db)).toEqual([1, 0, 1, 1]);
    await db.updateTable("monitors").set({ deleted_at: null }).where("id", "in", [3, 5]).execute();
    expect(await counts(db)).toEqual([2, 1, 1, 3]);
    await db.deleteFrom("organizations").where("id", "=", 1).execute();
    expect(await counts(db)).toEqual([0, 0, 1, 0]);
  });

  it("takes back with a transaction what it has counted", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    await insertMany(store.db, "organizations", [organizationRow(1)]);
    const failed = store.transaction(async (trx) => {
      await insertMany(trx, "monitors", [named(1), named(2)]);
      expect(await counts(trx)).toEqual([2, 0, 0, 2]);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await counts(store.db)).toEqual([0, 0, 0, 0]);
  });

  it("is right after a backup is restored", async () => {
    const [source, target, file] = [await database(engine), await database(engine), temporaryFile()];
    await withStore(source, async ({ db }) => {
      await insertMany(db, "organizations", [organizationRow(1), organizationRow(2)]);
      await insertMany(db, "monitors", [named(1), named(2), named(3, { deleted_at: 1 })]);
    });
    await backupStore(source, file);
    await restoreStore(target, file);
    expect(await withStore(target, ({ db }) => counts(db))).toEqual([2, 0, 0, 2]);
  });
});
