import { expect, test } from "vitest";
import { startAsking } from "./asking.ts";

const call = (name: string, given: object) => ({ calls: [{ name, arguments: given }] });

test("a model is not told what lets somebody in, neither by itself nor within an address", async () => {
  let id = 0;
  const { ask, send, model } = await startAsking({
    next: (_, index) => (index === 0 ? call("get_service", { id: String(id) }) : { text: ["Read."] }),
  });
  const made = await send("POST", "/api/services", {
    ...{ name: "Backup", protocol: "heartbeat", protocolConfig: { periodSeconds: 3600 } },
  });
  const shown = JSON.stringify(made.body);
  const token = /"token":"([^"]{8,})"/.exec(shown)?.[1] ?? "";
  expect([made.status, token.length > 8], shown).toEqual([201, true]);
  id = made.body.data.id;
  const { result } = await ask({ message: "How is the backup?" });
  expect(result.calls).toMatchObject([{ tool: "get_service", state: "done" }]);
  const told = JSON.stringify(model.asked[1]?.body);
  expect(told).toContain("Backup");
  expect(told).not.toContain(token);
});

test("a token that is made after a click is neither kept in clear nor told the model", async () => {
  const { ask, send, model, server } = await startAsking({
    next: (_, index) => (index === 0 ? call("create_device", { name: "Web 1" }) : { text: ["Made."] }),
  });
  const { result } = await ask({ message: "Add my machine." });
  const path = `/api/chat/calls/${result.calls[0].uuid}/approve`;
  expect((await send("POST", path)).body.data.state).toBe("done");
  await ask({ conversationId: result.conversation.uuid });
  const kept = await server.ctx.store.db.selectFrom("assistant_calls").select("result").executeTakeFirst();
  expect(kept?.result).toContain("Web 1");
  expect(kept?.result).not.toMatch(/vda_\w/);
  expect(JSON.stringify(model.asked[1]?.body.messages)).not.toMatch(/vda_\w/);
});
