import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "../../harness/server.ts";
import { type EngineName, eachEngine, openTestStore } from "../../harness/stores.ts";
import { callTool } from "./rpc.ts";
import { startStuckTarget } from "./stuck-target.ts";

/** Two servers of one database; both know the key of the first. */
async function startReplicas(engine: EngineName) {
  const store = await openTestStore(engine);
  const one = await startTestServer({ engine, store });
  const other = await startTestServer({ engine, store });
  onTestFinished(async () => {
    await one.close();
    await other.close();
    await store.close();
  });
  return { one, other, key: one.key };
}

eachEngine("several servers", (engine) => {
  it("take a confirmation that another gave, and none twice", async () => {
    const { one, other, key } = await startReplicas(engine);
    const made = await callTool(one, "create_domain", { name: "Shop", url: "http://127.0.0.1:9/" }, { key });
    const { id } = made.structuredContent.result;
    const proposed = await callTool(one, "delete_domain", { id }, { key });
    const confirmed = { id, confirmationToken: proposed.structuredContent.confirmation.token };
    expect((await callTool(other, "delete_domain", confirmed, { key })).isError).toBeUndefined();
    const again = await callTool(one, "delete_domain", confirmed, { key });
    expect(again.content[0].text).toContain("confirms no such call");
  });

  // On SQLite there is one server.
  if (engine === "sqlite") return;
  it("stop a call that was cancelled at another, and no one else's", async () => {
    const { one, other, key } = await startReplicas(engine);
    const session = { "mcp-session-id": "a-session" };
    const start = async (id: string) => {
      const target = await startStuckTarget();
      const given = { name: id, url: target.url, timeout: 60, checkInterval: 300 };
      const params = { name: "domain_test", arguments: given };
      const call = one.api(
        "POST",
        "/mcp",
        { jsonrpc: "2.0", id, method: "tools/call", params },
        { key, headers: session },
      );
      await target.connected;
      return { call, left: target.left };
    };
    const cancel = async (requestId: string, headers: Record<string, string> = session, own = key) => {
      const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
      expect((await other.api("POST", "/mcp", message, { key: own, headers })).status).toBe(202);
    };
    const [running, first] = [await start("running"), await start("first")];
    let hasLeft = false;
    void running.left.then(() => (hasLeft = true));
    await cancel("running", { "mcp-session-id": "another" });
    await cancel("running", session, other.key);
    // Cancellations arrive in their order: once this one has, so have the others.
    await cancel("first");
    await first.left;
    expect(hasLeft).toBe(false);
    await cancel("running");
    await running.left;
    expect((await running.call).status).toBe(200);
    await first.call;
  });
});
