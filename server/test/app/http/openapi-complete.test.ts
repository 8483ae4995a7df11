import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { buildOpenApi } from "../../../src/app/http/openapi-process.ts";
import { en } from "../../../src/platform/i18n/en.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Content {
  content?: Record<string, { schema: Schema }>;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}
interface Operation {
  name: string;
  parameters?: Parameter[];
  requestBody?: Required<Content> & { required?: boolean };
  responses: Record<string, Content & { $ref?: string; description?: string; headers?: object }>;
  tags: string[];
  description?: string;
  security: Record<string, string[]>[];
}

const LIMITS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

// biome-ignore lint/suspicious/noExplicitAny: the document is any JSON
let document: any;
let operations: Operation[];

beforeAll(async () => {
  document = await buildOpenApi();
  operations = Object.entries(
    document.paths as Record<string, Record<string, Omit<Operation, "name">>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({
      ...route,
      ...(route.parameters && { parameters: route.parameters.map(resolve) }),
      name: `${method.toUpperCase()} ${path}`,
    })),
  );
  expect(operations.length).toBeGreaterThan(70);
});

const resolve = <T extends { $ref?: string }>(node: T): T =>
  node.$ref === undefined
    ? node
    : node.$ref
        .split("/")
        .slice(1)
        .reduce((at, key) => at[key], document);

/** Whether an example is in the schema or anywhere it leads to. */
function hasExample(given: Schema, depth = 0): boolean {
  const schema = resolve(given);
  if (schema.examples) return true;
  if (depth > 8) return false;
  const more = typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [];
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...more,
  ];
  return [...inner, ...(schema.items ? [schema.items] : [])].some((part) => hasExample(part, depth + 1));
}

const codesOf = (name: string): string[] =>
  Object.keys(operations.find((operation) => operation.name === name)?.responses ?? {});
const contents = (node: Content): Schema[] => Object.values(node.content ?? {}).map(({ schema }) => schema);

