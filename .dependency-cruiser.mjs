/**
 * Who may import whom: rules <- verbs <- http, SQL in store/ only, shapes of the wire in wire/ only
 * (README, Map of the folders). `npm run check -- imports` enforces it.
 * "Types" means an `import type`, which is gone when the program runs.
 */
const SERVER = "^server/src/";
const PACKAGES = "node_modules/";

/** The rooms where verbs and rules live; none of them knows about HTTP or the wire. */
const ROOMS =
  "(?:account|assistant|channel|chat|device|import|incident|integration|maintenance|monitor|notification|page|report|result|status|toolbox)";
/**
 * The rooms in order: each uses those before it, and of later ones only what computes (PURE_FILES). What ties several
 * together stands beside them: context.ts, pipeline.ts, transports.ts, verbs.ts.
 */
const ORDER = [
  ...["secret", "schedule", "check", "site", "toolbox", "probe", "(?:status|result)", "notification"],
  ...[
    "account",
    "maintenance",
    "monitor",
    "integration",
    "channel",
    "device",
    "incident",
    "import",
    "report",
    "page",
    "chat",
    "assistant",
  ],
];
/** Whoever deletes an organization stops its monitors. */
const OUT_OF_ORDER = "account/delete-organization\\.ts$";
/** The machinery that runs without any request. */
const ENGINE = "(?:check|probe|schedule|secret|site)";

/** The rules, and the arithmetic beside them. */
const RULES = [
  ".*/rules(?:\\.ts$|/)",
  "status/(?:awaited|burn-alert|due|error-budget|vote|quorum|flapping|settle|step|uptime|pause|maintenance|encode-state)\\.ts$",
  "result/(?:histogram|range)\\.ts$",
];
/** What store/ and wire/ may call of the rooms: arguments in, answer out. */
const PURE_FILES = [
  ...RULES,
  "(?:check/signalled-types|check/outcome|incident/group-rules|incident/incident-messages|incident/live-incident|incident/states|incident/title-rules|schedule/cron|status/state)\\.ts$",
  "result/(?:pack|precision)\\.ts$",
  "account/(?:audit-actions|email|name|preferences|scopes)\\.ts$",
  "integration/(?:registry|deployment/git-provider-names)\\.ts$",
  "device/(?:application-changes|health|metrics/resolutions|metrics/units)\\.ts$",
  "import/format-names\\.ts$",
  "monitor/(?:certificate-status|credential-danger|kinds|monitor-defaults|shown-timeout|tags|url|web-url)\\.ts$",
  // What may be set of a channel of each type is in its schema, as it is of each kind of check.
  "notification/(?:event-rules|channel/filter|channel/message|channel/registry)\\.ts$",
  // Which channels follow from a person's settings.
  "notification/person/settings\\.ts$",
  "report/(?:describe-activity|incident-summary|outages|report-points|report-window|summary)\\.ts$",
  "maintenance/(?:occurrences|recurrence)\\.ts$",
  "page/(?:access/networks|contents/component-metrics|document/public-page|domain/domain-rules|look/(?:color|contrast|look)|plain-settings|render/(?:html|markdown|markdown-limits)|slug|subscriber/kinds|subscriber/page-notification|update/template-text)\\.ts$",
];
const PURE = `${SERVER}(?:${PURE_FILES.join("|")})`;
const RULE = `${SERVER}(?:${RULES.join("|")})`;

