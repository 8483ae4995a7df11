import { describe, expect, test } from "vitest";
import { inOrderOfReferences } from "../../../src/monitors/import/references.ts";
import { eachEngine } from "../../harness/stores.ts";
import { serve } from "../domains/factories.ts";

const group = (name: string, members: string) =>
  `  - name: ${name}\n    protocol: group\n    protocolConfig: { members: ${members} }\n`;
const tcp = (name: string, port = 5432) =>
  `  - name: ${name}\n    protocol: tcp\n    protocolConfig: { host: db.test, port: ${port} }\n`;
const file = (...services: string[]) => `vedette: 1\nservices:\n${services.join("")}`;

eachEngine("importing monitors that name others", (engine) => {
  const start = async () => {
    const server = await serve({ engine });
    const run = async (content: string, more: object = { dryRun: false }) =>
      (await server.api("POST", "/api/imports", { content, ...more })).body.data;
    return { server, run };
  };
  const shown = (entries: Record<string, unknown>[]) =>
    entries.map(({ line, name, outcome, problems }) => [
      line,
      name,
      outcome,
      ...(problems as { field: string; message: string }[]).map(
        ({ field, message }) => `${field}: ${message}`,
      ),
    ]);

  test("makes them after those, in any order of the file, also in several requests", async () => {
    const { server, run } = await start();
    const content = file(group("All", "[Inner, A]"), group("Inner", "[B]"), tcp("A", 1), tcp("B", 2));
    const planned = await run(content, {});
    expect(planned.summary).toMatchObject({ create: 4, invalid: 0 });
    const first = await run(content, { dryRun: false, limit: 3 });
    expect([shown(first.entries), first.next]).toEqual([
      [
        [9, "A", "created"],
        [12, "B", "created"],
        [6, "Inner", "created"],
      ],
      3,
    ]);
    const second = await run(content, { dryRun: false, from: 3 });
    expect(shown(second.entries)).toEqual([[3, "All", "created"]]);
    const made = (await server.api("GET", `/api/services/${second.entries[0].id}`)).body.data;
    const of = async (name: string) =>
      (await server.api("GET", `/api/services?search=${name}`)).body.data.find(
        (one: { name: string }) => one.name === name,
      ).uuid;
    expect(made.protocolConfig.members).toEqual([await of("Inner"), await of("A")]);
    expect((await run(content, {})).summary).toMatchObject({ duplicate: 4 });
  });

  test("knows members of Uptime Kuma by their numbers, whatever else has their names", async () => {
    const { server, run } = await start();
    await run(file(tcp("Search", 9)));
    const port = (id: number, at: number) => ({
      ...{ id, name: "Search", type: "port", hostname: "db.test", port: at, parent: 7 },
    });
    const content = JSON.stringify({
      monitorList: [{ id: 7, name: "Search", type: "group" }, port(1, 1), port(2, 2)],
    });
    expect((await run(content, {})).summary).toMatchObject({ create: 3, invalid: 0 });
    await run(content, { dryRun: false, limit: 2 });
    const { entries } = await run(content, { dryRun: false, from: 2 });
    expect(shown(entries)).toEqual([[null, "Search", "created"]]);
    const made = (await server.api("GET", `/api/services/${entries[0].id}`)).body.data;
    const services = (await server.api("GET", "/api/services")).body.data;
    const members = made.protocolConfig.members.map(
      (uuid: string) => services.find((one: { uuid: string }) => one.uuid === uuid).target,
    );
    expect(members).toEqual(["db.test:1", "db.test:2"]);
    expect((await run(content, {})).summary).toMatchObject({ duplicate: 3, invalid: 0 });
  });

  test("makes a group of Uptime Kuma of those that can be imported, and names the others", async () => {
    const { run } = await start();
    const ping = (id: number, parent: number, more: object = {}) => ({
      ...{ id, name: `Ping ${id}`, type: "ping", hostname: "db.test", parent, ...more },
    });
    const group = (id: number, more: object = {}) => ({ id, name: `Group ${id}`, type: "group", ...more });
    const content = JSON.stringify({
      monitorList: [
        ...[group(1), ping(2, 1), ping(3, 1, { hostname: "https://" }), group(4, { parent: 1 })],
        ...[group(5, { parent: 4 }), { id: 6, name: "Docker", type: "docker", parent: 1 }],
      ],
    });
    for (const dryRun of [true, false]) {
      const { entries } = await run(content, { dryRun });
      const made = dryRun ? "create" : "created";
      const of = (name: string) => entries.find((one: { name: string }) => one.name === name);
      expect([of("Group 1").outcome, of("Ping 2").outcome]).toEqual([made, made]);
      const notes = of("Group 1").notes.map(({ message }: { message: string }) => message);
      expect(notes.map((note: string) => /^(.*) does not become a member/.exec(note)?.[1])).toEqual([
        ...["Docker", "Ping 3", "Group 4"],
      ]);
      expect([of("Group 4").outcome, of("Group 5").outcome, of("Ping 3").outcome]).toEqual(
        Array(3).fill("invalid"),
      );
    }
  });

  test("says at its line which of those is missing, or could be several", async () => {
    const { run } = await start();
    await run(file(tcp("Twin", 1), tcp("Twin", 2)));
    const content = file(
      group("One", "[Gone, Twin]"),
      group("Two", "[One]"),
      group("Three", "[{ name: Twin, target: 'db.test:2' }]"),
      group("Four", "[Five]"),
      group("Five", "[Four]"),
      group("Six", "[3, { port: 1 }, [x]]"),
    );
    const missing = (name: string) =>
      `protocolConfig.members: There is no monitor named "${name}", neither here nor in this file.`;
    for (const dryRun of [true, false]) {
      expect(shown((await run(content, { dryRun })).entries)).toEqual([
        [
          3,
          "One",
          "invalid",
          missing("Gone"),
          `protocolConfig.members: Several monitors are named "Twin". Say which one with kind and target, as an export does.`,
        ],
        [9, "Three", dryRun ? "create" : "created"],
        [18, "Six", "invalid", missing("3"), missing(""), missing("")],
        [6, "Two", "invalid", missing("One")],
        [12, "Four", "invalid", missing("Five")],
        [15, "Five", "invalid", missing("Four")],
      ]);
    }
  });

  test("names no monitor of another organization, nor one that the caller may not read", async () => {
    const { server, run } = await start();
    await server.api("POST", "/api/domains", { url: "https://secret.test", name: "Secret" });
    const other = await server.createKey({ person: await server.createOrganization() });
    const content = file(group("Mine", "[Secret]"));
    const { body } = await server.api("POST", "/api/imports", { content }, { key: other });
    expect(body.data.summary).toMatchObject({ invalid: 1 });
    expect((await run(content, {})).summary).toMatchObject({ create: 1 });
  });
});

