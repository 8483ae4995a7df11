import { expect, test } from "vitest";

/** What one input may cost, milliseconds of this thread's own CPU: others' load does not count. */
const LIMIT_MS = 50;
/** The first run also compiles; one that stays below the limit is enough. */
const RUNS = 10;
/** Nothing gets this much faster by being warm. */
const HOPELESS_MS = 500;

/** As many as a request's body may hold. */
export const BODY_CHARACTERS = 256 * 1024;

/** `text` again and again, `length` characters of it. */
export const row = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** A parser of bytes from outside: its worst inputs by name, each as long as the parser lets it be. */
export interface Parser<Input> {
  parse(input: Input): unknown;
  worst: Record<string, () => Input>;
}

/** Lets each line of a table keep its own type of input. */
export const parser = <Input>(parse: Parser<Input>["parse"], worst: Parser<Input>["worst"]): Parser<never> =>
  ({ parse, worst }) as Parser<never>;

/** A test for each parser: no input costs more than 50 ms of CPU, whether it is taken or refused. */
export function testCosts(table: Record<string, Parser<never>>): void {
  test.each(Object.entries(table))("%s costs little, whatever it holds", async (_name, { parse, worst }) => {
    const slow: Record<string, number> = {};
    for (const [name, make] of Object.entries(worst)) {
      const ms = await leastMs(parse, make());
      if (ms > LIMIT_MS) slow[name] = ms;
    }
    expect(slow).toEqual({});
  });
}

async function leastMs(parse: Parser<never>["parse"], input: never): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && least > LIMIT_MS; run++) {
    least = Math.min(least, await cpuMs(() => parse(input)));
    if (least > HOPELESS_MS) break;
  }
  return least;
}

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  try {
    await work();
  } catch {
    // Refusing is an answer: what matters is what it cost.
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
