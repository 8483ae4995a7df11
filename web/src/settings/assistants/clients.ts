/** The assistants that the page shows how to connect, in its order. */
export const clients = ["claude", "cursor", "vscode", "chatgpt", "curl"] as const;
export type AssistantClient = (typeof clients)[number];

interface Connection {
  url: string;
  /** The API key, or a placeholder before one is made. */
  key: string;
}

/** What is put in, where: a file of the client's, or a terminal. */
export interface Snippet {
  /** A file's name, or which other place. */
  place: { file: string } | "terminal" | "address";
  text: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/**
 * For a client that starts programs only. Claude Desktop splits arguments at spaces on Windows, so the
 * header's is in the environment; without TLS, mcp-remote connects to the same machine only.
 */
function throughRemote(url: string, key: string) {
  const { protocol, hostname } = new URL(url);
  const isPlain = protocol === "http:" && hostname !== "localhost" && hostname !== "127.0.0.1";
  const header = ["--header", `Authorization:\${AUTHORIZATION}`];
  return {
    command: "npx",
    args: ["-y", "mcp-remote", url, ...header, ...(isPlain ? ["--allow-http"] : [])],
    env: { AUTHORIZATION: `Bearer ${key}` },
  };
}

export const snippetsOf: Record<AssistantClient, (connection: Connection) => Snippet[]> = {
  claude: ({ url, key }) => [
    {
      place: "terminal",
      text: `claude mcp add --transport http vedette ${url} --header "Authorization: Bearer ${key}"`,
    },
    {
      place: { file: "claude_desktop_config.json" },
      text: json({ mcpServers: { vedette: throughRemote(url, key) } }),
    },
  ],
  cursor: ({ url, key }) => [
    {
      place: { file: "~/.cursor/mcp.json" },
      text: json({ mcpServers: { vedette: { url, headers: { Authorization: `Bearer ${key}` } } } }),
    },
  ],
  vscode: ({ url, key }) => [
    {
      place: { file: ".vscode/mcp.json" },
      text: json({
        servers: { vedette: { type: "http", url, headers: { Authorization: `Bearer ${key}` } } },
      }),
    },
  ],
  chatgpt: ({ url }) => [{ place: "address", text: url }],
  curl: ({ url, key }) => [
    {
      place: "terminal",
      text: `curl ${url} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_dashboard_stats", arguments: {} },
  })}'`,
    },
  ],
};
