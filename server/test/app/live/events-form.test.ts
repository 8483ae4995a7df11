import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildOpenApi } from "../../../src/app/http/openapi-process.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { addLinked } from "../../integrations/linked.ts";
import { failed, probed } from "../pipeline/setup.ts";
import { bearer, openEvents, type ReceivedEvent } from "./event-source.ts";

const PATHS = { legacy: "/api/events", v2: "/v2/events" } as const;

// biome-ignore lint/suspicious/noExplicitAny: the document is any JSON
let document: any;
beforeAll(async () => {
  document = await buildOpenApi();
});

const schemaOf = (path: string) =>
  document.paths[path].get.responses["200"].content["text/event-stream"].schema;

/** The document's schemas with nothing allowed but what they name. */
function strictly(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strictly);
  if (typeof node !== "object" || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, strictly(value)]));
  return "properties" in inner ? { ...inner, additionalProperties: false } : inner;
}

function problemsOf(path: string, events: readonly ReceivedEvent[]): unknown[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const { schemas } = strictly(document.components) as { schemas: object };
  const { discriminator: _, ...stream } = schemaOf(path);
  const validate = ajv.compile({ ...stream, components: { schemas } });
  return events.filter((event) => !validate(event)).map((event) => [event, validate.errors]);
}

/** Everything that has events happens to a domain, a service and a device, or is planned, by the very code that makes it happen. */
async function liveThrough(server: TestServer, clock: { ms: number }): Promise<void> {
  const domain = await server.api("POST", "/api/domains", { url: "https://shop.vedette.test/" });
  await monitor(server, clock, "/api/domains", domain.body.data.id);
  const wanted = { name: "Door", protocol: "tcp", protocolConfig: { host: "shop.vedette.test", port: 22 } };
  const service = await server.api("POST", "/api/services", wanted);
  await monitor(server, clock, "/api/services", service.body.data.id);
  const device = await server.api("POST", "/api/devices", { name: "Machine" });
  await monitor(server, clock, "/api/devices", device.body.data.device.id);
  await server.api("POST", "/api/maintenance", { duration: 60, everything: true });
  await server.api("POST", "/api/deployments", { name: "Shop" });
  const owner = { organizationId: server.person.organization.id };
  const { id } = await addLinked({ server, owner }, "azure");
  await server.api("DELETE", `/api/azure/accounts/${id}`);
}

async function monitor(server: TestServer, clock: { ms: number }, list: string, id: number): Promise<void> {
  for (const outcome of [probed, failed, failed, failed, probed, probed]) {
    clock.ms += 1000;
    await ingestBatch(server.ctx, [outcome(id, clock.ms)]);
  }
  await server.api("DELETE", `${list}/${id}`);
}

const TYPES = [
  ...["deployment", "device.changed", "device.reported", "device.status"],
  ...["incident", "integration", "maintenance", "monitor.changed", "notification", "results"],
  ...["service.changed", "service.results", "service.status", "status"],
];

eachEngine("what is sent on the live stream", (engine) => {
  test("is what the OpenAPI document says, in both families, for every type of event", async () => {
    // How much is sent follows from when it happens: not by how busy the machine is.
    const clock = { ms: Date.now(), now: () => clock.ms };
    const server = await startTestServer({ engine, clock });
    onTestFinished(server.close);
    const legacy = await openEvents(server.url + PATHS.legacy, bearer(server.key));
    const v2 = await openEvents(server.url + PATHS.v2, bearer(server.key));
    await liveThrough(server, clock);
    const events = await legacy.waitFor(48);
    const events2 = await v2.waitFor(48);
    expect([...new Set(events.map(({ event }) => event))].sort()).toEqual(TYPES);
    const reset = await openEvents(server.url + PATHS.legacy, bearer(server.key, "nonsense"));
    expect(problemsOf(PATHS.legacy, [...events, ...(await reset.waitFor(1))])).toEqual([]);
    expect(problemsOf(PATHS.v2, events2)).toEqual([]);
    // The same events, in the other family's words.
    expect(events2.map(({ id, event }) => [id, event])).toEqual(events.map(({ id, event }) => [id, event]));
    const keys = (event: string, of: ReceivedEvent[]) =>
      Object.keys(of.find((one) => one.event === event)?.data).join(" ");
    expect(keys("notification", events)).toContain("monitorId incidentId");
    expect(keys("notification", events2)).toContain("monitor_id incident_id");
    const result = events2.find(({ event }) => event === "results")?.data.results[0];
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining(["monitor_id", "response_time", "status_code"]),
    );
    for (const client of [legacy, v2, reset]) client.close();
  });
});

describe("the schema of the stream", () => {
  test.each(Object.values(PATHS))(
    "%s distinguishes events by their type, each with what it carries",
    (path) => {
      const { $ref } = schemaOf(path);
      const { oneOf, discriminator } = document.components.schemas[$ref.split("/").at(-1)];
      expect(discriminator.propertyName).toBe("event");
      expect(Object.keys(discriminator.mapping).sort()).toEqual([...TYPES, "reset"].sort());
      expect(oneOf.map((one: { $ref: string }) => one.$ref).sort()).toEqual(
        Object.values(discriminator.mapping).sort(),
      );
      for (const [type, ref] of Object.entries<string>(discriminator.mapping)) {
        const { properties, required } = document.components.schemas[ref.split("/").at(-1) as string];
        expect([type, properties.event.enum]).toEqual([type, [type]]);
        expect(required.sort()).toEqual(["data", "event", "id"]);
      }
    },
  );
});
