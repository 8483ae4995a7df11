import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admitMessages } from "../../src/checks/postgres.ts";

const int16 = (value: number) => Buffer.from([value >> 8, value]);
const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);

/** A message of this type; texts in its body are sent as their bytes. */
function message(type: string, ...body: (Buffer | string)[]): Buffer {
  const bytes = Buffer.concat(body.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  return Buffer.concat([Buffer.from(type), int32(bytes.length + 4), bytes]);
}

const authentication = (step: number, ...rest: (Buffer | string)[]) => message("R", int32(step), ...rest);
const [ok, sasl] = [authentication(0), authentication(10, "SCRAM-SHA-256\0\0")];
const [continued, final] = [authentication(11, "r=n,s=cw==,i=4096"), authentication(12, "v=dg==")];
const [ready, complete] = [message("Z", "I"), message("C", "FETCH 1\0")];
const column = (name: string) => Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(18)]);
const login = [
  ...[sasl, continued, final, ok, message("S", "TimeZone\0UTC\0"), message("S", "a\0\0")],
  ...[message("K", int32(1), int32(2)), message("N", "SNOTICE\0Mhello\0\0"), ready],
];
const dialogue = [
  ...[...login, complete, complete, ready, message("1"), message("2"), message("n"), complete, ready],
  ...[message("1"), message("2"), message("T", int16(2), column("a"), column(""))],
  message("D", int16(2), int32(-1), int32(3), "a\0b"),
  ...[
    complete,
    message("A", int32(1), "channel\0payload\0"),
    message("E", "SERROR\0Mno\0\0"),
    message("N", "\0"),
    ready,
  ],
];

/** What is admitted of the messages one after the other; of the first that is refused, null. */
function admitted(messages: Buffer[]): (Buffer | null)[] {
  const admit = admitMessages();
  return messages.map((bytes) => admit(bytes));
}

describe("what a driver may see of a PostgreSQL server's messages", () => {
  test("is all of a login and its queries, however it was cut in pieces", () => {
    expect(admitted(dialogue)).toEqual(dialogue);
    const bytes = Buffer.concat(dialogue);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const seen = admitted(at.slice(1).map((end, n) => bytes.subarray(at[n], end)));
        expect(Buffer.concat(seen.filter((piece) => piece !== null))).toEqual(bytes);
      }),
    );
  });

  test.each([[[ok]], [[authentication(3), ok]], [[authentication(5, "salt"), ok]]])(
    "is each other way of logging in",
    (steps) => expect(admitted([...steps, ready])).toEqual([...steps, ready]),
  );

  test.each([
    ["fewer fields than it counts", int16(2), int32(-1)],
    ["more fields than it counts", int16(1), int32(-1), int32(-1)],
    ["a field that leads back", int16(2), int32(4), "1234", int32(-8)],
    ["a field that leads out", int16(1), int32(200_000), "1234"],
    ["half of a length", int16(1), "12"],
    ["a negative count", int16(-1)],
    ["no count", "1"],
    ["more columns than there can be", int16(1665), Buffer.alloc(1665 * 4, 255)],
  ])("is no row with %s", (_, ...body) => {
    expect(admitted([...login, message("D", ...body)]).at(-1)).toBeNull();
  });

  test.each([
    ["a description of columns without an end", message("T", int16(2), column("a"))],
    ["a description of columns with more behind it", message("T", int16(0), column("a"))],
    ["a name without an end", message("T", int16(1), "a".repeat(30))],
    ["a parameter without a value", message("S", "TimeZone\0")],
    ["a parameter with more behind it", message("S", "a\0b\0c")],
    ["a command without an end", message("C", "FETCH")],
    ["a notification without a payload", message("A", int32(1), "channel\0")],
    ["a notification without a sender", message("A", "a\0")],
    ["a status of several characters", message("Z", "II")],
    ["a status of none", message("Z")],
    ["something behind what has no fields", message("1", "x")],
    ["an error without an end", message("E", "Mx")],
    ["another key", message("K", int32(1), int32(2))],
    ["another login", ok],
  ])("is not %s", (_, bytes) => {
    expect(admitted([...login, bytes]).at(-1)).toBeNull();
  });

  test.each([..."IstcdGHW3pV\0"])("is no message of the type %s", (type) => {
    expect(admitted([...login, message(type, int16(0))]).at(-1)).toBeNull();
  });

  test.each([
    ["a row before the login", [message("D", int16(0))]],
    ["the end of a login that there was not", [ready]],
    ["a row between login and readiness", [ok, message("D", int16(0))]],
    ["a key before the login", [message("K", int32(1), int32(2))]],
    ["half a key", [ok, message("K", int32(1))]],
    ["a password requested twice", [authentication(3), authentication(3)]],
    ["SASL twice", [sasl, sasl]],
    ["SASL that goes on twice", [sasl, continued, continued]],
    ["SASL that ends without going on", [sasl, final]],
    ["SASL that ends twice", [sasl, continued, final, final]],
    ["SASL without the server's proof", [sasl, continued, ok]],
    ["a list of mechanisms without an end", [authentication(10, "SCRAM-SHA-256\0")]],
    ["a salt too short", [authentication(5, "sal")]],
    ["an unknown way", [authentication(7)]],
    ["half of a way", [message("R", int16(0))]],
  ])("is not %s", (_, messages) => {
    expect(admitted(messages).at(-1)).toBeNull();
  });

  test("is refused by its type alone, before the rest has come", () => {
    expect(admitMessages()(Buffer.from("HTTP/1.1 400 Bad Request"))).toBeNull();
  });
});
