import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Dialogue, MAX_DIALOGUE_BYTES, MAX_DIALOGUE_READS } from "../../src/checks/dialogue.ts";
import { DialogueError } from "../../src/checks/reasons.ts";
import { aReason, readable } from "../harness/reasons.ts";
import { startTestDialogue } from "./dialogues.ts";

/** What is read of a server that says these pieces and hangs up: lines for null, else up to that text. */
async function read(pieces: readonly Uint8Array[], wanted: readonly (string | null)[]) {
  const { dialogue, stream } = startTestDialogue();
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return readAll(dialogue, wanted);
}

async function readAll(dialogue: Dialogue, wanted: readonly (string | null)[]) {
  const seen: unknown[] = [];
  for (const one of wanted) {
    try {
      seen.push(one === null ? await dialogue.readLine() : await dialogue.expect(one));
    } catch (error) {
      if (!(error instanceof DialogueError)) throw error;
      seen.push(readable({ reason: error.reason }));
    }
  }
  return seen;
}

const said = (text: string) => [Buffer.from(text)];

function split(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set([0, ...places.map((place) => Math.min(place, bytes.length)), bytes.length])];
  cuts.sort((a, b) => a - b);
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

describe("a dialogue", () => {
  test("reads lines, whatever their ends, and leaves the rest for later", async () => {
    expect(await read(said("220 a\r\n250-ä\n\r\nrest OK"), [null, null, null, "OK"])).toEqual([
      "220 a",
      "250-ä",
      "",
      undefined,
    ]);
  });

  test("finds a text anywhere, after a false start too", async () => {
    expect(await read(said("aab aaab then"), ["aaab", " the", null])).toEqual([
      undefined,
      undefined,
      {
        reasonCode: "protocol",
        reason: '127.0.0.1:25 sent "n", which is not a complete line, and closed the connection.',
      },
    ]);
  });

  test("says what came instead of what was expected", async () => {
    expect(await read(said("554 no\u0007\r\n"), ["220"])).toEqual([
      {
        reasonCode: "assertion",
        reason: '127.0.0.1:25 sent "554 no�", but not the expected "220", and closed the connection.',
      },
    ]);
    expect(await read([], ["220"])).toEqual([
      { reasonCode: "protocol", reason: "127.0.0.1:25 closed the connection without a complete answer." },
    ]);
  });

  test("reads no more than its bound, and everything up to there", async () => {
    const most = "a".repeat(MAX_DIALOGUE_BYTES - 1);
    expect(await read(said(`${most}\nmore\n`), [null, null])).toEqual([
      most,
      expect.objectContaining({ reasonCode: "protocol" }),
    ]);
    const [failure] = await read(said(`${most}ab\n`), ["b"]);
    expect(failure).toEqual({
      reasonCode: "assertion",
      reason: `127.0.0.1:25 sent "${"a".repeat(80)}…", but not the expected "b", within 64 KiB.`,
    });
  });

  test("reads no more lines than its bound", async () => {
    const wanted = Array.from({ length: MAX_DIALOGUE_READS + 1 }, () => null);
    const seen = await read(said("\n".repeat(5000)), wanted);
    expect(seen.slice(0, -1).every((line) => line === "")).toBe(true);
    expect(seen.at(-1)).toEqual({
      reasonCode: "protocol",
      reason: "127.0.0.1:25 did not come to an end within 2000 lines.",
    });
  });

  test("ends the read under way, and every later one, on request", async () => {
    const { dialogue, stream } = startTestDialogue();
    const failure = { reasonCode: "internal", reason: "Enough." };
    const reading = readAll(dialogue, ["b", null]);
    stream.write("a\n");
    dialogue.end(aReason("internal", "Enough."));
    expect(await reading).toEqual([failure, failure]);
  });

  test("is the same however the stream is split", async () => {
    const line = fc.constantFrom("220 ok\r\n", "aab", "aaab\n", "ä€", "\n", "a".repeat(70_000));
    const wanted = fc.constantFrom(null, "aab", "a\n", "ok", "ä€", "b");
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 5 }),
        fc.array(wanted, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 30 }),
        async (lines, wishes, places) => {
          const whole = Buffer.from(lines.join(""));
          expect(await read(split(whole, places), wishes)).toEqual(await read([whole], wishes));
        },
      ),
    );
  });
});
