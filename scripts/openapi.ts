/**
 * `npm run openapi` writes openapi/routes.txt, which reviews see, and the whole OpenAPI document, which git ignores.
 * With `--check` it only says whether the snapshot is current (exit code 1 when not).
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { describeApi } from "../server/src/app/http/openapi-process.ts";
import { OPENAPI_FILE, saveOpenApi } from "../server/src/app/http/openapi-text.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
type Content = Record<string, { schema?: Schema }>;
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}
type Route = Awaited<ReturnType<typeof describeApi>>["routes"][number];

const SNAPSHOT = "openapi/routes.txt";
/** Texts for people: no program notices when they change. */
const TEXTS = new Set(["description", "examples", "example", "title", "summary"]);

function snapshotOf(document: Document, routes: readonly Route[]): string {
  const access = new Map(
    routes.map((route) => [`${route.method} ${route.url.replaceAll(/:(\w+)/g, "{$1}")}`, route]),
  );
  const operations = operationsOf(document.paths);
  const statuses = operations.map(({ operation }) => Object.keys(operation.responses));
  const common = new Set(statuses[0]?.filter((status) => statuses.every((some) => some.includes(status))));
  const lines = operations.map(({ name, operation }) =>
    routeLine(document, { name, operation, route: access.get(name), common }),
  );
  const webhooks = operationsOf(document.webhooks).map(({ name, operation }) =>
    routeLine(document, { name: `webhook ${name.split(" ")[1]}`, operation, route: undefined, common }),
  );
  const shapes = shapeLines(document.components.schemas);
  return `${[headOf(common), ...lines, ...webhooks, "", ...shapes].join("\n")}\n`;
}

const headOf = (
  common: Set<string>,
) => `# The API for reviews, written by \`npm run openapi\`. One line for each route:
#   METHOD path operation-id access(role, plan feature, by) ?query :body -> statuses and answers
# then one line for each named shape, without those of v2 that are legacy's in snake_case.
# name? may be missing, name! must be given, |null may be null, #1a2b: hash of all other rules (lengths, formats, limits).
# org: organization and organizationId. Every route also answers ${[...common].join(" ")}.
`;

function operationsOf(paths: Document["paths"]) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

interface Line {
  name: string;
  operation: Operation;
  route: Route | undefined;
  /** The statuses that every route answers. */
  common: Set<string>;
}

function routeLine(document: Document, { name, operation, route, common }: Line): string {
  const parameters = (operation.parameters ?? []).map((one) =>
    one.$ref ? (document.components.parameters[nameOf(one.$ref)] as Parameter) : one,
  );
  const query = parameters.filter((one) => one.in === "query");
  const names = query
    .map((one) => (one.required ? `${one.name}!` : one.name))
    .join(",")
    .replace("organization,organizationId", "org");
  const body = operation.requestBody && contentOf(operation.requestBody.content);
  const answers = Object.entries(operation.responses)
    .filter(([status]) => !common.has(status))
    .map(([status, { content }]) =>
      content && status < "400" ? `${status} ${contentOf(content, true)}` : status,
    );
  const takes = [names && `?${names}${hashOf(query)}`, body && `:${body}`];
  const parts = [name, operation.operationId, route && accessOf(route), ...takes, "->", ...answers];
  return parts.filter((part) => part).join(" ");
}

function accessOf({ family, needs }: Route): string {
  if (family === "public") return "public";
  const { resource, action, role, features, by } = needs;
  const scope = resource === null ? "own" : `${resource}:${action}`;
  // What all of v2 takes is its path's.
  const beyond = features.filter((one) => one !== "basic" && one !== "full");
  const more = [role, ...beyond, by === "caller" ? undefined : by];
  return `${scope}(${more.filter((one) => one).join(",")})`.replace("()", "");
}

/** JSON is what is meant where no type is named. Of an answer's envelope only what is not the same everywhere. */
const contentOf = (content: Content, isAnswer = false): string =>
  Object.entries(content)
    .map(([type, { schema = {} }]) => {
      const { success, message, data, ...beside } = schema.properties ?? {};
      const isEnvelope = isAnswer && success && message && data;
      const shape = isEnvelope
        ? [inLine(data), ...Object.entries(beside).map(([name, one]) => `+${name}:${inLine(one)}`)].join(" ")
        : inLine(schema);
      const hash = /[{?]|any/.test(shape) ? hashOf(schema) : "";
      return `${type === "application/json" ? "" : `${type} `}${shape}${hash}`;
    })
    .join(" or ");

function shapeLines(schemas: Record<string, Schema>): string[] {
  const lines = new Map(
    Object.entries(schemas).map(([name, one]) => [name, inLine(one, true) + hashOf(one)]),
  );
  const twins = new Map(
    Object.entries(schemas).map(([name, one]) => {
      const schema = inSnakeCase(one);
      return [name, inLine(schema, true) + hashOf(schema)];
    }),
  );
  return [...lines].flatMap(([name, line]) =>
    line === twins.get(name.replace(/^V2/, "")) && name.startsWith("V2") ? [] : [`${name} ${line}`],
  );
}

/** A schema in a line: names and types of its fields; named schemas by their name. */
function inLine(schema: Schema, isWhole = false): string {
  if (schema.$ref) return nameOf(schema.$ref);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.map((one) => inLine(one)).join("|");
  if (schema.enum) return schema.enum.map((one) => String(one)).join("|");
  const types = [schema.type ?? "any"].flat();
  return types.map((type) => typeInLine(type, schema, isWhole)).join("|");
}

function typeInLine(type: string, schema: Schema, isWhole: boolean): string {
  if (type === "array") return `[${schema.items ? inLine(schema.items) : ""}]`;
  if (type !== "object")
    return type.replace("integer", "int").replace("string", "str").replace("boolean", "bool");
  const { properties, required = [], additionalProperties } = schema;
  const rest = typeof additionalProperties === "object" ? [`*:${inLine(additionalProperties)}`] : [];
  const fields = Object.entries(properties ?? {}).map(
    ([name, one]) => `${name}${required.includes(name) ? "" : "?"}:${inLine(one)}`,
  );
  const inside = [...fields, ...rest].join(" ");
  return isWhole ? inside : `{${inside}}`;
}

const nameOf = (ref: string): string => ref.split("/").at(-1) ?? "";

function inSnakeCase(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === "required" && Array.isArray(value)) return value.map((name: string) => snake(name));
    if (key === "$ref") return (value as string).replace(/([^/]+)$/, "V2$1");
    if (key !== "properties") return value;
    return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [snake(name), one]));
  });
  return JSON.parse(text) as Schema;
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Four digits are enough to see that something has changed. */
function hashOf(value: unknown): string {
  const text = JSON.stringify(value, (key, inner: unknown) => (TEXTS.has(key) ? undefined : inner));
  return ` #${createHash("sha256").update(text).digest("hex").slice(0, 4)}`;
}

const { document, routes } = await describeApi();
await saveOpenApi(document);
const snapshot = snapshotOf(document as Document, routes);
if (!process.argv.includes("--check")) {
  writeFileSync(SNAPSHOT, snapshot);
  console.log(`${SNAPSHOT} is current. The document: ${relative(process.cwd(), OPENAPI_FILE)}`);
} else if (readFileSync(SNAPSHOT, "utf8") !== snapshot) {
  process.stderr.write(`${SNAPSHOT} is not current. Run: npm run openapi\n`);
  process.exitCode = 1;
}
