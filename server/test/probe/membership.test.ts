import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Context } from "../../src/context.ts";
import { joinLocation } from "../../src/probe/membership.ts";
import { type EngineName, eachEngine, openTestStore } from "../harness/stores.ts";
import { temporaryFolder } from "./factories.ts";
import { recordingLog } from "./recording-log.ts";

const LOCATION = { code: "local", name: "Local" };

/** Starts processes one after another at the times 1, 2, 3 …, all of them on one store. */
async function installation(name: EngineName) {
  const store = await openTestStore(name);
  onTestFinished(() => store.close());
  const log = recordingLog();
  let now = 0;
  return {
    log,
    start(dataFolder: string) {
      now += 1;
      const ctx = { store, log, clock: { now: () => now }, config: { dataFolder } };
      return joinLocation(ctx as unknown as Context, LOCATION);
    },
  };
}

eachEngine("the probes of a location", (name) => {
  it("a process that starts where one was killed has its place at once", async () => {
    const { start, log } = await installation(name);
    const folder = temporaryFolder();
    const killed = await start(folder);
    const next = await start(folder);
    expect(next.id).toBe(killed.id);
    expect(await next.beat()).toEqual([killed.id]);
    expect(log.lines).toEqual([]);
  });

  it("a data folder that was copied gives two processes two places", async () => {
    const { start, log } = await installation(name);
    const folder = temporaryFolder();
    const first = await start(folder);
    const copy = await start(folder);
    const shared = first.id;
    await first.beat();
    expect(first.id).not.toBe(shared);
    expect(copy.id).toBe(shared);
    expect(log.lines).toEqual([expect.stringContaining("was the folder copied?")]);
    const both = name === "sqlite" ? [shared] : [first.id, shared].toSorted();
    expect(await copy.beat()).toEqual(both);
    await first.leave();
    expect(await copy.beat()).toEqual([shared]);
    expect(log.lines).toHaveLength(1);
  });

  // On SQLite there is never a second one.
  it.runIf(name === "postgres")(
    "each folder has a place of its own, and one that leaves is gone for the others",
    async () => {
      const { start } = await installation(name);
      const [first, second] = [await start(temporaryFolder()), await start(temporaryFolder())];
      expect(await first.beat()).toEqual([first.id, second.id].toSorted());
      await second.leave();
      expect(await first.beat()).toEqual([first.id]);
    },
  );

  it("an id that cannot be read is replaced", async () => {
    const { start } = await installation(name);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "probe.id"), "\0\0\0");
    const { id } = await start(folder);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await start(folder)).id).toBe(id);
  });
});
