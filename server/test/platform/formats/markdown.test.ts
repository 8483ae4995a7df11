import fc from "fast-check";
import { parseDocument } from "htmlparser2";
import { describe, expect, test } from "vitest";
import { html, paragraphs } from "../../../src/platform/formats/html.ts";
import { markdown } from "../../../src/platform/formats/markdown.ts";
import { isTooMuch } from "../../../src/platform/formats/markdown-limits.ts";

const shown = (text: string) => html`${markdown(text)}`.text;
const REL = 'rel="nofollow noopener noreferrer ugc"';

describe("Markdown of an update", () => {
  test.each([
    ["**We** are *on* it", "<p><strong>We</strong> are <em>on</em> it</p>"],
    ["One\ntwo\n\nthree", "<p>One<br>two</p><p>three</p>"],
    ["One\rtwo\r\n\r\nthree", "<p>One<br>two</p><p>three</p>"],
    ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
    ["3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'],
    ["- a\n  1. b", "<ul><li>a<ol><li>b</li></ol></li></ul>"],
    ["# Big", "<p><strong>Big</strong></p>"],
    ["> quoted", "<blockquote><p>quoted</p></blockquote>"],
    ["`a<b`", "<p><code>a&lt;b</code></p>"],
    ["    a\n    b", "<pre><code>a\nb</code></pre>"],
    ["a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"],
    ["[here](https://a.test/?x=1&y)", `<p><a href="https://a.test/?x=1&amp;y" ${REL}>here</a></p>`],
    ["[here][x]\n\n[x]: https://a.test", `<p><a href="https://a.test" ${REL}>here</a></p>`],
    ["see https://a.test/b.", `<p>see <a href="https://a.test/b" ${REL}>https://a.test/b</a>.</p>`],
    ["[https://a.test](https://b.test)", `<p><a href="https://b.test" ${REL}>https://a.test</a></p>`],
    ["![plan](https://a.test/p.png)", `<p><a href="https://a.test/p.png" ${REL}>plan</a></p>`],
    ["[![plan](https://a.test/p.png)](https://b.test)", `<p><a href="https://b.test" ${REL}>plan</a></p>`],
    ["[x](javascript:alert(1))", "<p>x</p>"],
    ["![x](data:text/html,hi)", "<p>x</p>"],
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
    ["a <img src=x onerror=alert(1)>", "<p>a &lt;img src=x onerror=alert(1)&gt;</p>"],
    [
      '[x](https://a.test/"onclick=alert(1) "t")',
      `<p><a href="https://a.test/&quot;onclick=alert(1)" ${REL}>x</a></p>`,
    ],
    ["", ""],
  ])("%j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test("is shown as it was written where it is nested too deep, or marked too much", () => {
    expect(shown(`${">".repeat(5_000)} deep`)).toBe(`<p>${"&gt;".repeat(5_000)} deep</p>`);
    expect(shown(`${"> ".repeat(30)}deep`)).toBe(`<p>${"&gt; ".repeat(30)}deep</p>`);
  });

  // The parser takes seconds for these, or shows something else.
  test.each([
    ["marked too much", "*_".repeat(5_000)],
    ["escaped too much", `- ${"\\".repeat(9_998)}`],
    ["too many entities", "&lt;".repeat(1_001)],
    ["a list within lists on one line", `${"+ ".repeat(30)}x`],
    ["numbered lists within lists", `${"1. ".repeat(30)}x`],
    ["quotes and lists in turns", `${"> - ".repeat(15)}x`],
    [
      "lists that go on inwards",
      Array.from({ length: 30 }, (_, each) => `${"  ".repeat(each)}- x`).join("\n"),
    ],
    ["the same by tabs", Array.from({ length: 30 }, (_, each) => `${"\t".repeat(each)}- x`).join("\n")],
    ["too many items", "- - - - - a\n".repeat(101)],
    ["too many lines", "x\n=\n".repeat(600)],
    ["too many bare addresses", "a www.".repeat(1_001)],
    ["a table of millions of cells", `${"|a".repeat(9_000)}\n${"|-".repeat(9_000)}\n${"x\n".repeat(490)}`],
  ])("is shown as it was written: %s", (_, text) => {
    expect(shown(text)).toBe(html`${paragraphs(text)}`.text);
  });

  test("is longer and has more marks in a document than in an update, but is no deeper", () => {
    for (const text of ["[a](/b) ".repeat(600), "x\n\n".repeat(900)]) {
      expect([isTooMuch(text), isTooMuch(text, "document")]).toEqual([true, false]);
    }
    for (const text of ["*a_".repeat(5_000), "x\n".repeat(2_100), "> ".repeat(30)]) {
      expect(isTooMuch(text, "document")).toBe(true);
    }
  });

  test("has our own elements only, whatever was written", () => {
    const pieces = fc.constantFrom(
      ...["<script>", "</p>", "<b onclick=x>", "**", "_", "`", "[", "](javascript:x)", "](https://a.test)"],
      ...["![", "\n\n", "\n", "- ", "> ", "    ", '"', "&lt;", "<https://a.test>", "<!--", "x", "1. ", "\\"],
    );
    const known = /^(p|br|ul|ol|li|strong|em|code|pre|blockquote|hr|a)$/;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const seen: unknown[] = [parseDocument(shown(parts.join("")))];
        for (let node = seen.pop() as Node | undefined; node; node = seen.pop() as Node | undefined) {
          if (node.name !== undefined) expect(node.name).toMatch(known);
          const { href, rel, start, ...others } = node.attribs ?? {};
          expect(others).toEqual({});
          if (href !== undefined)
            expect([/^https?:|^mailto:/.test(href), rel]).toEqual([true, REL.slice(5, -1)]);
          seen.push(...(node.children ?? []));
        }
      }),
    );
  });
});

interface Node {
  name?: string;
  attribs?: Record<string, string>;
  children?: Node[];
}
