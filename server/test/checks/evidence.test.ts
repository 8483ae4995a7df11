import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { HttpEvidence } from "../../src/checks/evidence.ts";
import { httpEvidenceSchema } from "../../src/checks/evidence.ts";
import { checkHttp } from "../../src/checks/http/http.ts";
import type { HttpConfig } from "../../src/checks/http/http-config.ts";
import { getValidator } from "../../src/platform/operations/validator.ts";
import { type Behaviour, hang, respond } from "../harness/behaviours.ts";
import { CANARIES, formsOf } from "../harness/canaries.ts";
import { makeNetwork, startHttpTarget, startTlsTarget } from "./factories.ts";

/** What a failed check saw. */
async function evidenceOf(config: HttpConfig, timeoutMs = 5_000): Promise<HttpEvidence> {
  const outcome = await checkHttp.run(config, { network: await makeNetwork(), timeoutMs });
  expect(outcome.verdict).toBe("failed");
  const evidence = outcome.evidence?.() ?? null;
  if (evidence === null) throw new Error("nothing was stored of a failed check");
  expect(getValidator(httpEvidenceSchema, { isText: false })(evidence)).toBe(true);
  return evidence;
}

const saying = (body: string | Buffer, headers: Record<string, string> = {}): Behaviour =>
  respond({ status: 503, body, headers: { "content-type": "text/plain", ...headers } });

const seen = async (behaviour: Behaviour, more: Partial<HttpConfig> = {}) =>
  evidenceOf({ url: (await startHttpTarget({ handler: behaviour })).url, ...more });

test("of an answer its words, headers and body are stored, and where it came from", async () => {
  const evidence = await seen(saying("The database is away.", { "x-served-by": "node-3" }));
  expect(evidence).toMatchObject({
    method: "GET",
    statusText: "Whatever",
    body: { encoding: "text", content: "The database is away.", cut: false },
    redirects: [],
    addresses: ["127.0.0.1"],
    certificate: null,
  });
  expect(evidence.headers).toContainEqual(["x-served-by", "node-3"]);
});

test("a check that passes keeps nothing", async () => {
  const { url } = await startHttpTarget();
  const outcome = await checkHttp.run({ url }, { network: await makeNetwork(), timeoutMs: 5_000 });
  expect([outcome.verdict, outcome.evidence]).toEqual(["ok", undefined]);
});

test.each([["plain"], ["encoded"]])(
  "of a long %s body its first 4,096 bytes are stored, whole characters",
  async (way) => {
    const long = `a${"ü".repeat(40_000)}`;
    const { body } = await seen(
      way === "plain" ? saying(long) : saying(gzipSync(long), { "content-encoding": "gzip" }),
    );
    expect(body).toEqual({ encoding: "text", content: `a${"ü".repeat(2047)}`, cut: true });
  },
);

test("a short encoded body is stored whole, and one that promises gigabytes is cut off", async () => {
  const gzip = { "content-encoding": "gzip" };
  expect((await seen(saying(gzipSync("away"), gzip))).body).toEqual({
    encoding: "text",
    content: "away",
    cut: false,
  });
  const bomb = await seen(saying(gzipSync(Buffer.alloc(50_000_000, "x")), gzip));
  expect(bomb.body).toEqual({ encoding: "text", content: "x".repeat(4096), cut: true });
});

test("bytes that are no text are shown as bytes", async () => {
  const { body } = await seen(saying(Buffer.from([0x00, 0xff, 0x10, 0x20]), { "content-type": "image/png" }));
  expect(body).toEqual({ encoding: "hex", content: "00ff1020", cut: false });
});

test("headers are bounded in number and length, and it is said how many there were", async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, "v"]));
  const { headers, headerCount } = await seen(saying("", many));
  expect(headers).toHaveLength(64);
  expect(headerCount).toBeGreaterThan(300);
  const long = await seen(saying("", { "x-one": "a".repeat(7_000), "x-two": "b".repeat(7_000) }));
  expect(JSON.stringify(long.headers).length).toBeLessThan(9_000);
});

