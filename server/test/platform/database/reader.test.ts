import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { insertTransitions } from "../../../src/engine/queries/transitions.ts";
import { PAGE_BY_UPTIME } from "../../../src/monitors/queries/monitor-list.ts";
import { MONITOR_SUMMARY } from "../../../src/monitors/queries/monitor-names.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { isDamaged, isUnavailable } from "../../../src/platform/database/errors.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { openReader, readHere } from "../../../src/platform/database/reader.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { eventually } from "../../harness/eventually.ts";
import { monitorRow, organizationRow } from "../../harness/rows.ts";

const [from, to] = [1_000_000, 2_000_000];
const WHICH = { organizationId: 1, kind: "domain", from, to } as const;

const pageAt = (offset: number) => ({ ...WHICH, limit: 1, offset, descending: true });

async function openFilled(monitors: number): Promise<{ store: Store; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), "vedette-reader-"));
  const file = join(folder, "vedette.db");
  const store = await openStore({ file });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ids = Array.from({ length: monitors }, (_, n) => n + 1);
  await insertMany(store.db, "organizations", [organizationRow(1)]);
  await insertMany(
    store.db,
    "monitors",
    ids.map((id) => monitorRow(id, { name: `Monitor ${id}` })),
  );
  await addOutages(store, ids);
  return { store, file };
}

/** Monitor n is down for n per cent of the time. */
const addOutages = (store: Store, ids: readonly number[]) =>
  store.transaction((trx) =>
    insertTransitions(
      trx,
      ids.flatMap((monitorId) => {
        const more = { organizationId: 1, monitorId, reason: null, locationId: null, maintenance: false };
        const at = from + monitorId * 10_000;
        return [
          { ...more, fromStatus: "unknown" as const, toStatus: "down" as const, at: from, detectedAt: from },
          { ...more, fromStatus: "down" as const, toStatus: "up" as const, at, detectedAt: at },
        ];
      }),
    ),
  );

