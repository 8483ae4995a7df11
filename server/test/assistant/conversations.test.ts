import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { insertMember } from "../../src/accounts/queries/members.ts";
import { titleOf } from "../../src/assistant/conversations.ts";
import type { TestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { serve } from "../monitors/domains/factories.ts";

const CHATS = "/api/chat/conversations";
const exchange = (userMessage: string, assistantMessage = "Its database is slow.") => ({
  userMessage,
  assistantMessage,
});

const save = async (server: TestServer, body: object, key = server.key) => {
  const answer = await server.api("POST", CHATS, body, { key });
  expect(answer.status).toBe(201);
  return answer.body.data;
};

eachEngine("conversations with the assistant", (engine) => {
  test("201: a message begins a conversation that is named by it, and further ones go on with it in order", async () => {
    const server = await serve({ engine });
    const begun = await save(server, exchange("  Why is\n the shop slow? "));
    expect(begun).toMatchObject({ title: "Why is the shop slow?", hasMore: false });
    expect(begun.messages.map((one: { role: string }) => one.role)).toEqual(["user", "assistant"]);
    for (const conversationId of [String(begun.id), begun.uuid])
      await save(server, { conversationId, ...exchange("And now?", "Better.") });
    const { body } = await server.api("GET", `${CHATS}/${begun.uuid}`);
    expect(body.data.messages.map((one: { content: string }) => one.content)).toEqual([
      ...["Why is\n the shop slow?", "Its database is slow."],
      ...["And now?", "Better.", "And now?", "Better."],
    ]);
    expect(body.data.title).toBe("Why is the shop slow?");
  });

  test("200: messages come in pages, from the newest back to the first", async () => {
    const server = await serve({ engine });
    const { id } = await save(server, exchange("1", "2"));
    await save(server, { conversationId: id, ...exchange("3", "4") });
    const page = async (query: string) => (await server.api("GET", `${CHATS}/${id}?${query}`)).body.data;
    const newest = await page("limit=3");
    expect(newest.messages.map((one: { content: string }) => one.content)).toEqual(["2", "3", "4"]);
    expect(newest.hasMore).toBe(true);
    const before = await page(`limit=3&before=${newest.messages[0].id}`);
    expect(before.messages.map((one: { content: string }) => one.content)).toEqual(["1"]);
    expect(before.hasMore).toBe(false);
  });

  test("200: the list has the newest word first, in both families", async () => {
    let now = Date.now();
    const server = await serve({ engine, clock: { now: () => now } });
    const first = await save(server, exchange("First"));
    await save(server, exchange("Second"));
    now += 1_000;
    await save(server, { conversationId: first.uuid, ...exchange("Again") });
    const legacy = await server.api("GET", CHATS);
    expect(legacy.body.data.map((one: { title: string }) => one.title)).toEqual(["First", "Second"]);
    const v2 = await server.api("GET", "/v2/chat/conversations?per_page=1");
    expect(v2.body.data).toHaveLength(1);
    expect(v2.body.data[0]).toMatchObject({ uuid: first.uuid, title: "First" });
    expect(v2.body.data[0].created_at < v2.body.data[0].updated_at).toBe(true);
    expect(v2.body.pagination).toMatchObject({ total: 2, total_pages: 2 });
  });

  test("200: a conversation is renamed, and deleted with all that was said in it", async () => {
    const server = await serve({ engine });
    const { id, uuid } = await save(server, exchange("Why?"));
    const renamed = await server.api("PUT", `/v2/chat/conversations/${uuid}`, { title: " Slow shop " });
    expect(renamed.body.data).toMatchObject({ title: "Slow shop" });
    expect((await server.api("DELETE", `${CHATS}/${id}`)).body.data).toEqual({ id });
    expect((await server.api("GET", `${CHATS}/${id}`)).status).toBe(404);
    const left = server.ctx.store.db
      .selectFrom("chat_messages")
      .select("id")
      .where("conversation_id", "=", id);
    expect(await left.execute()).toEqual([]);
  });

  test("404: no one else of the organization sees, goes on with, renames or deletes it, not even its owner", async () => {
    const server = await serve({ engine });
    const { person } = server;
    const member = await server.createOrganization();
    const { userId } = member;
    const organizationId = person.organization.id;
    await insertMember(server.ctx.store.db, { userId, organizationId, role: "viewer" }, 0);
    const theirs = await server.createKey({ person: { ...member, organization: person.organization } });
    const { id } = await save(server, exchange("A secret"), theirs);
    expect((await server.api("GET", `${CHATS}/${id}`, undefined, { key: theirs })).status).toBe(200);
    expect((await server.api("GET", CHATS)).body.data).toEqual([]);
    const body = { conversationId: String(id), ...exchange("Mine now") };
    for (const [method, path, sent] of [
      ["GET", `${CHATS}/${id}`],
      ["PUT", `${CHATS}/${id}`, { title: "Mine" }],
      ["DELETE", `${CHATS}/${id}`],
      ["POST", CHATS, body],
    ] as const)
      expect((await server.api(method, path, sent)).status, method).toBe(404);
    const still = await server.api("GET", `${CHATS}/${id}`, undefined, { key: theirs });
    expect(still.body.data).toMatchObject({ title: "A secret" });
    expect(still.body.data.messages).toHaveLength(2);
  });

  test("422: messages that are empty or longer than 64 KiB of UTF-8, each named; what just fits is stored", async () => {
    const server = await serve({ engine });
    const [long, fits] = ["é".repeat(32 * 1024 + 1), "é".repeat(32 * 1024)];
    const refused = await server.api("POST", CHATS, exchange(long, long));
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors)).toEqual(["userMessage", "assistantMessage"]);
    expect(refused.body.errors.userMessage).toEqual(["A message can be at most 64 KiB long."]);
    const v2 = await server.api("POST", "/v2/chat/conversations", {
      user_message: long,
      assistant_message: "A",
    });
    expect(v2.body.errors).toEqual({ user_message: ["A message can be at most 64 KiB long."] });
    expect((await server.api("POST", CHATS, exchange(" \n"))).body.errors).toHaveProperty("userMessage");
    expect((await server.api("POST", CHATS, { userMessage: "Why?" })).body.errors).toHaveProperty(
      "assistantMessage",
    );
    expect((await save(server, exchange(fits, fits))).messages[0].content).toBe(fits);
  });
});

describe("what a conversation is called", () => {
  test("is how its first message begins, in one line of at most 80 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (message) => {
        const title = titleOf(message);
        expect([...title].length).toBeLessThanOrEqual(80);
        expect(title).not.toMatch(/[\r\n]/u);
        expect(title.isWellFormed()).toBe(true);
      }),
    );
    expect(titleOf("x".repeat(81))).toBe(`${"x".repeat(79)}…`);
    expect(titleOf("🙂".repeat(81))).toBe(`${"🙂".repeat(79)}…`);
    expect(titleOf("x".repeat(80))).toBe("x".repeat(80));
  });
});
