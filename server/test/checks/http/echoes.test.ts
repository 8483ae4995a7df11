import { expect, test } from "vitest";
import { maskEchoes } from "../../../src/checks/http/http-secrets.ts";

test("secrets that begin alike are masked each to its own end", () => {
  const mask = maskEchoes(["shared-beginning-one", "shared-beginning-two-and-more", "shared-beginning"]);
  expect(mask("a shared-beginning-two-and-more, shared-beginning-one. shared-beginnin")).toBe(
    "a ********, ********. ********",
  );
});

test("a secret that repeats itself is masked to its end wherever it begins", () => {
  const secret = `${"a".repeat(13)}tail`;
  expect(maskEchoes([secret])(`b${"a".repeat(14)}tail`)).toBe("b********");
});

test("short ones are masked as whole words, and what is shorter than four characters nowhere", () => {
  expect(maskEchoes(["pass", "abc"])("pass, pas, abc")).toBe("********, pas, abc");
});

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at));

/** CPU time of this thread, milliseconds: what else the machine does counts for nothing. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

// Each took ten seconds and more, in the thread that everybody's checks are made in.
test.each([
  ["fifty long headers that are nearly the same", many(50, (index) => `${"a".repeat(8_100)}${index}`)],
  ["thousands of values that begin alike", many(5_000, (index) => `${"a".repeat(12)}${index}`)],
])("a server that quotes %s holds up no checks", (_, secrets) => {
  const before = cpuMs();
  const mask = maskEchoes(secrets);
  expect(mask("a".repeat(8_192))).toBe("********");
  for (let header = 0; header < 64; header += 1) expect(mask("x-served-by")).toBe("x-served-by");
  expect(cpuMs() - before).toBeLessThan(3_000);
});

test("a server that answers rows of one letter, which a secret is made of, holds up no checks", () => {
  const mask = maskEchoes(["a".repeat(8_000)]);
  const rows = `${"a".repeat(6_000)}b${"a".repeat(2_000)}`;
  expect(mask(rows)).toBe("********b********");
  const before = cpuMs();
  for (let time = 0; time < 40; time += 1) mask(rows);
  // One and a half seconds, where each position is compared to the end.
  expect(cpuMs() - before).toBeLessThan(500);
});
