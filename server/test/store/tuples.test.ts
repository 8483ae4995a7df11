import { expect, it, onTestFinished } from "vitest";
import { insertResults, listResults } from "../../src/store/queries/results.ts";
import { makeResult } from "../harness/results.ts";
import { eachEngine, openTestStore } from "../harness/stores.ts";

const TEXTS = [
  "",
  "NULL",
  "plain",
  'quotes " and \\ backslashes \\" \\\\',
  "{a,b},c",
  "lines\nof\r\ntext\tand \\n",
  "controls \u0001\b\f\u001f\u007f\u0085\u009f",
  'all at once: \n"{\\,}"\\\n',
  "漢字 é ﷽ \u2028\u2029\ufeff",
  "🛰👩‍👩‍👧 and \u{10ffff}",
];

eachEngine("the texts of a hot table", (engine) => {
  async function backFrom(texts: readonly string[]) {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    const results = texts.map((reason, at) => makeResult({ scheduledAt: at, reasonCode: reason, reason }));
    await insertResults(store.db, results);
    const range = { monitorId: 1, from: 0, to: texts.length, limit: texts.length, order: "asc" } as const;
    const rows = await listResults(store.db, range);
    for (const { reason, reasonCode } of rows) expect(reasonCode).toBe(reason);
    return rows.map(({ reason }) => reason);
  }

  it("come back as they went in, whatever they are made of", async () => {
    expect(await backFrom(TEXTS)).toEqual(TEXTS);
  });

  it("come back without the NULs that PostgreSQL cannot hold, and nothing else is lost beside them", async () => {
    const texts = ["a\0b", "\0", '\0"\n\\\0,'];
    const kept = engine === "postgres" ? texts.map((text) => text.replaceAll("\0", "")) : texts;
    expect(await backFrom(texts)).toEqual(kept);
  });

  it("come back with a mark in place of half a character, which UTF-8 cannot hold", async () => {
    const halves = ["\ud83d", 'a\udc00"\n\\', "\udc00\ud83d 🛰"];
    expect(await backFrom(halves)).toEqual(["\ufffd", 'a\ufffd"\n\\', "\ufffd\ufffd 🛰"]);
  });
});
