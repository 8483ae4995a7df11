import fastJson from "fast-json-stringify";
import { Type } from "typebox";
import { expect, onTestFinished, test } from "vitest";
import { isLong, listWriter } from "../../../src/platform/http/answer.ts";
import { mapInTurns } from "../../../src/platform/turns.ts";
import { startTestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, makeLocation, NOW, observe, SECOND } from "../../monitors/domains/factories.ts";

const Item = Type.Object({ id: Type.Integer(), text: Type.Union([Type.String(), Type.Null()]) });
const items = Array.from({ length: 1_234 }, (_, id) => ({
  id,
  text: id % 3 ? `"${id}"\n` : null,
  secret: 1,
}));
const around = { first: '{"success":true,"data":', last: ',"page":1}' };

test.each([
  ["a list", Type.Array(Item), items],
  [
    "lists by a key",
    Type.Record(Type.String(), Type.Array(Item)),
    { 'a"b': items, empty: [], two: items.slice(0, 2) },
  ],
])("%s is written as its schema says, without what that does not declare", async (_, schema, data) => {
  const written = await listWriter(schema)?.(data, around);
  const expected = around.first + fastJson(schema as object)(data) + around.last;
  expect(JSON.parse(written ?? "")).toEqual(JSON.parse(expected));
  expect(written).not.toContain("secret");
});

test("only what is long is written in pieces", () => {
  expect([items, { a: items }, items.slice(0, 10), { a: [1] }, null, "text", {}].map(isLong)).toEqual([
    true,
    true,
    ...Array(5).fill(false),
  ]);
});

test("others have turns while many items are changed", async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  onTestFinished(() => clearImmediate(timer));
  const slow = (item: number) => {
    const end = performance.now() + 0.5;
    while (performance.now() < end);
    return -item;
  };
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  expect(await mapInTurns(numbers, slow)).toEqual(numbers.map((n) => -n));
  expect(turns).toBeGreaterThanOrEqual(5);
});

eachEngine("an answer with thousands of items", (engine) => {
  test("is the same as in parts, in both families", async () => {
    const server = await startTestServer({ engine, clock: { now: () => NOW } });
    onTestFinished(server.close);
    const { id, uuid } = await makeDomain(server);
    const locationId = await makeLocation(server.ctx.store, "here");
    const results = Array.from({ length: 2_500 }, (_, n) => ({
      monitorId: id,
      locationId,
      scheduledAt: NOW - n * SECOND,
      outcome: 0 as const,
      statusCode: 200,
      dnsUs: null,
      connectUs: 1,
      tlsUs: null,
      firstByteUs: 2,
      transferUs: null,
      totalUs: 1_000 * n,
      reason: null,
      message: null,
      maintenance: 0 as const,
    }));
    await observe(server.ctx.store, results);
    for (const path of [`/api/domains/${id}/monitoring/history?`, `/v2/domains/${uuid}/history?`]) {
      const word = path.startsWith("/v2") ? "per_page" : "limit";
      const whole = await server.api("GET", `${path}range=24h&limit=2500`);
      const part = await server.api("GET", `${path}range=24h&limit=900`);
      expect([path, word, whole.body.data.length, part.body.data.length]).toEqual([path, word, 2_500, 900]);
      expect(whole.body.data.slice(0, 900)).toEqual(part.body.data);
      expect(whole.headers.get("content-type")).toBe(part.headers.get("content-type"));
    }
  });
});

test("an object that happens to hold a long list is not taken for lists", () => {
  expect(listWriter(Type.Object({ failed: Type.Array(Item) }))).toBeNull();
});
