import { Type } from "typebox";
import { expect, test } from "vitest";
import { httpConfigSchema } from "../../../src/checks/http/http-config.ts";
import { eachEngine } from "../../harness/stores.ts";

// Before anything is made from it: the routes, the forms' schema and the verbs know no list of their own.
Object.assign(httpConfigSchema.properties, {
  grepPattern: Type.Optional(Type.String({ description: "Only this test knows it." })),
});
const { serve } = await import("./factories.ts");

eachEngine("a field added to a check's config", (engine) => {
  for (const [url, name] of [
    ["/api/domains", "grepPattern"],
    ["/v2/domains", "grep_pattern"],
  ] as const) {
    test(`reaches the store through POST ${url}`, async () => {
      const { api, ctx } = await serve({ engine });
      const made = await api("POST", url, { name: "A", url: "shop.test", [name]: "ok" });
      expect(made.status).toBe(201);
      const { config } = await ctx.store.db.selectFrom("monitors").select("config").executeTakeFirstOrThrow();
      expect(JSON.parse(config)).toMatchObject({ grepPattern: "ok" });
    });
  }

  for (const [url, config, name] of [
    ["/api/services", "protocolConfig", "grepPattern"],
    ["/v2/services", "protocol_config", "grep_pattern"],
  ] as const) {
    test(`reaches the store through POST and PUT ${url}`, async () => {
      const { api, ctx } = await serve({ engine });
      const sent = (value: string) => ({ [config]: { url: "shop.test", [name]: value } });
      const made = await api("POST", url, { name: "A", protocol: "http", ...sent("made") });
      expect([made.status, made.body.data[config]]).toMatchObject([201, { [name]: "made" }]);
      const { id } = made.body.data;
      expect((await api("PUT", `${url}/${id}`, sent("changed"))).status).toBe(200);
      const { config: stored } = await ctx.store.db
        .selectFrom("monitors")
        .select("config")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      expect(JSON.parse(stored)).toMatchObject({ grepPattern: "changed" });
    });
  }
});
