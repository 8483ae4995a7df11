import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "../../monitors/domains/factories.ts";
import { linkDomain, makePage, PAGES } from "../factories.ts";

eachEngine("the API of a page's subscribers", (engine) => {
  test("201, 200: adds, lists, finds, exports and removes, in both families", async () => {
    const server = await serve({ engine, config: { signup: "closed" } });
    const page = await makePage(server);
    const { uuid } = await linkDomain(server, page, await makeDomain(server));
    const path = `${PAGES}/${page.id}/subscribers`;
    const added = await server.api("POST", path, {
      ...{ kind: "email", address: " Ada@Example.com ", components: [uuid.toUpperCase()], language: "de" },
    });
    expect(added.status).toBe(201);
    expect(added.body.data).toMatchObject({
      ...{ kind: "email", address: "ada@example.com", components: [uuid], language: "de", secret: null },
      ...{ state: "waiting", confirmedAt: null, askedAt: null, endedReason: null },
    });
    const hook = await server.api("POST", `/v2/status-pages/${page.uuid}/subscribers`, {
      ...{ kind: "webhook", address: "https://hooks.example.com/secret-path" },
    });
    expect(hook.body.data).toMatchObject({
      ...{ kind: "webhook", address: "hooks.example.com", components: null, state: "active" },
      secret: expect.stringMatching(/^whsec_/),
    });
    const agreed = { kind: "email", address: "grace@example.com", agreed: true };
    expect((await server.api("POST", path, agreed)).body.data.state).toBe("active");
    const listed = async (query: string) => {
      const { body } = await server.api("GET", `${path}${query}`);
      return body.data.map((one: { address: string }) => one.address);
    };
    expect(await listed("")).toEqual(["grace@example.com", "hooks.example.com", "ada@example.com"]);
    expect(await listed("?kind=email&state=active")).toEqual(["grace@example.com"]);
    expect(await listed("?search=EXAMPLE.COM&page=2&limit=2")).toEqual(["ada@example.com"]);
    const text = JSON.stringify((await server.api("GET", path)).body);
    expect(text).not.toMatch(/secret-path|whsec_/);
    const csv = await fetch(`${server.url}${path}/export`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = (await csv.text()).trim().split("\n");
    expect(lines[0]).toContain("kind,address,state");
    expect(lines).toHaveLength(4);
    expect(lines[3]).toContain(`email,ada@example.com,waiting,de,${uuid},`);
    const { id } = added.body.data;
    expect((await server.api("DELETE", `${path}/${id}`)).body.data).toEqual({ id });
    expect((await server.api("DELETE", `${path}/${id}`)).status).toBe(404);
    expect(await listed("?search=ada")).toEqual([]);
  });

  test("422: what nothing can be sent to, is there already, or is not on the page", async () => {
    const server = await serve({ engine, config: { targets: "public" } });
    const page = await makePage(server);
    const path = `${PAGES}/${page.id}/subscribers`;
    const refused = async (body: object) => {
      const { status, body: answer } = await server.api("POST", path, body);
      return [status, Object.keys(answer.errors ?? {})];
    };
    for (const address of ["nonsense", "a b@example.com", "a@b,c@d.test", "x".repeat(300), "<a@b.test>"]) {
      expect(await refused({ kind: "email", address })).toEqual([422, ["address"]]);
    }
    for (const address of ["ftp://a.test/", "http://169.254.169.254/", "http://127.0.0.1/", "hooks.test"]) {
      expect([address, ...(await refused({ kind: "webhook", address }))]).toEqual([
        address,
        422,
        ["address"],
      ]);
    }
    const components = [crypto.randomUUID()];
    const chosen = { kind: "email", address: "ada@example.com", components };
    expect(await refused(chosen)).toEqual([422, ["components"]]);
    expect(await refused({ kind: "email", address: "ada@example.com" })).toEqual([201, []]);
    expect(await refused({ kind: "email", address: "ADA@example.com" })).toEqual([422, ["address"]]);
    expect(await refused({ kind: "email", address: "a.da@example.com" })).toEqual([201, []]);
    expect(await refused({ kind: "pigeon", address: "loft" })).toEqual([422, ["kind"]]);
  });

  test("a list is imported once, and each line that is no address is reported", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const path = `${PAGES}/${page.id}/subscribers/import`;
    const content =
      'Name;E-Mail\n"Ada";ada@example.com\n=cmd();nonsense\nGrace;GRACE@example.com\nAda;ADA@example.com\n';
    const first = await server.api("POST", path, { content });
    expect(first.body.data).toMatchObject({
      ...{ added: 2, known: 1, refused: 1 },
      problems: [{ line: 3, message: "This is not an e-mail address." }],
    });
    const addresses = ["grace@example.com", "alan@example.com"];
    const second = await server.api("POST", `/v2/status-pages/${page.id}/subscribers/import`, { addresses });
    expect(second.body.data).toMatchObject({ added: 1, known: 1, refused: 0, problems: [] });
    for (const [body, field] of [
      [{}, "addresses"],
      [{ addresses, content }, "addresses"],
      [{ content: "<html>\n\u0001\u0002\n%PDF-1.7" }, "content"],
      [{ content: "" }, "content"],
      [{ addresses: [] }, "addresses"],
      [{ content: 'email\n"a' }, "content"],
      [{ content: "a@b.test\n".repeat(5_001) }, "content"],
    ] as const) {
      const { status, body: answer } = await server.api("POST", path, body);
      expect([field, status, Object.keys(answer.errors)]).toEqual([field, 422, [field]]);
    }
    const listed = await server.api("GET", `${PAGES}/${page.id}/subscribers?page=1&limit=1`);
    expect(listed.body.pagination.total).toBe(3);
  });

  test("an exported list is imported to the same: of each their language and components", async () => {
    const server = await serve({ engine, config: { signup: "closed" } });
    const page = await makePage(server);
    const domains = [await makeDomain(server), await makeDomain(server, { url: "https://two.test" })];
    const [one, two] = [
      await linkDomain(server, page, domains[0] as { id: number }),
      await linkDomain(server, page, domains[1] as { id: number }, { displayName: "Two" }),
    ];
    const path = `${PAGES}/${page.id}/subscribers`;
    const add = (address: string, more: object) =>
      server.api("POST", path, { kind: "email", address, ...more });
    await add("ada@example.com", { language: "de", components: [one.uuid, two.uuid] });
    await add("grace@example.com", { language: "zh", components: [two.uuid] });
    await add("+alan@example.com", { language: "en" });
    const list = async () => {
      const { body } = await server.api("GET", path);
      return body.data.map((found: { address: string; language: string; components: string[] | null }) => ({
        address: found.address,
        language: found.language,
        components: found.components,
      }));
    };
    const before = await list();
    const byAddress = (a: { address: string }, b: { address: string }) => a.address.localeCompare(b.address);
    for (const family of ["/api", "/v2"]) {
      const own = `${family}/status-pages/${page.id}/subscribers`;
      const headers = { authorization: `Bearer ${server.key}` };
      const content = await (await fetch(`${server.url}${own}/export`, { headers })).text();
      for (const { id } of (await server.api("GET", path)).body.data)
        await server.api("DELETE", `${path}/${id}`);
      const imported = await server.api("POST", `${own}/import`, { content });
      expect(imported.body.data).toMatchObject({ added: 3, known: 0, refused: 0 });
      expect((await list()).toSorted(byAddress)).toEqual(before.toSorted(byAddress));
    }
  });

  test("a list says in its own columns what each receives; what is wrong there is reported by line and column", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const { uuid } = await linkDomain(server, page, await makeDomain(server));
    const path = `${PAGES}/${page.id}/subscribers`;
    const none = crypto.randomUUID();
    const content = [
      "Language;e-mail;COMPONENTS",
      `DE;ada@example.com; ${uuid.toUpperCase()}  ${uuid} `,
      ";grace@example.com;",
      "fr;alan@example.com;",
      `zh;edsger@example.com;${uuid} ${none}`,
      "zh;nonsense;everything",
    ].join("\n");
    const imported = await server.api("POST", `${path}/import`, { content, language: "zh" });
    expect(imported.body.data).toMatchObject({ added: 2, known: 0, refused: 3 });
    expect(imported.body.data.problems).toMatchObject([
      { line: 4, message: 'The column "language" says "fr". It can say en, de or zh.' },
      { line: 5, message: `The column "components" names "${none}", which is not on this page.` },
      { line: 6, message: "This is not an e-mail address." },
    ]);
    expect((await server.api("GET", path)).body.data).toMatchObject([
      { address: "grace@example.com", language: "zh", components: null },
      { address: "ada@example.com", language: "de", components: [uuid] },
    ]);
    const wrong = await server.api("POST", `${path}/import`, {
      content: `email,language\na@b.test,${"x".repeat(99)}`,
    });
    expect([wrong.status, wrong.body.errors.content]).toEqual([
      422,
      [`The column "language" says "${"x".repeat(40)}". It can say en, de or zh.`],
    ]);
  });

  test("401, 403, 404: addresses are only for those who may change the page", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const path = `${PAGES}/${page.id}/subscribers`;
    const added = await server.api("POST", path, { kind: "email", address: "ada@example.com" });
    const { person } = server;
    const keys = [
      [null, 401],
      [await server.createKey({ plan: "free" }), 403],
      [await server.createKey({ person, scopes: ["read:status-pages"] }), 403],
      [await server.createKey({ person, scopes: ["*:incidents"] }), 403],
      [await server.createKey({ plan: "expert" }), 404],
    ] as const;
    const requests = [
      ["GET", path, undefined],
      ["GET", `${path}/export`, undefined],
      ["POST", path, { kind: "email", address: "eve@example.com" }],
      ["POST", `${path}/import`, { addresses: ["eve@example.com"] }],
      ["DELETE", `${path}/${added.body.data.id}`, undefined],
    ] as const;
    for (const [key, wanted] of keys) {
      for (const [method, to, body] of requests) {
        const { status } = await server.api(method, to, body, { key });
        expect([method, to, status]).toEqual([method, to, wanted]);
      }
    }
    const other = await makePage(server);
    const elsewhere = `${PAGES}/${other.id}/subscribers/${added.body.data.id}`;
    expect((await server.api("DELETE", elsewhere)).status).toBe(404);
    expect((await server.api("GET", path)).body.data).toHaveLength(1);
  });

  test("no one says for others that they have agreed where anybody may sign up", async () => {
    const server = await serve({ engine, config: { signup: "open" } });
    const page = await makePage(server);
    const path = `${PAGES}/${page.id}/subscribers`;
    const body = { kind: "email", address: "ada@example.com", agreed: true };
    const answer = await server.api("POST", path, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["agreed"]]);
    for (const kind of ["webhook", "slack"]) {
      const added = await server.api("POST", path, { kind, address: `https://${kind}.example.com/` });
      expect([added.status, added.body.data.state]).toEqual([201, "waiting"]);
    }
  });
});