describe("heavy reads in a thread of their own", () => {
  test("give what they give here, of what was committed just before", async () => {
    const { store, file } = await openFilled(20);
    const reader = openReader(store.db, file, 0);
    onTestFinished(() => reader.close());
    const here = readHere(store.db);
    const page = { ...WHICH, limit: 3, offset: 1, descending: true };
    for (let round = 0; round < 3; round += 1) {
      await addOutages(store, [20 - round]);
      expect(await reader.readInWorker(MONITOR_SUMMARY, WHICH)).toEqual(await here(MONITOR_SUMMARY, WHICH));
      expect(await reader.readInWorker(PAGE_BY_UPTIME, page)).toEqual(await here(PAGE_BY_UPTIME, page));
    }
    const { monitors, total } = await reader.readInWorker(PAGE_BY_UPTIME, page);
    expect([monitors.map(({ id }) => id), total]).toEqual([[2, 3, 4], 20]);
  });

  test("leave the main thread to others meanwhile", async () => {
    const { store, file } = await openFilled(2_000);
    const reader = openReader(store.db, file, 0);
    onTestFinished(() => reader.close());
    await reader.readInWorker(MONITOR_SUMMARY, WHICH);
    let turns = 0;
    let isAnswered = false;
    const answered = reader.readInWorker(MONITOR_SUMMARY, WHICH).then(() => {
      isAnswered = true;
    });
    await eventually(
      () => new Promise((resolve) => setImmediate(() => resolve((turns += 1)))),
      () => isAnswered,
    );
    await answered;
    expect(turns).toBeGreaterThan(0);
  });

  test("report a damaged file as the main thread would", async () => {
    const { store, file } = await openFilled(2_000);
    const copy = `${file}-copy`;

    await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
    copyFileSync(file, copy);
    const handle = openSync(copy, "r+");
    const page = 4_096;
    for (let at = page * 8; at < statSync(copy).size; at += page)
      writeSync(handle, Buffer.alloc(page, 0xff), 0, page, at);
    closeSync(handle);
    const reader = openReader(store.db, copy, 0);
    onTestFinished(() => reader.close());
    const error = await reader.readInWorker(MONITOR_SUMMARY, WHICH).catch((caught: unknown) => caught);
    expect([isDamaged(error), isUnavailable(error)]).toEqual([true, true]);
  });

  test("fail when their thread ends, and the next one has another", async () => {
    const { store, file } = await openFilled(5);
    const reader = openReader(store.db, file, 0);
    onTestFinished(() => reader.close());
    const cut = reader.readInWorker(MONITOR_SUMMARY, WHICH);
    const refused = cut.then(
      () => "answered",
      (error: Error) => error.message,
    );
    const waiting = reader.readInWorker(PAGE_BY_UPTIME, pageAt(0)).catch((error: unknown) => error);
    // Until the first request; the thread takes longer to start.
    await new Promise((resolve) => setImmediate(resolve));
    // Sent before the first thread is gone: its end does not concern the next request.
    const [, next] = await Promise.all([reader.close(), reader.readInWorker(MONITOR_SUMMARY, WHICH)]);
    expect(await refused).toBe("The thread vedette-reads has ended.");
    expect(await waiting).toMatchObject({ kind: "unavailable" });
    expect(next).toMatchObject({ total: 5 });
  });

  test("may take longer than their thread is retained without any", async () => {
    const { store, file } = await openFilled(5);
    const reader = openReader(store.db, file, 0);
    onTestFinished(() => reader.close());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const answered = reader.readInWorker(MONITOR_SUMMARY, WHICH);
    // Until the first request; the thread takes longer to start.
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(3_600_000);
    expect(await answered).toMatchObject({ total: 5 });
  });

  test("need no thread for few monitors", async () => {
    const { store } = await openFilled(5);
    const reader = openReader(store.db, "/nowhere/vedette.db");
    onTestFinished(() => reader.close());
    expect(await reader.readInWorker(MONITOR_SUMMARY, WHICH)).toMatchObject({ total: 5 });
  });

  test("are refused to an organization of which many wait, and to no other", async () => {
    const { store, file } = await openFilled(5);
    const reader = openReader(store.db, file, -1);
    onTestFinished(() => reader.close());
    const reads = Array.from({ length: 20 }, (_, offset) =>
      reader.readInWorker(PAGE_BY_UPTIME, pageAt(offset)),
    );
    const other = reader.readInWorker(MONITOR_SUMMARY, { ...WHICH, organizationId: 2 });
    const refused = (await Promise.allSettled(reads)).filter((each) => each.status === "rejected");
    expect(refused).toHaveLength(11);
    expect(refused[0]?.reason).toMatchObject({ kind: "unavailable", retryAfterSeconds: 5 });
    expect(await other).toMatchObject({ total: 0 });
  });

  test("are one where many request the same, some milliseconds apart", async () => {
    const { store, file } = await openFilled(5);
    const reader = openReader(store.db, file, 0);
    onTestFinished(() => reader.close());
    const reads = Array.from({ length: 100 }, (_, ms) =>
      reader.readInWorker(MONITOR_SUMMARY, { ...WHICH, from: from + ms, to: to + ms }),
    );
    const answers = new Set(await Promise.all(reads));
    expect(answers.size).toBe(2);
    // Not about the same.
    const [first, second] = await Promise.all(
      [pageAt(0), pageAt(1)].map((page) => reader.readInWorker(PAGE_BY_UPTIME, page)),
    );
    expect(first?.monitors[0]).not.toEqual(second?.monitors[0]);
  });

  test("take turns by organization", async () => {
    const { store, file } = await openFilled(5);
    const reader = openReader(store.db, file, -1);
    onTestFinished(() => reader.close());
    const answered: number[] = [];
    const read = async (organizationId: number, offset: number) => {
      await reader.readInWorker(PAGE_BY_UPTIME, { ...pageAt(offset), organizationId });
      answered.push(organizationId);
    };
    await Promise.all([read(1, 0), read(1, 1), read(1, 2), read(1, 3), read(2, 0), read(2, 1), read(3, 0)]);
    expect(answered).toEqual([1, 1, 2, 3, 1, 2, 1]);
  });
});
