import { describe, expect, test } from "vitest";
import type { Assertion } from "../../../src/checks/http/http-assertion-config.ts";
import type { Behaviour } from "../../harness/behaviours.ts";
import { check, startTlsTarget } from "../factories.ts";

const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const END_STREAM = 1;
const END_HEADERS = 4;

/** A frame of stream 1 (RFC 9113 §4.1), or of the connection. */
function frame(type: number, flags: number, payload: Buffer | string = "", streamId = 1): Buffer {
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(9);
  head.writeUIntBE(bytes.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, bytes]);
}

/** HPACK: `:status: 200` of the static table, and a header as it is. */
const OK = Buffer.of(0x88);
const TRAILER = Buffer.from("\u0000\u0001x\u0001y");
const header = frame(HEADERS, END_HEADERS, OK);
const noError = frame(RST_STREAM, 0, Buffer.alloc(4));

/** Answers with these flights, each once the client has answered the one before, be it only a PING. */
const flights =
  (...all: Buffer[][]): Behaviour =>
  (socket) => {
    const ping = frame(6, 0, Buffer.alloc(8), 0);
    const left = [...all];
    // Its acknowledgement comes after the request.
    socket.write(frame(SETTINGS, 0, "", 0));
    socket.on("data", () => {
      const flight = left.shift();
      if (flight) socket.write(Buffer.concat(left.length > 0 ? [...flight, ping] : flight));
    });
  };

const WHOLE: Record<string, Buffer[][]> = {
  "a body": [[header, frame(DATA, END_STREAM, "abc")]],
  "a body in pieces": [[header], [frame(DATA, 0, "a")], [frame(DATA, END_STREAM, "bc")]],
  "no body": [[frame(HEADERS, END_HEADERS + END_STREAM, OK)]],
  "an end of its own": [[header, frame(DATA, 0, "abc")], [frame(DATA, END_STREAM)]],
  trailers: [[header, frame(DATA, 0, "abc"), frame(HEADERS, END_HEADERS + END_STREAM, TRAILER)]],
  "a reset after the end": [[header, frame(DATA, END_STREAM, "abc"), noError]],
};

const HALF: Record<string, [flights: Buffer[][], bytes: number]> = {
  "a body and a reset": [[[header, frame(DATA, 0, "abc"), noError]], 3],
  "a body and a reset some time later": [[[header, frame(DATA, 0, "abc")], [noError]], 3],
  "a header and a reset": [[[header, noError]], 0],
};

const assertions: Assertion[] = [{ type: "keyword", operator: "absent", value: "no such text" }];

describe.each([{}, { assertions }])("an HTTP/2 answer, with %o", (expectations) => {
  test.each(Object.entries(WHOLE))("that ends by END_STREAM, %s, is up", async (_name, all) => {
    const target = await startTlsTarget({ alpn: ["h2"], handler: flights(...all) });
    const outcome = await check({ url: target.url, ...expectations });
    expect(outcome).toMatchObject({ verdict: "ok", reason: null, protocol: "h2" });
  });

  test.each(Object.entries(HALF))("that ends without it, %s with NO_ERROR, is down", async (_name, half) => {
    const [all, bytes] = half;
    const target = await startTlsTarget({ alpn: ["h2"], handler: flights(...all) });
    const outcome = await check({ url: target.url, ...expectations });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "body", statusCode: 200, protocol: "h2" });
    const arrived = bytes === 0 ? "None of the body arrived" : `The body broke off after byte ${bytes}`;
    expect(outcome.reason).toBe(
      `${arrived}: localhost (127.0.0.1:${new URL(target.url).port}) ended the HTTP/2 stream.`,
    );
  });
});
