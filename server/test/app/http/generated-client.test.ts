import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTypescript, { astToString } from "openapi-typescript";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { OPENAPI_FILE } from "../../../src/app/http/openapi-text.ts";
import { startTestServer } from "../../harness/server.ts";

const repository = (path: string) => new URL(`../../../../${path}`, import.meta.url);
const TSC = repository("node_modules/@typescript/native/bin/tsc").pathname;

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: "es2024",
  module: "nodenext",
  allowImportingTsExtensions: true,
  types: ["node"],
  typeRoots: [repository("node_modules/@types").pathname],
};

/** What a client's author writes against the generated types. Whatever it must not compile, it says itself. */
const PROGRAM = `
import type { components, operations, paths } from "./openapi.d.ts";

type Query<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>;
type Body<P extends keyof paths, M extends keyof paths[P]> =
  paths[P][M] extends { requestBody: { content: { "application/json": infer B } } } ? B : never;
type Answer<P extends keyof paths, M extends keyof paths[P], S extends number = 200> =
  paths[P][M] extends { responses: { [K in S]: { content: { "application/json": infer A } } } } ? A : never;

const base = process.argv[2] as string;
const headers = { authorization: \`Bearer \${process.argv[3]}\`, "content-type": "application/json" };

async function call<A>(method: string, path: string, body?: unknown): Promise<A> {
  const answer = await fetch(base + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return (await answer.json()) as A;
}

// What has a default need not be sent.
const nothing: Query<"getV2Domains"> = {};
const some: Query<"getApiDomainsByIdMonitoringHistory"> = { range: "7d" };
const new2: Body<"/v2/domains", "post"> = {
  name: "Shop",
  url: "https://shop.test",
  assertions: [{ type: "status", codes: "200" }, { type: "response_time", degraded_above_ms: 500 }],
};
// @ts-expect-error the name is required in v2
const nameless: Body<"/v2/domains", "post"> = { url: "https://shop.test" };
// @ts-expect-error no such status
const wrong: Query<"getV2Domains"> = { status: "sideways" };

const created = await call<Answer<"/v2/domains", "post", 201>>("POST", "/v2/domains", new2);
const list = await call<Answer<"/v2/domains", "get">>("GET", "/v2/domains");
const activity = await call<Answer<"/v2/dashboard/recent-activity", "get">>("GET", "/v2/dashboard/recent-activity");
// Always sent, so never undefined.
const total: number = list.pagination.total;
const kinds: ("domain" | "service" | "device" | null)[] = activity.data.map((each) => each.monitor_kind);
const failure: components["schemas"]["Failure"] = await call("GET", "/v2/domains/0");
const sentences: string[] = Object.values(failure.errors ?? {}).flat();
const assertion = created.data.assertions[0];
const codes = assertion?.type === "status" ? assertion.codes : null;

console.log(JSON.stringify({ total, kinds, codes, message: failure.message, sentences }));
void [nothing, some, nameless, wrong];
`;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vedette-client-"));
  const document = readFileSync(OPENAPI_FILE, "utf8");
  writeFileSync(join(folder, "openapi.d.ts"), astToString(await openapiTypescript(document)));
  writeFileSync(join(folder, "client.ts"), PROGRAM);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: STRICT, files: ["client.ts"] }),
  );
  return () => rmSync(folder, { recursive: true, force: true });
});

test("a program written against a client generated from the OpenAPI document compiles", () => {
  const { status, stdout } = spawnSync(process.execPath, [TSC, "-p", folder], { encoding: "utf8" });
  expect([stdout, status]).toEqual(["", 0]);
});

test("and it understands what the server answers", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, [join(folder, "client.ts"), server.url, server.key], (error, stdout, stderr) =>
    resolve(error ? stderr : stdout),
  );
  expect(JSON.parse(await promise)).toEqual({
    total: 1,
    kinds: [null],
    codes: "200",
    message: "Resource not found.",
    sentences: [],
  });
});

test("every query parameter with a default is optional", async () => {
  const { paths, components } = JSON.parse(readFileSync(OPENAPI_FILE, "utf8")) as {
    paths: Record<string, Record<string, { parameters?: (Parameter | { $ref: string })[] }>>;
    components: { parameters: Record<string, Parameter> };
  };
  const resolve = (one: Parameter | { $ref: string }) =>
    "$ref" in one ? (components.parameters[one.$ref.split("/").at(-1) ?? ""] as Parameter) : one;
  const parameters = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => (operation.parameters ?? []).map(resolve)),
  );
  const defaulted = parameters.filter(({ schema }) => schema.default !== undefined);
  expect(defaulted.length).toBeGreaterThan(20);
  expect(defaulted.filter(({ required }) => required)).toEqual([]);
});

interface Parameter {
  required?: boolean;
  schema: { default?: unknown };
}

test("an answer with a status that is not documented fails the test that receives it", async () => {
  const server = await startTestServer({
    engine: "sqlite",
    routes: (app) => {
      app.addHook("onRequest", async (request, reply) => {
        if (request.headers["x-strange"]) await reply.status(418).send({ success: false, message: "Tea." });
      });
    },
  });
  onTestFinished(server.close);
  const strange = server.api("GET", "/api/domains", undefined, { headers: { "x-strange": "1" } });
  await expect(strange).rejects.toThrow("answered 418: a status that is not documented");
});
