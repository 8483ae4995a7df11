import { expect, test } from "vitest";
import { countQueries } from "../harness/count-queries.ts";
import { eachEngine } from "../harness/stores.ts";
import { colleague, outage, serverOn } from "./setup.ts";

type Id = { id: number; uuid: string };

const PATHS = ["/api/incidents/bulk", "/v2/incidents/bulk"];

eachEngine("acknowledging many incidents", (engine) => {
  async function start() {
    const server = await serverOn(engine);
    const report = async (title: string, key?: string): Promise<Id> => {
      const { body } = await server.api("POST", "/api/incidents", { title }, key ? { key } : {});
      return { id: body.data.id, uuid: body.data.uuid };
    };
    const acknowledge = (path: string, ids: unknown, key?: string) =>
      server.api("POST", path, { action: "acknowledge", ids }, key ? { key } : {});
    return { server, report, acknowledge };
  }

  test("does each as it would be alone, in either family, and says what became of each", async () => {
    const { server, report, acknowledge } = await start();
    const outsider = await server.createKey({ person: await server.createOrganization() });
    for (const path of PATHS) {
      const [first, second, mine] = [await report("first"), await report("second"), await report("mine")];
      const [theirs, over, merged] = [await report("theirs"), await report("over"), await report("merged")];
      const foreign = await report("foreign", outsider);
      const at = (one: Id) => `/api/incidents/${one.id}`;
      await server.api("POST", `${at(mine)}/acknowledge`);
      await server.api("POST", `${at(theirs)}/acknowledge`, undefined, { key: await colleague(server) });
      await server.api("PUT", at(over), { status: "resolved" });
      await server.api("POST", `${at(merged)}/merge`, { into: first.id });
      const ids = [first.id, second.uuid, first.uuid, mine.id, theirs.id, over.uuid, merged.id];
      const { status, body } = await acknowledge(path, [...ids, foreign.id, foreign.uuid, "nonsense"]);
      expect([path, status]).toEqual([path, 200]);
      expect(body.data).toMatchObject({ action: "acknowledge", changed: [first, second], unchanged: [mine] });
      const failed = body.data.failed.map((one: { id: unknown; status: number; fact: { code: string } }) => [
        ...[one.id, one.status, one.fact.code],
      ]);
      expect(failed).toEqual([
        [foreign.id, 404, "request.not_found"],
        [foreign.uuid, 404, "request.not_found"],
        ["nonsense", 404, "request.not_found"],
        [theirs.id, 409, "incident.acknowledged"],
        [over.uuid, 409, "incident.is_over"],
        [merged.id, 409, "incident.is_merged"],
      ]);
      const own = (await server.api("GET", at(first))).body.data;
      expect(own).toMatchObject({ acknowledgedById: server.person.userId });
      const untouched = await server.api("GET", at(foreign), undefined, { key: outsider });
      expect(untouched.body.data).toMatchObject({ acknowledgedAt: null });
    }
  });

  test("writes a row for each into the audit log, and notifies open pages of each", async () => {
    const { server, report, acknowledge } = await start();
    const made = [await report("one"), await report("two")];
    const rows = () =>
      server.ctx.store.db
        .selectFrom("events")
        .select("payload")
        .where("type", "=", "incident")
        .orderBy("id")
        .execute();
    const before = (await rows()).length;
    await acknowledge("/api/incidents/bulk", [...made.map(({ id }) => id), 987_654]);
    const log = await server.api("GET", `/api/organizations/${server.person.organization.id}/audit-log`);
    const entries = log.body.data.filter(
      ({ action }: { action: string }) => action === "acknowledge incidents",
    );
    expect(entries).toMatchObject([{ resourceId: String(made[1]?.id) }, { resourceId: String(made[0]?.id) }]);
    const received = (await rows()).slice(before).map(({ payload }) => JSON.parse(payload).id);
    expect(received).toEqual(made.map(({ id }) => id));
  });

  test("takes as many statements for forty as for one", async () => {
    const { server, acknowledge } = await start();
    for (let count = 0; count < 41; count += 1) await outage(server, server.person, `site-${count}`);
    const { data } = (await server.api("GET", "/api/incidents")).body as { data: Id[] };
    const [first, ...others] = data.map(({ id }) => id);
    const cost = (ids: unknown) =>
      countQueries(server.ctx.store, () => acknowledge("/api/incidents/bulk", ids));
    const one = await cost([first]);
    expect((await cost(others)) - one).toBeLessThan(5);
    const left = await server.api("GET", "/api/incidents?acknowledged=false");
    expect(left.body.data).toEqual([]);
  });

  test("is refused whole to who may only look on, to another tenant's key, and for what it is not", async () => {
    const { server, report, acknowledge } = await start();
    const { id } = await report("one");
    const reader = await server.createKey({ scopes: ["read:*"] });
    const outsider = await server.createKey({ person: await server.createOrganization() });
    for (const path of PATHS) {
      expect((await acknowledge(path, [id], reader)).status).toBe(403);
      expect((await acknowledge(path, [id], outsider)).body.data).toMatchObject({ changed: [] });
      const bad = await server.api("POST", path, { action: "delete", ids: [] });
      expect([bad.status, Object.keys(bad.body.errors).sort()]).toEqual([422, ["action", "ids"]]);
      const many = Array.from({ length: 1001 }, (_, at) => at + 1);
      expect((await acknowledge(path, many)).status).toBe(422);
      expect((await server.api("POST", path, undefined, { key: null })).status).toBe(401);
    }
    expect((await server.api("GET", `/api/incidents/${id}`)).body.data.acknowledgedAt).toBeNull();
  });
});
