import type { FastifyReply } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planOf } from "../../../src/platform/access/plans.ts";
import type { ListedRoute } from "../../../src/platform/http/types.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";

const UNKNOWN_IDS = ["999999999", "0193f2a0-0000-7000-8000-000000000000", "no-such-thing"];

type Schema = {
  properties?: Record<string, { type?: string; enum?: unknown[]; maximum?: number; minimum?: number }>;
  required?: string[];
};
const part = (route: ListedRoute, name: "body" | "querystring"): Schema =>
  (route.schema as Record<string, Schema>)[name] ?? {};

const at = (route: ListedRoute, id = UNKNOWN_IDS[0]) => route.url.replaceAll(/:\w+/g, id as string);
const named = (route: ListedRoute) => `${route.method} ${route.url}`;

/** Asserts on every route at once, so that the failure names the routes that fall short. */
async function forEvery(
  routes: ListedRoute[],
  probe: (route: ListedRoute) => Promise<string | null>,
): Promise<void> {
  const wrong: string[] = [];
  for (const route of routes) {
    const complaint = await probe(route);
    if (complaint !== null) wrong.push(`${named(route)}: ${complaint}`);
  }
  expect(wrong).toEqual([]);
  expect(routes.length).toBeGreaterThan(0);
}

const unless = (ok: boolean, answer: { status: number; body: unknown }): string | null =>
  ok ? null : `${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`;