describe("every operation of the OpenAPI document", () => {
  test("is made of valid JSON Schemas of 2020-12, as OpenAPI 3.1 requires", () => {
    const ajv = new Ajv2020({ strict: false });
    const schemas: Schema[] = [
      ...Object.values<Schema>(document.components.schemas),
      ...operations.flatMap(({ parameters = [] }) => parameters.map(({ schema }) => schema)),
      ...operations.flatMap(({ requestBody }) => (requestBody ? contents(requestBody) : [])),
      ...operations.flatMap(({ responses }) =>
        Object.values(responses).flatMap((one) => contents(resolve(one))),
      ),
    ];
    for (const schema of schemas) expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
  });

  test("refers to what many operations take", () => {
    const { parameters } = document.components;
    expect(Object.keys(parameters)).toEqual(expect.arrayContaining(["organization", "id", "uuid", "page"]));
    const ofList = document.paths["/v2/domains"].get.parameters as Parameter[];
    expect(ofList).toContainEqual({ $ref: "#/components/parameters/organization" });
    const said = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) =>
      Object.values(path).flatMap((operation) => operation.parameters ?? []),
    );
    for (const name of ["organization", "organizationId"]) {
      expect(said.filter((one) => one.name === name && one.in === "query")).toHaveLength(0);
    }
  });

  test("needs no union of types that there is no word for", () => {
    const unions: string[][] = [];
    const seen = new Set<unknown>();
    const visit = (given: { $ref?: string; type?: unknown }): void => {
      if (typeof given !== "object" || given === null) return;
      const node = resolve(given);
      if (seen.has(node)) return;
      seen.add(node);
      if (Array.isArray(node.type)) unions.push(node.type);
      for (const inner of Object.values<typeof given>(node as Record<string, typeof given>)) visit(inner);
    };
    for (const { requestBody, parameters } of operations) visit({ requestBody, parameters } as object);
    expect(unions).toContainEqual(["integer", "string"]);
    for (const union of unions) {
      expect(en).toHaveProperty([`types.${union.join("_or_")}`]);
      expect(en).toHaveProperty([`types.${union.join("_or_").replace("integer", "number")}`]);
    }
  });

  test("describes each parameter, and requires those of its path", () => {
    for (const { name, parameters = [] } of operations) {
      for (const parameter of parameters) {
        expect([name, parameter.name, parameter.description ?? ""]).toEqual([
          ...[name, parameter.name],
          expect.stringMatching(/\S/),
        ]);
      }
      const inPath = parameters.filter((parameter) => parameter.in === "path" && parameter.required);
      expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(name.match(/\{\w+\}/g) ?? []);
    }
  });

  test("shows an example of its body and of what it answers", () => {
    for (const { name, requestBody, responses } of operations) {
      const answers = Object.entries(responses).filter(([code]) => code.startsWith("2"));
      const shown = [...contents(requestBody ?? {}), ...answers.flatMap(([, answer]) => contents(answer))];
      for (const schema of shown.filter(
        (one) => !/^(GET \/icons|GET .*\/events$)/.test(name) || one.examples,
      )) {
        expect([name, hasExample(schema)]).toEqual([name, true]);
      }
    }
  });

  test("says what each number is", () => {
    const plain = /^(id|page|limit|per_page|total|totalPages|total_pages|up|down|unknown)$|[iI]d$/;
    for (const [title, schema] of Object.entries<Schema>(document.components.schemas)) {
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        const isNumber = [property.type].flat().some((type) => type === "number" || type === "integer");
        if (!isNumber || plain.test(name)) continue;
        expect([title, name, property.description ?? ""]).toEqual([title, name, expect.stringMatching(/\S/)]);
      }
    }
  });

  test("that takes an organization documents 404, since it may be another's", () => {
    const taking = operations.filter(({ parameters = [], requestBody }) =>
      [
        ...parameters.map(({ name }) => name),
        ...contents(requestBody ?? {}).flatMap((schema) => Object.keys(resolve(schema).properties ?? {})),
      ].some((name) => /^organization(Id)?$/.test(name)),
    );
    const known = taking.filter(({ security }) => security.length > 0);
    expect(known.length).toBeGreaterThan(15);
    for (const { name, responses } of known)
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(["404"])]);
  });

  test("says what it does, under a tag that is described", () => {
    const declared: string[] = document.tags.map((tag: { name: string }) => tag.name);
    for (const { name, description = "", tags } of operations) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^\S.{20,}/s)]);
      for (const tag of tags) expect([name, declared]).toEqual([name, expect.arrayContaining([tag])]);
    }
    for (const tag of document.tags) expect(tag.description).toMatch(/\S/);
  });

  test("documents what any request may meet, and the headers by which answers describe themselves", () => {
    for (const { name, responses } of operations) {
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(["400", "431"])]);
      for (const [code, given] of Object.entries(responses)) {
        const headers = Object.keys(resolve(given).headers ?? {});
        expect([name, code, headers]).toEqual([name, code, expect.arrayContaining(["X-Request-Id"])]);
        const isLimited = "429" in responses && code.startsWith("2");
        if (isLimited) expect([name, headers]).toEqual([name, expect.arrayContaining(LIMITS)]);
        if (code === "429") expect(headers).toEqual(expect.arrayContaining(["Retry-After", ...LIMITS]));
      }
    }
  });

  test("documents the refusals that are its own", () => {
    expect(codesOf("POST /api/auth/setup")).toEqual(expect.arrayContaining(["403", "409"]));
    for (const name of ["POST /api/auth/sign-up", "POST /api/auth/sign-in", "POST /api/auth/sign-out"]) {
      expect([name, codesOf(name)]).toEqual([name, expect.arrayContaining(["403"])]);
    }
    for (const name of [
      "POST /api/auth/totp",
      "POST /api/auth/totp/confirm",
      "PUT /api/organizations/{id}/members/{userId}",
      "DELETE /v2/organizations/{uuid}/members/{user}",
    ]) {
      expect([name, codesOf(name)]).toEqual([name, expect.arrayContaining(["409"])]);
    }
  });

  test("names its ways in; of /metrics, that there is one without credentials", () => {
    for (const { name, security } of operations) {
      const ways = security.map((way) => Object.keys(way).join());
      // Which are for people in a session alone: v2-bodies.test.ts.
      const keys = ways.includes("bearer") ? ["bearer"] : [];
      const expected = name === "GET /metrics" ? ["bearer", "cookie", ""] : [...keys, "cookie"];
      expect([name, ways]).toEqual([name, security.length === 0 ? [] : expected]);
    }
  });
});
