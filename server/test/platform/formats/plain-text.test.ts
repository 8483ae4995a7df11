import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText } from "../../../src/platform/formats/markdown.ts";

test.each([
  ["**We** are *on* `it`", "We are on it"],
  ["One\ntwo\n\nthree", "One\ntwo\n\nthree"],
  ["One\r\ntwo\rthree", "One\ntwo\nthree"],
  ["One  \ntwo", "One\ntwo"],
  ["# Big\n\ntext", "Big\n\ntext"],
  ["- a\n- b\n  - c", "- a\n- b\n  - c"],
  ["3. a\n4. b\n   more", "3. a\n4. b\n   more"],
  ["- a\n\n- b", "- a\n- b"],
  ["> quoted\n> twice", "> quoted\n> twice"],
  ["```\na *b*\n```", "a *b*"],
  ["a\n\n---\n\nb", "a\n\n---\n\nb"],
  ["[here](https://a.test/?x=1&y), now", "here (https://a.test/?x=1&y), now"],
  ["[here][x]\n\n[x]: https://a.test", "here (https://a.test)"],
  ["[https://a.test](https://b.test)", "https://a.test (https://b.test)"],
  ["<https://a.test> and <ada@a.test>", "https://a.test and ada@a.test"],
  ["![plan](https://a.test/p.png)", "plan (https://a.test/p.png)"],
  ["[x](javascript:alert(1))", "x"],
  ["<b>a</b> & <script>b</script>", "<b>a</b> & <script>b</script>"],
  ["snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"],
  ["\\*as it is\\*", "*as it is*"],
  ["", ""],
])("%j is %j in plain text", (written, expected) => {
  expect(plainText(written)).toBe(expected);
});

test("what is marked too much stays as it was written", () => {
  const written = "*_".repeat(5_000);
  expect(plainText(written)).toBe(written);
  const deep = `${"> ".repeat(30)}deep`;
  expect(plainText(deep)).toBe(deep);
});

test("no word is lost, whatever marks there are", () => {
  const words = fc.stringMatching(/^[a-z]{3,9}$/);
  const marks = fc.constantFrom("", "**", "_", "`", "- ", "> ", "# ", "1. ", "\n", "\n\n", "\r", "    ");
  fc.assert(
    fc.property(fc.array(fc.tuple(marks, words, marks), { maxLength: 12 }), (parts) => {
      const said = plainText(parts.map((part) => part.join("")).join(" "));
      for (const [, word] of parts) expect(said).toContain(word);
    }),
  );
});
