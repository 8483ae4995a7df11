import { declaredCharset } from "../../../src/checks/contains-text.ts";
import { iconCandidates, pageTitle } from "../../../src/checks/site/page-search.ts";
import { pictureType } from "../../../src/checks/site/picture-type.ts";
import { parser, row, testCosts } from "./cost.ts";

const PAGE = 512 * 1024;

const bytes = (text: string) => Buffer.from(text, "latin1");

testCosts({
  "a page's own charset": parser((page: Buffer) => declaredCharset(page), {
    comments: () => bytes(row("<!--", PAGE)),
    metas: () => bytes(row("<meta", PAGE)),
    spaces: () => bytes(`<meta charset=${row(" ", PAGE)}>`),
    tags: () => bytes(row("<a ", PAGE)),
    quotes: () => bytes(row('<a b="', PAGE)),
    "equals signs": () => bytes(`<meta ${row("=", PAGE)}>`),
    attributes: () => bytes(`<meta ${row("a ", PAGE)}>`),
    declarations: () => bytes(row("<?xml ", PAGE)),
  }),
  "a page's title": parser((html: string) => pageTitle(bytes(html), "text/html"), {
    ...html(),
    "a title of spaces": () => `<title>${row(" ", PAGE)}`,
    titles: () => row("<title> </title>", PAGE),
    "a long og:title": () => `<meta property=og:title content="${row("\u0001 a", PAGE)}">`,
  }),
  "a page's icons": parser((html: string) => iconCandidates(bytes(html), "http://a.test/"), {
    ...html(),
    "a size of digits": () => `<link rel=icon href=a sizes=${row("1", PAGE)}>`,
    sizes: () => `<link rel=icon href=a sizes="${row("1x1 ", PAGE)}">`,
    kinds: () => `<link href=a rel="${row("icon ", PAGE)}">`,
    "kinds of spaces": () => `<link href=a rel="${row(" ", PAGE)}x">`,
    icons: () => row("<link rel=icon href=a>", PAGE),
    "icons below a long base": () =>
      `<base href="http://a.test/${row("a", PAGE / 2)}/">${row("<link rel=icon href=a>", PAGE / 2)}`,
    bases: () => row("<base href=//a>", PAGE),
    "a long name of a host": () => `<link rel=icon href="//${row("\xe4", PAGE)}">`,
    "a data address": () => `<link rel=icon href="data:image/png;base64,${row("A", PAGE)}">`,
  }),
  "a picture's kind": parser((text: string) => pictureType(bytes(text)), {
    comments: () => row("<!---->", PAGE),
    spaces: () => row(" ", PAGE),
    "a comment without an end": () => row("<!--", PAGE),
  }),
});

/** What makes a reader of HTML look back, or ahead, or up. */
function html(): Record<string, () => string> {
  const rows = [
    "<",
    "</",
    "<!",
    "<!-",
    "<!--",
    "<!--->",
    "<![CDATA[",
    "<?",
    "&",
    "&#",
    "&amp",
    "<a ",
    "<a b=",
    "<a b='",
    "<a b ",
    "<a/",
    "<a>",
    "<p>",
    "<svg>",
    "<title>",
    "<script>",
    "<script><",
    "</script",
    "<textarea>",
    "<table><tr><td>",
    "\u0000",
    "\r",
  ];
  const nested = () => row("<a>", PAGE / 2) + row("</b>", PAGE / 2);
  const closedInTurn = () => row("<a><b>", PAGE / 2) + row("</a>", PAGE / 2);
  const attributes = () =>
    `<a ${Array.from({ length: 60_000 }, (_, i) => `a${i}`).join(" ")}>`.slice(0, PAGE);
  return {
    ...Object.fromEntries(rows.map((text) => [JSON.stringify(text), () => row(text, PAGE)])),
    "closing what is not open": nested,
    "closing far above": closedInTurn,
    attributes: attributes,
  };
}