/** Handlers that look at the store itself, so there is no verb to call: is it there, what is in it, what came in. */
const WATCHERS = `${SERVER}http/(?:live/|public/(?:health|metrics)\\.ts$|openapi-process\\.ts$)`;

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
    {
      name: "rules-are-pure",
      comment: "A rules.ts computes from its arguments: no I/O, no store, no package that could do either.",
      severity: "error",
      from: { path: RULE },
      to: {
        pathNot: `${SERVER}(?:(?:status|incident|notification|maintenance|schedule|texts)/|alerts/(?:alert|machine-rules)\\.ts$)`,
        dependencyTypesNot: types,
      },
    },
    {
      name: "rules-do-no-io",
      comment: "A rules.ts computes from its arguments: nothing of Node, not even a type that does I/O.",
      severity: "error",
      from: { path: RULE },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "verbs-know-no-http",
      comment: "Both API families, MCP and the command line call the same verbs.",
      severity: "error",
      from: { path: `${SERVER}(?:${ROOMS}|${ENGINE}|store|verb|input)/|${SERVER}pipeline\\.ts$` },
      to: { path: `${SERVER}http/|${PACKAGES}fastify/` },
    },
    ...ORDER.slice(0, -1).map((room, position) => ({
      name: `${room.replace(/\W+/g, "-").replace(/^-|-$/g, "")}-uses-earlier-rooms`,
      comment: "Rooms stand in one order (ORDER), so that none needs itself by way of another; types count.",
      severity: "error",
      from: { path: `${SERVER}${room}/`, pathNot: `${SERVER}${OUT_OF_ORDER}` },
      to: { path: `${SERVER}(?:${ORDER.slice(position + 1).join("|")})/`, pathNot: PURE },
    })),
    {
      name: "engine-knows-no-wire",
      comment:
        "A verb declares its input and output by the shapes of wire/; nothing below the verbs knows them. (Live events are projected when they are written.)",
      severity: "error",
      from: {
        path: [`${SERVER}(?:notification|result|status|${ENGINE}|store)/|${SERVER}pipeline\\.ts$`, RULE],
      },
      to: { path: `${SERVER}wire/`, pathNot: `${SERVER}wire/live\\.ts$` },
    },
    {
      name: "status-stands-alone",
      comment: "What follows from a status is the pipeline's to call: incidents, notices, what clients hear.",
      severity: "error",
      from: { path: `${SERVER}status/` },
      to: { path: `${SERVER}(?:incident|notification|wire)/` },
    },
    {
      name: "handlers-see-no-row",
      comment: "A handler parses, calls one verb and projects.",
      severity: "error",
      from: { path: `${SERVER}http/`, pathNot: WATCHERS },
      to: { path: `${SERVER}store/`, pathNot: `${SERVER}store/errors\\.ts$`, dependencyTypesNot: types },
    },
    {
      name: "wire-sees-no-row",
      comment:
        "wire/ holds shapes and projections of what queries and verbs return; it may name those types, never rows.",
      severity: "error",
      from: { path: `${SERVER}wire/` },
      to: { path: `${SERVER}(?:store/(?!queries/)|http/)` },
    },
    {
      name: "wire-runs-no-query",
      comment: "wire/ may name the types it projects; it reads nothing itself.",
      severity: "error",
      from: { path: `${SERVER}wire/` },
      to: { path: `${SERVER}store/`, dependencyTypesNot: types },
    },
    {
      name: "wire-runs-no-verb",
      comment: "wire/ may name the types it projects; of theirs it calls only pure functions.",
      severity: "error",
      from: { path: `${SERVER}wire/` },
      to: {
        path: `${SERVER}(?:${ROOMS}|verb|probe|schedule|command)/`,
        pathNot: PURE,
        dependencyTypesNot: types,
      },
    },
    {
      name: "store-stands-below",
      comment: "store/ is used by the rooms; of theirs it needs their types and their pure arithmetic.",
      severity: "error",
      from: { path: `${SERVER}store/` },
      to: {
        path: `${SERVER}(?:${ROOMS}|${ENGINE}|verb|command)/`,
        pathNot: PURE,
        dependencyTypesNot: types,
      },
    },
    {
      name: "sql-in-store-only",
      comment:
        "SQL stands in store/; nobody else builds a query. (The instance lock is a SQLite file without tables; checks of databases ask what their monitor says; a database of another product is read by a process of its own.)",
      severity: "error",
      from: {
        path: `${SERVER}|^agent/|^web/`,
        pathNot: `${SERVER}(?:store/|command/data-folder\\.ts$|check/postgres\\.ts$|import/kuma-database-process\\.ts$)`,
      },
      to: { path: `${PACKAGES}(?:@types/)?(?:kysely|pg)/|^(?:node:)?sqlite$`, dependencyTypesNot: types },
    },
    {
      name: "rooms-write-no-schema",
      comment: "Rooms call queries; the tables' shapes and the engines' differences stay in store/.",
      severity: "error",
      from: { path: SERVER, pathNot: `${SERVER}store/` },
      to: { path: `${SERVER}store/(?:migrations/|sqlite|postgres|migrate|bulk|dialect)` },
    },
    {
      name: "command-line-opens-store",
      comment:
        "The command line opens the store once and hands it down. (The API document is built on an empty one.)",
      severity: "error",
      from: { path: SERVER, pathNot: `${SERVER}(?:main\\.ts$|command/|store/|http/openapi-process\\.ts$)` },
      to: { path: `${SERVER}store/open\\.ts$`, dependencyTypesNot: types },
    },
    {
      name: "nobody-imports-main",
      comment: "main.ts starts the program; whatever others need belongs in a room.",
      severity: "error",
      from: { pathNot: `${SERVER}vedette\\.mjs$` },
      to: { path: `${SERVER}main\\.ts$` },
    },
    {
      name: "web-and-agent-share-wire-only",
      comment:
        "The app and the agent share the wire schemas with the server, the texts of its facts, the queue on disk, and what must be judged alike on both sides.",
      severity: "error",
      from: { path: "^(?:web|agent)/" },
      to: {
        path: SERVER,
        pathNot: `${SERVER}(?:wire/|texts/|disk-queue/|(?:device/rules|incident/states|monitor/(?:certificate-status|credential-danger|url)|notification/channel/filter|page/(?:contents/component-metrics|plain-settings|render/markdown-limits|subscriber/kinds|update/template-text))\\.ts$)`,
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
