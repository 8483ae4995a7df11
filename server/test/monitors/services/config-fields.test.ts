import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { serve } from "../domains/factories.ts";
import { makeService } from "./factories.ts";

eachEngine("the configuration of a service", (engine) => {
  test.each(["169.254.0xa9fe", "0xa9.0xfe.0xa9.0xfe", "2852039166", "0xa9fea9fe", "１６９.254.169.254"])(
    "422: names a host that must not be checked however it is written: %s",
    async (host) => {
      const { api } = await serve({ engine });
      const body = { name: "Inside", protocol: "tcp", protocolConfig: { host, port: 22 } };
      const answer = await api("POST", "/api/services", body);
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ["protocolConfig.host"]]);
    },
  );

  test("200: keeps the address as it was typed when it is sent back as it is read", async () => {
    const server = await serve({ engine });
    const { id } = await makeService(server, { protocolConfig: { url: "https://münchen.test/a" } });
    const { protocolConfig } = (await server.api("GET", `/api/services/${id}`)).body.data;
    const { body } = await server.api("PUT", `/api/services/${id}`, { protocolConfig });
    expect(body.data.target).toBe("https://münchen.test/a");
    const other = { protocolConfig: { url: "https://MÜNCHEN.test/a" } };
    expect((await server.api("PUT", `/api/services/${id}`, other)).body.data.target).toBe(
      "https://MÜNCHEN.test/a",
    );
  });

  test("422: says of a field the same at creation and at a change, in both families", async () => {
    const server = await serve({ engine });
    const good = { name: "One", protocol: "tcp", protocolConfig: { host: "db.test", port: 22 } };
    const { id } = await makeService(server, good);
    for (const [family, config] of [
      ["/api", "protocolConfig"],
      ["/v2", "protocol_config"],
    ] as const) {
      const said = async (method: string, path: string, bad: object) => {
        const { name, protocol } = good;
        const body = method === "POST" ? { name, protocol, [config]: bad } : { [config]: bad };
        return (await server.api(method, family + path, body)).body.errors;
      };
      for (const bad of [{ host: "db.test", port: 70_000 }, { host: "db.test" }]) {
        const created = await said("POST", "/services", bad);
        expect(Object.keys(created)).toEqual([`${config}.port`]);
        expect(await said("PUT", `/services/${id}`, bad)).toEqual(created);
      }
    }
  });
});
