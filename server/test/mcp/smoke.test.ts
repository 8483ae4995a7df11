import { writeFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { callTool, rpc } from "./rpc.ts";

it("smokes", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const list = await rpc(server, "tools/list", {}, { key: null });
  writeFileSync("/tmp/w15b-mcp/tools.json", JSON.stringify(list.body, null, 1));
  console.log(
    list.status,
    JSON.stringify(list.body).length,
    list.body.result?.tools?.length,
    JSON.stringify(list.body).slice(0, 600),
  );
  console.log(
    JSON.stringify(
      (
        await rpc(
          server,
          "initialize",
          { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
          { key: null },
        )
      ).body,
    ),
  );
  console.log((await rpc(server, "ping", {}, { key: null })).body);
  const refused = await rpc(
    server,
    "tools/call",
    { name: "get_dashboard_stats", arguments: {} },
    { key: null },
  );
  console.log(refused.status, refused.body, refused.headers.get("www-authenticate"));
  console.log(JSON.stringify(await callTool(server, "get_dashboard_stats")));
  const made = await callTool(server, "create_domain", { name: "Shop", url: "http://127.0.0.1:9/" });
  console.log(JSON.stringify(made).slice(0, 3000));
  console.log(JSON.stringify(await callTool(server, "get_domains_status")).slice(0, 2500));
  const ask = await callTool(server, "delete_domain", { id: made.structuredContent.result.id });
  console.log(JSON.stringify(ask));
  const token = ask.structuredContent.confirmation.token;
  console.log(
    JSON.stringify(
      await callTool(server, "delete_domain", {
        id: made.structuredContent.result.id,
        confirmationToken: token,
      }),
    ),
  );
  console.log(
    JSON.stringify(
      await callTool(server, "delete_domain", {
        id: made.structuredContent.result.id,
        confirmationToken: token,
      }),
    ),
  );
  console.log(JSON.stringify(await callTool(server, "list_incidents", {})));
  console.log(JSON.stringify((await rpc(server, "resources/list")).body));
  console.log(
    JSON.stringify((await rpc(server, "resources/read", { uri: "vedette://reports/dashboard" })).body),
  );
  console.log(
    JSON.stringify((await rpc(server, "prompts/get", { name: "weekly_summary" })).body).slice(0, 800),
  );
  expect(list.status).toBe(200);
}, 60000);