test("a body that breaks off, and one whose text is wrong, are stored as far as they came", async () => {
  const broken = await seen((socket) => {
    socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf a");
  });
  expect(broken.body).toEqual({ encoding: "text", content: "half a", cut: true });
  const assertions: HttpConfig["assertions"] = [{ type: "keyword", value: "welcome" }] as never;
  const wrong = await seen(saying("goodbye"), { assertions });
  expect(wrong.body?.content).toBe("goodbye");
});

test("of a connection that is refused, and of one that hangs, there is what was known by then", async () => {
  const target = await startHttpTarget();
  await target.close();
  const refused = await evidenceOf({ url: target.url });
  expect(refused).toMatchObject({ headers: [], body: null, addresses: ["127.0.0.1"] });
  const hanging = await startHttpTarget({ handler: hang });
  expect(await evidenceOf({ url: hanging.url }, 300)).toMatchObject({ body: null, addresses: ["127.0.0.1"] });
});

test("redirects and the certificate are stored", async () => {
  const target = await startTlsTarget({
    handler: (socket, request) => {
      const answer =
        request.path === "/gone" ? saying("gone") : respond({ status: 302, headers: { location: "/gone" } });
      answer(socket, request);
    },
  });
  const { redirects, url, certificate } = await evidenceOf({ url: target.url });
  expect(redirects).toEqual([{ statusCode: 302, url: new URL("/gone", target.url).href }]);
  expect(url).toBe(redirects[0]?.url);
  expect(certificate).toMatchObject({ valid: true, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/i) });
});

/** Quotes all it receives, in every form that a server may write it in. */
const echo: Behaviour = (socket, request) => {
  const said = request.raw.replace(/[\r\n]+/g, " ");
  const forms = [said, Buffer.from(said).toString("base64"), Buffer.from(said).toString("hex")];
  const body = [...forms, encodeURIComponent(said), said.toUpperCase(), request.body].join("\n");
  const name = `x-${request.headers["x-key"] ?? "none"}`;
  const headers = { "x-echo": said, "set-cookie": "session=abc", [name]: "1", "content-type": "text/plain" };
  respond({ status: 500, body, headers })(socket, request);
};

const CREDENTIALS: [string, Partial<HttpConfig>][] = [
  ["a bearer token", { authType: "bearer", authConfig: { token: CANARIES.hidden } }],
  ["a password", { authType: "basic", authConfig: { username: "watch", password: CANARIES.hidden } }],
  ["a header of its own", { authType: "header", authConfig: { name: "x-key", value: CANARIES.hidden } }],
  ["the headers", { headers: { "x-key": CANARIES.headers } }],
  ["a body in JSON", { method: "POST", body: JSON.stringify({ login: { token: CANARIES.changers } }) }],
  ["a body of a form", { method: "POST", body: `user=watch&token=${CANARIES.changers}` }],
];

test.each(CREDENTIALS)("%s is masked wherever a server quotes it", async (_, config) => {
  const evidence = await seen(echo, config);
  const readable = JSON.stringify(evidence).toLowerCase();
  const canaries = Object.values(CANARIES).filter((canary) => JSON.stringify(config).includes(canary));
  for (const canary of canaries) {
    const login = Buffer.from(`watch:${canary}`).toString("base64");
    for (const form of [...formsOf(canary), login].map((one) => one.toLowerCase()))
      expect(readable).not.toContain(form);
  }
  expect(readable).toContain("********");
  expect(evidence.headers).toContainEqual(["set-cookie", "********"]);
});

test("a secret that is cut off at the end of what is stored, or by the server, is masked too", async () => {
  const token = "s3cret-".repeat(20);
  const config: Partial<HttpConfig> = { authType: "bearer", authConfig: { token } };
  const late = await seen(saying(`${"x".repeat(4_076)}${token}`), config);
  expect(late.body?.content).toBe(`${"x".repeat(4_076)}********`);
  const excerpt = await seen(saying(`bad token ${token.slice(0, 15)}…`), config);
  expect(excerpt.body?.content).toBe("bad token ********…");
});

test("what servers set for themselves is masked even where no secret is known", async () => {
  const { headers } = await seen(saying("", { "x-csrf-token": "abc", "x-other": "abc" }));
  expect(headers).toContainEqual(["x-csrf-token", "********"]);
  expect(headers).toContainEqual(["x-other", "abc"]);
});
