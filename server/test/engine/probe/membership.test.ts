import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { joinLocation, SILENT_MS } from "../../../src/engine/probe/membership.ts";
import type { Context } from "../../../src/platform/context.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { type EngineName, eachEngine, openTestStore } from "../../harness/stores.ts";
import { temporaryFolder } from "./factories.ts";

const LOCATION = { code: "local", name: "Local" };

/** Starts processes on one store, one after another at the times 1, 2, 3 … unless the clock is set. */
async function installation(name: EngineName) {
  const store = await openTestStore(name);
  onTestFinished(() => store.close());
  const log = recordingLog();
  let now = 0;
  let writesLeft = Number.POSITIVE_INFINITY;
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name === "insertInto" && --writesLeft < 0) throw new Error("The database is away");
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    log,
    /** From now on the database takes so many writes and then refuses. */
    refuseAfter(writes: number) {
      writesLeft = writes;
    },
    /** The next process starts then. */
    clockTo(time: number) {
      now = time - 1;
    },
    start(dataFolder: string) {
      now += 1;
      const ctx = { store: { ...store, db }, log, clock: { now: () => now }, config: { dataFolder } };
      return joinLocation(ctx as unknown as Context, LOCATION);
    },
  };
}

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
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

  it("a data folder that was copied gives two processes two places, and each keeps its own", async () => {
    const { start, log } = await installation(name);
    const folder = temporaryFolder();
    const first = await start(folder);
    const copy = await start(copyOf(folder));
    const shared = first.id;
    await first.beat();
    expect(first.id).not.toBe(shared);
    expect(copy.id).toBe(shared);
    expect(log.lines).toEqual([expect.stringContaining("was the folder copied?")]);
    const both = name === "sqlite" ? [shared] : [first.id, shared].toSorted();
    expect(await copy.beat()).toEqual(both);
    await first.leave();
    expect(await copy.beat()).toEqual([shared]);
    expect((await start(folder)).id).toBe(first.id);
    expect(log.lines).toHaveLength(1);
  });

  it.each([1_000, 0])(
    "a copy that starts when the clock says %i has a place of its own beside one that started at 1000",
    async (time) => {
      const { start, clockTo } = await installation(name);
      const folder = temporaryFolder();
      clockTo(1_000);
      const first = await start(folder);
      clockTo(time);
      const copy = await start(copyOf(folder));
      const shared = first.id;
      await first.beat();
      await copy.beat();
      expect([copy.id, first.id === shared]).toEqual([shared, false]);
    },
  );

  it("one that leaves takes no place with it that another has claimed", async () => {
    const { start } = await installation(name);
    const folder = temporaryFolder();
    const [first, copy] = [await start(folder), await start(copyOf(folder))];
    const witness = await start(temporaryFolder());
    await first.leave();
    if (name === "postgres") expect(await witness.beat()).toContain(copy.id);
    await copy.beat();
    expect(copy.id).toBe(first.id);
  });

  it("one that must leave its place to another keeps it until the database gives it a new one", async () => {
    const { start, log, refuseAfter } = await installation(name);
    const folder = temporaryFolder();
    const first = await start(folder);
    const shared = first.id;
    await start(copyOf(folder));
    for (const writes of [0, 1]) {
      refuseAfter(writes);
      await expect(first.beat()).rejects.toThrow("The database is away");
      expect(first.id).toBe(shared);
    }
    expect(log.lines).toEqual([]);
    refuseAfter(Number.POSITIVE_INFINITY);
    expect(await first.beat()).toContain(first.id);
    expect(first.id).not.toBe(shared);
    expect(log.lines).toHaveLength(1);
  });

  it("an id that cannot be saved serves this process, and one line says so", async () => {
    const { start, log } = await installation(name);
    const folder = temporaryFolder();
    mkdirSync(join(folder, "probe.id"));
    const self = await start(folder);
    expect(await self.beat()).toEqual([self.id]);
    expect(log.lines).toEqual([expect.stringMatching(/^warn: The probe's id cannot be saved: /)]);
  });

  it("an id that cannot be read is replaced", async () => {
    const { start } = await installation(name);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "probe.id"), "\0\0\0");
    const { id } = await start(folder);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await start(folder)).id).toBe(id);
  });

  // There is never a second one.
  if (name === "sqlite") return;

  it("each folder has a place of its own, and one that leaves is gone for the others", async () => {
    const { start } = await installation(name);
    const [first, second] = [await start(temporaryFolder()), await start(temporaryFolder())];
    expect(await first.beat()).toEqual([first.id, second.id].toSorted());
    await second.leave();
    expect(await first.beat()).toEqual([first.id]);
  });

  it("one that fell silent, or whose clock was ahead when it was killed, holds no share for long", async () => {
    const { start, clockTo } = await installation(name);
    const first = await start(temporaryFolder());
    clockTo(1_000);
    const killed = await start(temporaryFolder());
    expect(await first.beat()).toEqual([first.id, killed.id].toSorted());
    clockTo(1_000 + SILENT_MS + 2);
    expect(await first.beat()).toEqual([first.id]);
    clockTo(86_400_000);
    await start(temporaryFolder());
    clockTo(2 * SILENT_MS);
    expect(await first.beat()).toEqual([first.id]);
  });
});
