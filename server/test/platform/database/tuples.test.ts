import { expect, it, onTestFinished } from "vitest";
import { type HotTable, insertNewTuples } from "../../../src/platform/database/bulk.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

const TABLE: HotTable = {
  name: "results",
  columns: {
    monitor_id: "bigint",
    location_id: "bigint",
    scheduled_at: "bigint",
    outcome: "integer",
    reason: "text",
    message: "text",
    maintenance: "integer",
  },
  keys: ["monitor_id", "scheduled_at", "location_id"],
};

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
    await insertNewTuples(
      store.db,
      TABLE,
      texts.map((text, at) => [1, 1, at, 0, text, text, 0]),
    );
    const rows = store.db.selectFrom("results").select(["reason", "message"]).orderBy("scheduled_at");
    return (await rows.execute()).map(({ reason, message }) => {
      expect(message).toBe(reason);
      return reason;
    });
  }

  it("come back as they went in, whatever they are made of", async () => {
    expect(await backFrom(TEXTS)).toEqual(TEXTS);
  });

  it("come back without the NULs that PostgreSQL cannot hold, and nothing else is lost beside them", async () => {
    const texts = ["a\0b", "\0", '\0"\n\\\0,'];
    const stored = engine === "postgres" ? texts.map((text) => text.replaceAll("\0", "")) : texts;
    expect(await backFrom(texts)).toEqual(stored);
  });

  it("come back with a mark in place of half a character, which UTF-8 cannot hold", async () => {
    const halves = ["\ud83d", 'a\udc00"\n\\', "\udc00\ud83d 🛰"];
    expect(await backFrom(halves)).toEqual(["\ufffd", 'a\ufffd"\n\\', "\ufffd\ufffd 🛰"]);
  });
});
