import { Type } from "typebox";
import { expect, test } from "vitest";
import { defineRoute } from "../../../src/platform/http/define-route.ts";
import { startTestServer } from "../../harness/server.ts";

test("closing waits for the request under way and then takes no more", async () => {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const server = await startTestServer({
    engine: "sqlite",
    routes: (app, ctx) =>
      defineRoute(app, ctx, {
        method: "GET",
        url: "/api/test/slow",
        family: "public",
        resource: null,
        summary: "For a test",
        response: Type.String(),
        handler: async () => {
          entered.resolve();
          await gate.promise;
          return { data: "finished" };
        },
      }),
  });
  const answer = server.api("GET", "/api/test/slow");
  await entered.promise;
  const closed = server.close();
  gate.resolve();
  expect((await answer).body.data).toBe("finished");
  await closed;
  await expect(server.api("GET", "/api/health")).rejects.toThrow();
});

test("closing cuts off a client that never reads its answer", async () => {
  const server = await startTestServer({
    engine: "sqlite",
    routes: (app, ctx) =>
      defineRoute(app, ctx, {
        method: "GET",
        url: "/api/test/large",
        family: "public",
        resource: null,
        summary: "For a test",
        response: Type.String(),
        handler: async () => ({ data: "x".repeat(20_000_000) }),
      }),
  });
  const response = await fetch(`${server.url}/api/test/large`, {
    headers: { "accept-encoding": "identity" },
  });
  expect(response.status).toBe(200);
  await server.close();
  await expect(response.text()).rejects.toThrow();
});

test("closing does not wait for a connection that stays open after its answer", async () => {
  const server = await startTestServer({
    engine: "sqlite",
    routes: (app, ctx) =>
      defineRoute(app, ctx, {
        method: "GET",
        url: "/api/test/large",
        family: "public",
        resource: null,
        summary: "For a test",
        response: Type.String(),
        handler: async () => ({ data: "x".repeat(20_000_000) }),
      }),
  });
  const response = await fetch(`${server.url}/api/test/large`, {
    headers: { "accept-encoding": "identity" },
  });
  const closed = server.close();
  const started = performance.now();
  expect((await response.text()).length).toBeGreaterThan(20_000_000);
  await closed;
  expect(performance.now() - started).toBeLessThan(6_000);
});
