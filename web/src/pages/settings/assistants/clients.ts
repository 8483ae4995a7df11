/** The assistants that the page shows how to connect, in its order. */
export const clients = ["claude", "cursor", "vscode", "chatgpt", "curl"] as const;
export type AssistantClient = (typeof clients)[number];

interface Connection {
  /** The address of this installation's MCP endpoint. */
  url: string;
  /** The API key; where none was made yet, what stands for it. */
  key: string;
}

/** What is put in, where: a file of the client's, or a terminal. */
export interface Snippet {
  /** A file name, or null for a terminal. */
  file: string | null;
  text: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** What each client is given. */
export const snippetsOf: Record<AssistantClient, (connection: Connection) => Snippet[]> = {
  claude: ({ url, key }) => [
    {
      file: null,
      text: `claude mcp add --transport http vedette ${url} --header "Authorization: Bearer ${key}"`,
    },
    {
      file: "claude_desktop_config.json",
      text: json({
        mcpServers: {
          vedette: {
            command: "npx",
            args: ["-y", "mcp-remote", url, "--header", `Authorization: Bearer ${key}`],
          },
        },
      }),
    },
  ],
  cursor: ({ url, key }) => [
    {
      file: "~/.cursor/mcp.json",
      text: json({ mcpServers: { vedette: { url, headers: { Authorization: `Bearer ${key}` } } } }),
    },
  ],
  vscode: ({ url, key }) => [
    {
      file: ".vscode/mcp.json",
      text: json({
        servers: { vedette: { type: "http", url, headers: { Authorization: `Bearer ${key}` } } },
      }),
    },
  ],
  chatgpt: ({ url }) => [{ file: null, text: url }],
  curl: ({ url, key }) => [
    {
      file: null,
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
