/**
 * Who may import whom: twelve rooms in one order, each using only those before it; SQL in queries and table descriptions only;
 * HTTP in routes only (README, Map of the folders). `npm run check -- imports` enforces it; types count.
 */
const SERVER = "^server/src/";
const PACKAGES = "node_modules/";

/** The rooms in order: each uses those before it. */
const ROOMS = [
  ...["platform", "checks", "engine", "monitors", "integrations", "incidents", "alerts", "accounts"],
  ...["status-pages", "reports", "assistant", "app"],
];

/** Arguments in, answer out. */
const RULES = `${SERVER}(?:.*/(?:(?:event|group|machine|retry|title)-)?rules\\.ts$|alerts/alert\\.ts$|engine/status/(?:confirmations|encode-state|flapping|held-by-parents|objective|pause|quorum|state|update-status|uptime)\\.ts$)`;
/** Where SQL stands. */
const QUERIES = `${SERVER}(?:platform/database/|app/(?:backup|reader-thread)\\.ts$|.*/queries/)`;
/** Where HTTP stands. */
const HTTP = `${SERVER}(?:platform/http/|app/|[^/]+/(?:routes|http|mcp)/)`;

const types = ["type-only"];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Two files that need each other are one file, or hide a third; types count.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...ROOMS.slice(0, -1).map((room, position) => ({
      name: `${room}-uses-earlier-rooms`,
      comment: "Rooms stand in one order, so that none needs itself by way of another; types count.",
      severity: "error",
      from: { path: `${SERVER}${room}/` },
      to: {
        path: `${SERVER}(?:${ROOMS.slice(position + 1).join("|")})/`,
      },
    })),
    {
      name: "rules-do-no-io",
      comment:
        "Rules compute from their arguments: nothing of Node, no query, not even a type that does I/O.",
      severity: "error",
      from: { path: RULES },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "rules-run-no-query",
      comment: "Rules compute from their arguments; of queries they may name the types.",
      severity: "error",
      from: { path: RULES },
      to: { path: QUERIES, dependencyTypesNot: types },
    },
    {
      name: "operations-know-no-http",
      comment: "Both API families, MCP and the command line call the same operations.",
      severity: "error",
      from: { path: SERVER, pathNot: HTTP },
      to: { path: `${PACKAGES}fastify/` },
    },
    {
      name: "sql-in-queries-only",
      comment:
        "SQL stands in queries and table descriptions; nobody else builds a query. (The instance lock is a SQLite file without tables; checks of databases send what their monitor says; a database of another product is read by a process of its own.)",
      severity: "error",
      from: {
        path: `${SERVER}|^agent/|^web/`,
        pathNot: `${QUERIES}|${SERVER}(?:app/command/data-folder|checks/postgres|monitors/import/kuma-database-process)\\.ts$`,
      },
      to: { path: `${PACKAGES}(?:@types/)?(?:kysely|pg)/|^(?:node:)?sqlite$`, dependencyTypesNot: types },
    },
    {
      name: "only-queries-know-the-engines",
      comment: "Others call queries; what differs between SQLite and PostgreSQL stays in them.",
      severity: "error",
      from: { path: SERVER, pathNot: QUERIES },
      to: { path: `${SERVER}platform/database/(?:migrations/|sqlite|postgres|migrate|bulk|dialect)` },
    },
    {
      name: "command-line-opens-store",
      comment:
        "The command line opens the store once and hands it down. (The API document is built on an empty one.)",
      severity: "error",
      from: {
        path: SERVER,
        pathNot: `${SERVER}(?:main\\.ts$|app/(?:command/|backup\\.ts$|http/openapi-process\\.ts$)|platform/database/)`,
      },
      to: { path: `${SERVER}platform/database/open\\.ts$`, dependencyTypesNot: types },
    },
    {
      name: "nobody-imports-main",
      comment: "main.ts starts the program; whatever others need belongs in a room.",
      severity: "error",
      from: { pathNot: `${SERVER}vedette\\.mjs$` },
      to: { path: `${SERVER}main\\.ts$` },
    },
    {
      name: "web-and-agent-share-schemas-only",
      comment:
        "The app and the agent share the schemas with the server, the texts of its messages, the queue on disk, and what must be judged alike on both sides.",
      severity: "error",
      from: { path: "^(?:web|agent)/src/" },
      to: {
        path: SERVER,
        pathNot: `${SERVER}(?:[^/]+/schemas/|checks/toolbox/schemas/|platform/(?:i18n|operations|formats)/|engine/queue/|(?:platform/(?:live-events|states|monitor-defaults)|monitors/(?:certificate-status|credential-danger)|alerts/channels/filter|status-pages/(?:contents/component-metrics|plain-settings|subscriber/kinds|update/template-text))\\.ts$)`,
      },
    },
    {
      name: "server-stands-alone",
      comment: "The server runs without the app's and the agent's sources.",
      severity: "error",
      from: { path: SERVER },
      to: { path: "^(?:web|agent|scripts|bench|e2e)/" },
    },
    {
      name: "no-tools-in-the-product",
      comment:
        "npm start installs no devDependencies: what the product imports is listed under dependencies.",
      severity: "error",
      from: { path: "/src/|^web/vite\\.config\\.ts$" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: types },
    },
    {
      name: "no-tests-in-the-product",
      comment: "The product does not need its tests.",
      severity: "error",
      from: { path: "/src/" },
      to: { path: "/test/|\\.test\\.tsx?$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(?:data|(?:server|web|agent)/dist)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".d.ts"],
    },
  },
};
