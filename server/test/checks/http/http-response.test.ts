import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newResponseReader, takeBytes, takeEnd } from "../../../src/checks/http/http-response.ts";

const LIMIT = 40;

/** What a reader makes of these pieces, the connection then ending. */
function read(pieces: readonly Buffer[], limit = LIMIT) {
  const reader = newResponseReader("GET", () => ({ bytes: limit, purpose: "text", enough: null }));
  for (const piece of pieces) {
    if (reader.state !== "head" && reader.state !== "body") break;
    const reused = Buffer.from(piece);
    takeBytes(reader, reused);
    // The caller reuses the buffer of the bytes.
    reused.fill(0x21);
  }
  if (reader.state === "head" || reader.state === "body") takeEnd(reader);
  const { state, statusCode, head, body, failure } = reader;
  const text = Buffer.concat(body?.pieces ?? []).toString("latin1");
  return { state, statusCode, head, bodyCut: body?.cut ?? false, failure: failure?.("HOST"), body: text };
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : at[index - 1], end));
}

const head = fc.constantFrom(
  "HTTP/1.1 200 OK\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nx: y\r\n\r\n",
  "HTTP/1.1 200 OK\ncontent-length: 5\n\n",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Nope\r\nTransfer-Encoding: chunked\r\n\r\n",
  "HTTP/1.1 204 None\r\n\r\n",
  "HTTP/1.1 2x0 OK\r\n\r\n",
  "HTTP/2 200\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: 5, 6\r\n\r\n",
  "\r\n\nHTTP/1.2 200 OK\r\ncontent-length: 5\r\n\r\n",
  `${"\r\n".repeat(9)}HTTP/1.1 200 OK\r\n\r\n`,
  "SSH-2.0-OpenSSH_9.9\r\n",
  "220 ",
  "\x16\x03\x01",
  "",
);
const body = fc.constantFrom(
  "",
  "hello world",
  "x".repeat(100),
  "5\r\nhello\r\n0\r\n\r\n",
  "5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nx-trailer: 1\r\n\r\n",
  "40\r\n" + "y".repeat(64) + "\r\n0\r\n\r\n",
  "5\r\nhello world",
  "zz\r\n",
  "5\nhello\n0\n\n",
);

describe("the reader of answers", () => {
  test("takes a later minor version, and passes over a few empty lines before the status line", () => {
    const answer = "HTTP/1.2 200 OK\r\ncontent-length: 5\r\n\r\nhello";
    const first = "HTTP/1.1 103 Early Hints\r\n\r\n";
    for (const text of [answer, `\r\n${answer}`, `\n\r\n${answer}`, `\r\n${first}\r\n${answer}`]) {
      expect(read([Buffer.from(text)])).toMatchObject({ state: "done", statusCode: 200, body: "hello" });
    }
    for (const text of [`${"\r\n".repeat(9)}${answer}`, `HTTP/2.0 200 OK\r\n\r\n`]) {
      expect(read([Buffer.from(text)])).toMatchObject({ state: "failed" });
    }
    expect(read([Buffer.from("\r\n")]).failure).toMatchObject({ code: "protocol.without_answer" });
  });

  test("makes the same of an answer however it was cut up", () => {
    fc.assert(
      fc.property(head, body, fc.array(fc.nat({ max: 300 }), { maxLength: 12 }), (first, second, places) => {
        const bytes = Buffer.from(first + second, "latin1");
        expect(read(cut(bytes, places))).toEqual(read([bytes]));
      }),
      { numRuns: 3000 },
    );
  });

  test("makes the same of it byte by byte", () => {
    fc.assert(
      fc.property(head, body, (first, second) => {
        const bytes = Buffer.from(first + second, "latin1");
        expect(read(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(read([bytes]));
      }),
    );
  });

  test("survives any bytes at all, cut anywhere, with a verdict", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.nat({ max: 200 })),
        fc.boolean(),
        (raw, places, http) => {
          const bytes = Buffer.concat([Buffer.from(http ? "HTTP/1.1 200 OK\r\n" : ""), raw]);
          const result = read(cut(bytes, places));
          expect(["done", "failed"]).toContain(result.state);
          expect(result).toEqual(read([bytes]));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("never keeps more of a body than was wanted", () => {
    fc.assert(
      fc.property(
        head,
        body,
        fc.nat({ max: 70 }),
        fc.array(fc.nat({ max: 300 })),
        (first, second, limit, places) => {
          const result = read(cut(Buffer.from(first + second, "latin1"), places), limit);
          expect(result.body.length).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });

  test("joins several headers of one name, in any case", () => {
    const { body: text, state } = read([
      Buffer.from(
        "HTTP/1.1 200 OK\r\nTRANSFER-encoding: gzip\r\ntransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
      ),
    ]);
    expect([state, text]).toEqual(["done", "ab"]);
  });
});
