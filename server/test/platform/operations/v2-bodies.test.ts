import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../../harness/server.ts";

test("v2 refuses the fields of a body that an operation does not take", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const uuid = "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11";
  for (const prefix of ["/v2", "/api/v2"]) {
    for (const [method, path] of [
      ["POST", `/services/${uuid}/check`],
      ["POST", `/domains/${uuid}/check`],
      ["DELETE", `/domains/${uuid}`],
    ] as const) {
      const answer = await server.api(method, prefix + path, { force: true, dry_run: false });
      const said = [answer.status, Object.keys(answer.body.errors ?? {})];
      expect([prefix, path, ...said]).toEqual([prefix, path, 422, ["force", "dry_run"]]);
      expect((await server.api(method, prefix + path, {})).status).toBe(404);
      expect((await server.api(method, prefix + path)).status).toBe(404);
    }
  }
  // Clients of the older family were written against another server.
  expect((await server.api("DELETE", `/api/domains/${uuid}`, { force: true })).status).toBe(404);
});

test("the OpenAPI document offers keys only where they are let in", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const { body } = await server.api("GET", "/openapi.json");
  const refused: string[] = [];
  const offered: string[] = [];
  for (const [path, methods] of Object.entries<Record<string, { security?: object[] }>>(body.paths)) {
    for (const [method, { security = [] }] of Object.entries(methods)) {
      if (security.length === 0) continue;
      const takesKeys = security.some((one) => "bearer" in one);
      if (!takesKeys) offered.push(`${method} ${path}`);
      const filled = path.replace(/\{\w+\}/g, "999999");
      if (path.endsWith("/events")) continue;
      const answer = await server.api(method.toUpperCase(), filled, method === "get" ? undefined : {});
      const isSessionOnly = answer.body?.fact?.code === "access.session";
      if (isSessionOnly === takesKeys)
        refused.push(`${method} ${path} ${answer.status} ${JSON.stringify(answer.body).slice(0, 90)}`);
    }
  }
  expect(refused).toEqual([]);
  expect(offered).toEqual(
    expect.arrayContaining(["put /api/auth/password", "delete /api/auth/sessions/{id}"]),
  );
});