describe("the order of what names others", () => {
  const named = (name: string, ...names: string[]) => ({ name, names });
  const orderOf = (...items: { name: string; names: string[] }[]) =>
    inOrderOfReferences(items).map(({ name }) => name);

  test.each([
    ["stays where no parent is named", [named("b"), named("a")], ["b", "a"]],
    ["puts the named first", [named("a", "b"), named("b")], ["b", "a"]],
    ["goes by levels", [named("a", "b"), named("b", "c"), named("d", "c"), named("c")], ["c", "b", "d", "a"]],
    ["does not wait for a parent that is not there", [named("a", "x"), named("b")], ["b", "a"]],
    [
      "waits for all of one name",
      [named("a", "b"), named("b", "c"), named("b"), named("c")],
      ["b", "c", "b", "a"],
    ],
    ["lets one have the name of its member", [named("a", "a"), named("b", "a"), named("a")], ["a", "a", "b"]],
    ["puts circles last", [named("a", "b"), named("b", "a"), named("c")], ["c", "a", "b"]],
  ])("%s", (_, items, wanted) => {
    expect(orderOf(...items)).toEqual(wanted);
    // Once in order, it stays so.
    const again = inOrderOfReferences(items);
    expect(inOrderOfReferences(again).map(({ name }) => name)).toEqual(wanted);
  });

  test("takes no longer for many of one name that name it", () => {
    const items = Array.from({ length: 10_000 }, (_, at) => named(`${at % 2}`, "0", "1", `${at}`));
    const begun = performance.now();
    expect(inOrderOfReferences(items)).toHaveLength(10_000);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
