import fc from "fast-check";
import { expect, test } from "vitest";
import { readCss } from "../../../src/status-pages/look/read-css.ts";

const codesOf = (css: string) => readCss(css).problems.map(({ code, params }) => [code, params?.["line"]]);

test.each([
  "h1{color:red}",
  "a{--x:1px;width:calc(var(--x,2px) + 3px)}",
  "@media (width<600px){.card{display:none!important}}",
  "@supports (display:grid){main{display:grid}}",
  ".x{animation:y 1s}@keyframes y{from{opacity:0}to{opacity:1}}",
  ".card{&:hover{color:red}}",
  'a::before{content:"→"}',
  "header{background:url(data:image/png;base64,AA)}",
  "header{position:relative;background:linear-gradient(#fff,rgb(0 0 0/50%))}",
])("%s is sent as it is", (css) => {
  expect(readCss(css)).toEqual({ css, problems: [] });
});

test.each([
  ['@import "https://elsewhere.test/x.css";', "page.css_rule"],
  ['@\\69mport "https://elsewhere.test/x.css";', "page.css_rule"],
  ["@font-face{font-family:x;src:url(https://elsewhere.test/x)}", "page.css_rule"],
  ["@namespace svg url(https://elsewhere.test)", "page.css_rule"],
  ["@media print{@import 'x';}", "page.css_rule"],
  ["a{background:url(https://elsewhere.test)}", "page.css_url"],
  ["a{background:url('//elsewhere.test')}", "page.css_url"],
  ["a{background:url(data:text/html,x)}", "page.css_url"],
  ["a{--x:url(https://elsewhere.test);background:var(--x)}", "page.css_url"],
  ["a{color:var(--x,url(https://elsewhere.test))}", "page.css_url"],
  ["@supports (background:url(https://elsewhere.test)){a{color:red}}", "page.css_url"],
  ["a{background:u\\72l(https://elsewhere.test)}", "page.css_syntax"],
  ["a{background:image-set('https://elsewhere.test' 1x)}", "page.css_function"],
  ["a{background:src('https://elsewhere.test')}", "page.css_function"],
  ["a{width:expression(alert(1))}", "page.css_function"],
  ["a{width:attr(data-x px)}", "page.css_function"],
  ["a{behavior:url(x.htc)}", "page.css_property"],
  ["a{-moz-binding:url(x.xml)}", "page.css_property"],
  ["div{position:fixed;inset:0}", "page.css_value"],
  ["div{POSITION:STICKY}", "page.css_value"],
  ["div{--p:fixed;position:var(--p)}", "page.css_value"],
  ["</style><script>alert(1)</script>", "page.css_syntax"],
  ["a{--x:{b:c}}", "page.css_syntax"],
  ["a{color red}", "page.css_syntax"],
  [`${"@media print{".repeat(40)}a{color:red}${"}".repeat(40)}`, "page.css_syntax"],
])("%s is refused, and nothing of it is sent", (css, code) => {
  const read = readCss(css);
  expect(read.problems.map((problem) => problem.code)).toContain(code);
  expect(read.css).not.toMatch(/elsewhere|@import|script|expression|position|binding|behavior:/i);
});

test.each([
  ["@supports ", "(", "a:b", ")", "{a{color:red}}"],
  ["@media (", "(", "a", ")", "{a{color:red}}"],
  ["@media(", "(", "", "", ""],
  ["a", ":is(b", "", ")", "{color:red}"],
  ["a", ":is(')'", "", ")", "{color:red}"],
  ["a", ":not([b", "", "])", "{color:red}"],
  ["a{--x:", "[}", "", "]", "}"],
  ["a{width:", "calc(", "1px", ")", "}"],
  ["", "a{", "color:red", "}", ""],
])("what is nested a thousand times after %j is refused by its line, and none of it is sent", (...parts) => {
  const [before, open, inside, close, after] = parts;
  for (const times of [60, 1_100, 3_000]) {
    const css = `h1{color:red}\n${before}${open.repeat(times)}${inside}${close.repeat(times)}${after}`;
    expect(readCss(css)).toEqual({ css: "", problems: [{ code: "page.css_syntax", params: { line: 2 } }] });
  }
});

test("each line that is wrong is named, and what is right stays", () => {
  const css = "h1 {\n  colr: red;\n  color: blue;\n}\n@import 'x';\na { background: url(x) }\n}";
  expect(codesOf(css)).toEqual([
    ["page.css_syntax", 7],
    ["page.css_property", 2],
    ["page.css_rule", 5],
    ["page.css_url", 6],
  ]);
  expect(readCss(css).css).toBe("h1{color:blue}a{}");
});

test("whatever is written, what is sent is allowed, and the same when it is read again", () => {
  const parts = [
    "a",
    "{",
    "}",
    ":",
    ";",
    "url(",
    ")",
    "//x",
    "@import ",
    "\\",
    "'",
    '"',
    "/*",
    "*/",
    "--x",
    "color",
    "</style>",
    "<!--",
    "\n",
    "var(",
    ",",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (pieces) => {
      const { css } = readCss(pieces.join(""));
      const again = readCss(css);
      expect(again.problems).toEqual([]);
      expect(again.css).toBe(css);
    }),
  );
});

test("reading ends where there are more syntax errors than a style sheet has", () => {
  const lines = (count: number) => `a{color:red}${"\n{}".repeat(count)}\nb{color:red}`;
  expect(readCss(lines(100))).toMatchObject({ css: "a{color:red}b{color:red}" });
  const { css, problems } = readCss(lines(101));
  expect(css).toBe("");
  expect(problems.map(({ params }) => params?.["line"])).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
});