eachEngine("every route", (engine) => {
  let server: TestServer;
  let guarded: ListedRoute[];
  let scoped: ListedRoute[];

  beforeAll(async () => {
    server = await startTestServer({ engine });
    guarded = server.app.routeList.filter((route) => route.family !== "public");
    // Those that no key may call are covered by the verbs' own tests.
    scoped = guarded.filter((route) => route.resource !== null && route.needs.by !== "session");
  });
  afterAll(() => server.close());

  const send = (route: ListedRoute, key?: string | null, body?: unknown) =>
    server.api(route.method, at(route), body, { key, headers: { via: "1.1 test" } });

  test("lets no one store a copy of what it answers", async () => {
    const reads = server.app.routeList.filter(({ method, alias }) => method === "GET" && !alias);
    const ending = reads.filter(({ url }) => !url.endsWith("/events"));
    await forEvery(ending, async (route) => {
      const answer = await send(route, server.key);
      const cacheControl = answer.headers.get("cache-control");
      return cacheControl === "no-store" ? null : `${answer.status} ${cacheControl}`;
    });
    const unknown = await server.api("GET", "/api/nothing.csv");
    expect([unknown.status, unknown.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });

  test("answers 401 without credentials, with an unknown key and with an agent's token", async () => {
    for (const key of [null, `vdt_${"x".repeat(43)}`, `vda_${"x".repeat(43)}`, "nonsense"]) {
      await forEvery(guarded, async (route) => {
        const answer = await send(route, key);
        return unless(answer.status === 401 && answer.body.message === "Unauthenticated.", answer);
      });
    }
  });

  test("answers 403 and names the plan when the plan lacks it", async () => {
    const free = await server.createKey({ plan: "free", reports: false });
    const needing = scoped.filter((route) => route.needs.features.some((name) => name !== "basic"));
    await forEvery(needing, async (route) => {
      const answer = await send(route, free);
      const said = /^This feature requires an? (Pro|Expert|Reports) Plan subscription\.$/;
      return unless(answer.status === 403 && said.test(answer.body.message), answer);
    });
    // A stream that is let in does not end; live/events.test.ts looks at that one.
    const basic = scoped.filter(
      (route) => route.needs.features.every((name) => name === "basic") && !route.url.endsWith("/events"),
    );
    await forEvery(basic, async (route) => {
      const answer = await send(route, free);
      return unless(answer.status !== 403 || !/Plan subscription/.test(answer.body.message), answer);
    });
  });

  test("answers 403 and names the scope when the key lacks it", async () => {
    await forEvery(scoped, async (route) => {
      const { action, resource } = route.needs;
      const other = resource === "chat" ? "write:reports" : "write:chat";
      const weak = action === "write" ? [other, `read:${resource}`] : [other];
      const answer = await send(route, await server.createKey({ scopes: weak }));
      return unless(answer.status === 403 && answer.body.message.includes(`${action}:${resource}`), answer);
    });
  });

  test("answers 403 and names the role when a viewer writes", async () => {
    const viewer = await server.createKey({ role: "viewer" });
    const writes = scoped.filter(({ needs }) => needs.action === "write" && needs.role !== "viewer");
    await forEvery(writes, async (route) => {
      const answer = await send(route, viewer);
      return unless(answer.status === 403 && answer.body.message.includes("viewer"), answer);
    });
  });

  test("answers 403 when an API key requests what only a signed-in person may do", async () => {
    await forEvery(
      guarded.filter((route) => route.by === "session"),
      async (route) => {
        const answer = await send(route);
        return unless(answer.status === 403 && answer.body.message.includes("signed-in person"), answer);
      },
    );
  });

  test("answers 422 for a number in the query that no store takes", async () => {
    const numbers = scoped.flatMap((route) =>
      Object.entries(part(route, "querystring").properties ?? {}).flatMap(([name, { type }]) =>
        type === "integer" ? [{ ...route, name }] : [],
      ),
    );
    await forEvery(numbers, async (route) => {
      const { name, method } = route as (typeof numbers)[number];
      const answer = await server.api(method, `${at(route)}?${name}=1${"0".repeat(30)}`);
      return unless(answer.status === 422 && Object.hasOwn(answer.body.errors, name), answer);
    });
  });

  test("answers 404 for an unknown id, an unknown uuid and anything else in the path", async () => {
    const items = scoped.filter((route) => route.url.includes(":"));
    for (const id of UNKNOWN_IDS) {
      await forEvery(items, async (route) => {
        const body = "body" in route.schema ? {} : undefined;
        const answer = await server.api(route.method, at(route, id), body);
        const invalid = body !== undefined && answer.status === 422;
        return unless(
          invalid || (answer.status === 404 && answer.body.message === "Resource not found."),
          answer,
        );
      });
    }
  });

  test("answers 422 and names every required field of the body that is missing", async () => {
    const needing = scoped.filter((route) => (part(route, "body").required ?? []).length > 0);
    await forEvery(needing, async (route) => {
      const answer = await send(route, undefined, {});
      const missing = part(route, "body").required ?? [];
      const named = missing.every((field) => answer.body.errors?.[field]?.length > 0);
      return unless(answer.status === 422 && named, answer);
    });
  });

  test("answers 422 and names every query parameter of a wrong kind, value or size", async () => {
    const bad = (field: { type?: string; enum?: unknown[]; maximum?: number }): string | null => {
      if (field.type === "integer" || field.type === "number") return "many";
      if (field.enum) return "no-such-value";
      return field.type === "boolean" ? "perhaps" : null;
    };
    const checked = scoped.filter((route) =>
      Object.values(part(route, "querystring").properties ?? {}).some(bad),
    );
    await forEvery(checked, async (route) => {
      const fields = Object.entries(part(route, "querystring").properties ?? {}).filter(([, field]) =>
        bad(field),
      );
      const query = new URLSearchParams(fields.map(([name, field]) => [name, bad(field) as string]));
      const answer = await server.api(route.method, `${at(route)}?${query}`);
      const named = fields.every(([name]) => answer.body.errors?.[name]?.length > 0);
      return unless(answer.status === 422 && named, answer);
    });
  });

  test("answers 422 to a number beyond its bounds, never clamps it", async () => {
    const bounded = (route: ListedRoute) =>
      Object.entries(part(route, "querystring").properties ?? {}).filter(
        ([, field]) => field.maximum !== undefined,
      );
    await forEvery(
      scoped.filter((route) => bounded(route).length > 0),
      async (route) => {
        const query = new URLSearchParams(
          bounded(route).map(([name, field]) => [name, String((field.maximum as number) + 1)]),
        );
        const answer = await server.api(route.method, `${at(route)}?${query}`);
        const named = bounded(route).every(([name]) => answer.body.errors?.[name]?.length > 0);
        return unless(answer.status === 422 && named, answer);
      },
    );
  });

  test("answers 400 to malformed JSON, 415 to other content and 413 to more than 256 KB", async () => {
    // Of agents the token is validated first, which is another than the key (refused-requests.test.ts).
    const reading = server.app.routeList.filter(
      (route) =>
        "body" in route.schema &&
        (scoped.includes(route) || route.family === "public") &&
        !route.url.startsWith("/api/agent/"),
    );
    await forEvery(reading, async (route) => {
      const answer = await send(route, undefined, "{");
      return unless(answer.status === 400, answer);
    });
    await forEvery(reading, async (route) => {
      const headers = { "content-type": "application/xml" };
      const answer = await server.api(route.method, at(route), "<a/>", { headers });
      return unless(answer.status === 415, answer);
    });
    await forEvery(reading, async (route) => {
      const answer = await send(route, undefined, { name: "x".repeat(route.bodyLimitBytes ?? 256 * 1024) });
      return unless(answer.status === 413, answer);
    });
  });

  test("answers 405 and says which methods it takes", async () => {
    await forEvery(server.app.routeList, async (route) => {
      const takes = server.app.routeList
        .filter(({ url }) => url === route.url)
        .map(({ method }) => method as string);
      const other = ["PATCH", "PUT", "POST", "DELETE"].find((method) => !takes.includes(method)) as string;
      const answer = await server.api(other, at(route));
      const allow = answer.headers.get("allow") ?? "";
      return unless(answer.status === 405 && takes.every((method) => allow.includes(method)), answer);
    });
  });
});

describe("rate limits of every route", () => {
  test("answers 429 with Retry-After once the plan's requests of this minute are used up", async () => {
    const server = await startTestServer({ engine: "sqlite", config: { rateLimits: true }, plan: "free" });
    try {
      const limits = planOf("free").requestsPerMinute;
      const reply = { headers: () => reply } as unknown as FastifyReply;
      const user = `user:${server.person.userId}`;
      for (const group of ["read", "write", "toolbox"] as const) {
        for (let n = 0; n < limits[group]; n += 1)
          await server.app.limiter.take(reply, group, user, limits[group]);
      }
      const limited = server.app.routeList.filter(
        (route) => route.family !== "public" && route.limit !== null && typeof route.limit !== "object",
      );
      await forEvery(limited, async (route) => {
        const answer = await server.api(route.method, at(route), undefined, { headers: { via: "1.1 test" } });
        const fine =
          answer.status === 429 &&
          answer.body.message === "Too Many Attempts." &&
          Number(answer.headers.get("retry-after")) > 0 &&
          answer.headers.get("ratelimit-remaining") === "0";
        return unless(fine, answer);
      });
    } finally {
      await server.close();
    }
  });
});
