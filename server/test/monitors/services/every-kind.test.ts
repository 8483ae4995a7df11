import { describe, expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { serve } from "../domains/factories.ts";
import { makeService } from "./factories.ts";
import { configOn, KINDS } from "./kinds.ts";

eachEngine("a service of every kind in the registry", (engine) => {
  for (const kind of KINDS) {
    const { type, secrets } = kind;
    test(`${type} is created, read, changed and deleted in both families`, async () => {
      const server = await serve({ engine });
      const { api } = server;
      const protocolConfig = await configOn(server, kind);
      const made = await makeService(server, { name: "One", protocol: type, protocolConfig });
      expect(made).toMatchObject({ name: "One", protocol: type, status: "unknown", enabled: true });
      const { target } = made;
      expect(target).toEqual(expect.any(String));
      const v2 = await api("GET", `/v2/services/${made.uuid}`);
      expect(v2.body.data).toMatchObject({ uuid: made.uuid, type, url: target, check_interval: 60 });
      const changed = await api("PUT", `/v2/services/${made.uuid}`, { name: "Two", check_interval: 120 });
      expect(changed.body.data).toMatchObject({ name: "Two", check_interval: 120, url: target });
      const { body } = await api("GET", `/api/services/${made.id}`);
      expect(body.data.protocolConfig).toEqual(made.protocolConfig);
      const gone = await api("DELETE", `/api/services/${made.id}`);
      expect(gone.body.data).toEqual({ id: made.id, uuid: made.uuid });
      expect((await api("GET", `/api/services/${made.id}`)).status).toBe(404);
    });

    for (const secret of secrets) {
      test(`${type} never reveals its ${secret}, and stores it encrypted`, async () => {
        const server = await serve({ engine });
        const protocolConfig = { ...(await configOn(server, kind)), [secret]: "open-sesame" };
        const { id, uuid } = await makeService(server, { protocol: type, protocolConfig });
        for (const path of ["/api/services", `/api/services/${id}`, "/v2/services", `/v2/services/${uuid}`]) {
          expect(JSON.stringify((await server.api("GET", path)).body)).not.toContain("open-sesame");
        }
        const row = await server.ctx.store.db
          .selectFrom("monitors")
          .selectAll()
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        expect(JSON.stringify(row)).not.toContain("open-sesame");
        expect(row.secrets).not.toBeNull();
      });
    }
  }
});

describe("a service of a kind", () => {
  test.each(KINDS.filter(({ required }) => required.length > 0))(
    "$type without what it needs is answered with each field by its name",
    async ({ type, required }) => {
      const { api } = await serve({ engine: "sqlite" });
      for (const [url, config, path] of [
        ["/api/services", "protocolConfig", "protocolConfig"],
        ["/v2/services", "protocol_config", "protocol_config"],
      ] as const) {
        const { status, body } = await api("POST", url, { name: "One", protocol: type, [config]: {} });
        expect([status, Object.keys(body.errors ?? {})]).toEqual([
          422,
          required.map((name) => `${path}.${name}`),
        ]);
      }
    },
  );
});
