import { describe, expect, it } from "vitest";
import { ApiError } from "../src/api/client.ts";
import { addMany, addressesIn } from "../src/kinds/domain/add-many.ts";

it("addresses are one a line, each once, without the space around them", () => {
  expect(addressesIn(" a.test\r\n\r\n\tb.test \na.test\n")).toEqual(["a.test", "b.test"]);
});

/** Adds through an API that answers as `answers` say for each address, one after the other. */
async function addTo(answers: Record<string, (Error | "watched")[]>, stopAfter = Infinity) {
  const asked: string[] = [];
  const stopper = new AbortController();
  const outcome = await addMany(
    Object.keys(answers),
    {
      isWatched: async (address) => answers[address]?.[0] === "watched",
      async add(address) {
        asked.push(address);
        const answer = answers[address]?.shift();
        if (answer instanceof Error) throw answer;
      },
    },
    {
      signal: stopper.signal,
      pauseMs: 0,
      onProgress: (through) => through + 1 >= stopAfter && stopper.abort(),
    },
  );
  return { asked, outcome };
}

describe("many addresses", () => {
  it("are added, but for those that are watched already or refused", async () => {
    const wrong = new ApiError(422, "The given data was invalid.", { url: ["That is no address."] });
    const { outcome } = await addTo({ a: [], b: ["watched"], c: [wrong], d: [] });
    expect(outcome).toEqual({
      added: 2,
      watched: ["b"],
      refused: [{ address: "c", message: "That is no address." }],
      left: [],
    });
  });

  it("wait where the API asks to slow down, and are then tried again", async () => {
    const { asked, outcome } = await addTo({ a: [new ApiError(429, "Slower.")], b: [] });
    expect(asked).toEqual(["a", "a", "b"]);
    expect(outcome.added).toBe(2);
  });

  it.each([403, 0])("end where it would be the same for all others (%d)", async (status) => {
    const { outcome } = await addTo({ a: [], b: [new ApiError(status, "No more.")], c: [], d: [] });
    expect(outcome).toEqual({
      added: 1,
      watched: [],
      refused: [{ address: "b", message: "No more." }],
      left: ["c", "d"],
    });
  });

  it("can be stopped: the rest is left", async () => {
    const { outcome } = await addTo({ a: [], b: [], c: [] }, 2);
    expect(outcome).toMatchObject({ added: 2, left: ["c"] });
  });
});
