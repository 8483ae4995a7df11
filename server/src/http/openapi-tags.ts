import type { Resource } from "../account/scopes.ts";

/** What the groups of operations are about; a route's tag is its resource, unless it says another. */
export const TAGS = [
  { name: "auth", description: "Setting up an installation, signing in and out, and your own account." },
  { name: "organization", description: "The organizations you belong to, and their people." },
  { name: "api-keys", description: "Keys that programs use to call this API." },
  {
    name: "domains",
    description: "The web sites and APIs that are monitored, and what was measured of them.",
  },
  {
    name: "services",
    description: "What is monitored over any protocol: databases, mail servers, ports, jobs.",
  },
  { name: "devices", description: "Machines whose agents report what they are doing." },
  { name: "agent", description: "What agents ask for, with the token of their device." },
  { name: "incidents", description: "Outages that were found, and what people reported." },
  {
    name: "maintenance",
    description: "Times in which monitors are worked on and nobody is told of trouble.",
  },
  { name: "status-pages", description: "What the world sees of what is monitored." },
  { name: "notifications", description: "What people were told, and which of them have read it." },
  {
    name: "dashboard",
    description: "Everything at a glance: figures, recent activity, search, and the live stream.",
  },
  { name: "reports", description: "What was up, how fast, and what went wrong over a time." },
  { name: "chat", description: "What you and the assistant said to each other." },
  {
    name: "integrations",
    description: "Accounts at other systems whose resources are monitored, and what was deployed.",
  },
  { name: "toolbox", description: "Network tools for the moment when something is wrong." },
  { name: "mcp", description: "What assistants speak to (Model Context Protocol): docs/mcp.md." },
  { name: "health", description: "Whether this server is alive and able to work." },
  { name: "metrics", description: "Figures for Prometheus." },
  { name: "public", description: "What anybody may ask without credentials." },
] as const satisfies readonly {
  name: Resource | "agent" | "auth" | "health" | "mcp" | "public";
  description: string;
}[];
