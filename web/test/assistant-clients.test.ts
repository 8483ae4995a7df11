import { expect, it } from "vitest";
import { snippetsOf } from "../src/settings/assistants/clients.ts";

const desktop = (url: string) => {
  const [, snippet] = snippetsOf.claude({ url, key: "vdt_1" });
  return JSON.parse(snippet?.text ?? "").mcpServers.vedette;
};

it("gives Claude Desktop no argument with a space, which it takes apart on Windows", () => {
  const { args, env } = desktop("https://monitoring.example.com/mcp");
  expect(args.filter((one: string) => one.includes(" "))).toEqual([]);
  expect(args).toContain("Authorization:${AUTHORIZATION}");
  expect(env).toEqual({ AUTHORIZATION: "Bearer vdt_1" });
});

it.each([
  ["https://monitoring.example.com/mcp", false],
  ["http://127.0.0.1:8080/mcp", false],
  ["http://localhost:8080/mcp", false],
  ["http://monitoring.lan:8080/mcp", true],
])("allows plain HTTP where another machine is called without TLS: %s", (url, isAllowed) => {
  expect(desktop(url).args.includes("--allow-http")).toBe(isAllowed);
});
