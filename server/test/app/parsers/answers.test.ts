import { bodyText } from "../../../src/checks/contains-text.ts";
import { MAX_DIALOGUE_BYTES, searchLineEnd, searchText } from "../../../src/checks/dialogue.ts";
import { keywordScan } from "../../../src/checks/http/http.ts";
import type { Assertion } from "../../../src/checks/http/http-assertion-config.ts";
import { evaluateAssertions } from "../../../src/checks/http/http-assertions.ts";
import { decodeBody } from "../../../src/checks/http/http-body.ts";
import { headersOf } from "../../../src/checks/http/http-headers.ts";
import { keepCookies, withCookies } from "../../../src/checks/http/http-redirects.ts";
import { parseHttpUrl, redirectRequest, requestOf } from "../../../src/checks/http/http-request.ts";
import { newResponseReader, takeBytes } from "../../../src/checks/http/http-response.ts";
import { excerpt } from "../../../src/platform/i18n/message.ts";
import { startTestDialogue } from "../../checks/dialogues.ts";
import { parser, row, testCosts } from "./cost.ts";

const HEAD = 65_000;
const BODY = 1024 * 1024;

const bytes = (text: string) => Buffer.from(text, "latin1");

function readAnswer({
  text,
  piece = 65_536,
  method = "GET",
}: {
  text: string;
  piece?: number;
  method?: string;
}) {
  const all = bytes(text);
  const reader = newResponseReader(method, () => ({ bytes: BODY, purpose: "text", enough: null }));
  for (let at = 0; at < all.length && reader.state !== "failed"; at += piece)
    takeBytes(reader, all.subarray(at, at + piece));
  return reader;
}

const answer = (headers: string) => `HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`;

const json = (value: string) => ({
  statusCode: 200,
  header: () => undefined,
  body: value,
  bodyCut: false,
  totalUs: 1,
});
const evaluateJson = (value: string) =>
  evaluateAssertions(
    Array<Assertion>(20).fill({ type: "json", path: "$.a", operator: "ne", value: 1 }),
    json(value),
  );
const evaluateText = ({ wanted, body }: { wanted: string; body: string }) =>
  evaluateAssertions([{ type: "keyword", operator: "absent", value: wanted }], json(body));

interface Said {
  said: string;
  wanted: string | null;
  piece: number;
}

function searchIn({ said, wanted, piece }: Said) {
  const search = wanted === null ? searchLineEnd() : searchText(wanted);
  const all = bytes(said);
  for (let at = 0; at < all.length; at += piece) search(all.subarray(at, at + piece));
}

async function converse({ said, wanted, piece }: Said) {
  const { dialogue, stream } = startTestDialogue();
  const all = bytes(said);
  for (let at = 0; at < all.length; at += piece) stream.write(all.subarray(at, at + piece));
  for (;;) await (wanted === null ? dialogue.readLine() : dialogue.expect(wanted));
}

/** As much as is read in a dialogue, and more. */
const SAID = MAX_DIALOGUE_BYTES + 10_000;

testCosts({
  "a search in a stream": parser(searchIn, {
    "a text like it but for its middle": () => ({
      said: row("a", SAID),
      wanted: `${row("a", 511)}b${row("a", 512)}`,
      piece: 65_536,
    }),
    "a text like it but for its end, a byte at a time": () => ({
      said: row("a", SAID),
      wanted: `${row("a", 1023)}b`,
      piece: 1,
    }),
    "a line without an end, a byte at a time": () => ({ said: row("\r", SAID), wanted: null, piece: 1 }),
  }),
  "a dialogue": parser(converse, {
    "empty lines": () => ({ said: row("\n", SAID), wanted: null, piece: 65_536 }),
    "a line without an end": () => ({ said: row("\r", SAID), wanted: null, piece: 16 }),
    "a text again and again": () => ({ said: row("a", SAID), wanted: "a", piece: 65_536 }),
    "half a text": () => ({ said: row("ab", SAID), wanted: row("ab", 1023), piece: 16 }),
    "nothing that can be shown": () => ({ said: row("\u0001", SAID), wanted: "a", piece: 65_536 }),
  }),
  "an answer's header": parser(readAnswer, {
    "a byte at a time": () => ({ text: answer(`a: ${row("b", HEAD)}`), piece: 1 }),
    "without an end, a byte at a time": () => ({ text: `HTTP/1.1 200 OK\r\na: ${row(" ", HEAD)}`, piece: 1 }),
    "bare line ends": () => ({ text: answer(row("\na:", HEAD)) }),
    "a long status line": () => ({ text: `HTTP/1.1 200 ${row(" ", HEAD)}\r\n\r\n` }),
    "a malformed status line": () => ({ text: `HTTP/1.1 ${row("\r", HEAD)}\r\n\r\n` }),
    "no HTTP": () => ({ text: row("\u0000", HEAD) }),
    "a list of lengths": () => ({ text: answer(`content-length: ${row("1,", HEAD)}`) }),
    "ten interim answers": () => ({
      text: row(`HTTP/1.1 103 Early\r\na: ${row("b", HEAD)}\r\n\r\n`, 10 * HEAD),
      piece: 16,
    }),
  }),
  "a header's names and values": parser((head: string) => headersOf(head), {
    "4,000 lines": () => answer(Array.from({ length: 4000 }, (_, i) => `x-${i}: ${i}`).join("\r\n")),
    "32,000 lines": () => answer(row("a:\n", HEAD)),
    spaces: () => answer(`a:${row(" ", HEAD)}b`),
  }),
  "a chunked body": parser(readAnswer, {
    "a byte a chunk": () => ({ text: answer("transfer-encoding: chunked") + row("1\r\na\r\n", 6 * BODY) }),
    "long extensions": () => ({
      text: answer("transfer-encoding: chunked") + row(`1;${row(" ", 4000)}\r\na\r\n`, BODY),
    }),
    "a size without an end": () => ({
      text: answer("transfer-encoding: chunked") + row("0", BODY),
      piece: 1,
    }),
  }),
  "a Content-Encoding": parser((encoding: string) => decodeBody([Buffer.from("x")], encoding, BODY, false), {
    commas: () => row(",", HEAD),
    spaces: () => `gzip${row(" ", HEAD)}x`,
    identities: () => row("identity,", HEAD),
  }),
  "the charset of a Content-Type": parser((type: string) => bodyText(Buffer.from("x"), type), {
    spaces: () => `text/html; charset=${row(" ", HEAD)}`,
    "spaces before =": () => `text/html; charset${row(" ", HEAD)}`,
    charsets: () => row("charset", HEAD),
    "charsets and spaces": () => row("charset= ", HEAD),
    quotes: () => `charset="${row(" ", HEAD)}"`,
    "a long one": () => `charset=${row("a", HEAD)}`,
  }),
  "a body in a charset": parser(
    (charset: string) => bodyText(Buffer.alloc(BODY, 0x81), `x;charset=${charset}`),
    Object.fromEntries(
      [
        "utf-8",
        "utf-16le",
        "gb18030",
        "big5",
        "euc-jp",
        "iso-2022-jp",
        "shift_jis",
        "euc-kr",
        "windows-1252",
        "x-user-defined",
      ].map((one) => [one, () => one]),
    ),
  ),
  "escapes of a charset": parser(
    (charset: string) => bodyText(Buffer.alloc(BODY, 0x1b), `x;charset=${charset}`),
    {
      "iso-2022-jp": () => "iso-2022-jp",
    },
  ),
  "cookies within a check": parser(
    async (lines: string[]) => {
      const cookies = await keepCookies(null, new URL(`http://a.b.test/${row("a/", 2000)}`), lines);
      return withCookies(requestOf({ url: `http://a.b.test/${row("a/", 2000)}` }), cookies);
    },
    Object.fromEntries(
      ["a=", " ", ";", "=", '"', "a", "Expires=", "Expires= 1 1 1 1 ", "Domain=.", "Path=/", "a.", "1:"].map(
        (text) => [
          JSON.stringify(text),
          () => Array.from({ length: 100 }, (_, index) => `a${index}=1; ${row(text, 640)}`),
        ],
      ),
    ),
  ),
  "a long cookie": parser(
    (line: string) => keepCookies(null, new URL("http://a.test/"), [line]),
    Object.fromEntries(
      ["a=", " ", ";", "=", '"', "Expires= 1 1 ", "Domain=a.", "Path=/a/", "1:"].map((text) => [
        JSON.stringify(text),
        () => row(`a=1;${text}`, 10) + row(text, 4000),
      ]),
    ),
  ),
  "a Location": parser(
    (location: string) => redirectRequest(requestOf({ url: "http://a.test/b/c" }), 301, location),
    {
      "letters beyond ASCII": () => `http://${row("ä", HEAD / 2)}.test/`,
      labels: () => `http://${row("ä.", HEAD / 2)}test/`,
      slashes: () => row("/", HEAD),
      "steps up": () => row("../", HEAD),
      "steps down and up": () => row("a/", HEAD / 2) + row("../", HEAD / 2),
      escapes: () => row("%", HEAD),
      tabs: () => `http:${row("\t", HEAD)}//a`,
      "at signs": () => `http://${row("@", HEAD)}`,
      digits: () => `http://${row("1.", HEAD)}`,
      "a long IPv6 address": () => `http://[${row("0:", HEAD)}]`,
    },
  ),
  "an address": parser((text: string) => parseHttpUrl(text), {
    "letters beyond ASCII": () => `http://${row("ä", 2048)}/`,
  }),
  "a JSON body": parser(evaluateJson, {
    arrays: () => row("[", BODY),
    "closed arrays": () => row("[", BODY / 2) + row("]", BODY / 2),
    "a long number": () => row("9", BODY),
    escapes: () => `"${row("\\u0000", BODY)}`,
    spaces: () => row(" ", BODY),
    "many values": () => `[${row("1,", BODY)}1]`,
    "many names": () => `{${Array.from({ length: 90_000 }, (_, i) => `"a${i}":1`).join()}}`,
    "a strange value": () => `{"a":"${row("\u0001x", 10)}${row("\u200b", BODY / 3)}"}`,
  }),
  "a body's text": parser(evaluateText, {
    "a keyword like it but for its middle": () => ({
      wanted: `${row("ä", 499)}b${row("ä", 500)}`,
      body: row("ä", BODY),
    }),
    "a keyword as long as V8 searches for": () => ({
      wanted: `${row("ä", 125)}b${row("ä", 124)}`,
      body: row("ä", BODY),
    }),
  }),
  "a foreign text in a reason": parser(excerpt, {
    "control characters": () => row("\u0001", BODY),
    "invisible characters": () => row("\u200b", BODY),
    pairs: () => row("😀", BODY),
  }),
  "a secret in a foreign text": parser(({ text, secret }) => excerpt(text, [secret]), {
    "a text like it but for its middle": () => {
      const secret = `${row("a", 2047)}b${row("a", 2048)}`;
      return { secret, text: row("a", 262_144) + secret };
    },
  }),
  "a scan for keywords": parser(
    ({ keywords, piece, body }: { keywords: string[]; piece: number; body: string }) => {
      const scan = keywordScan(
        keywords.map((value) => ({ type: "keyword", operator: "present", value })),
        0,
      );
      const all = bytes(body);
      for (let at = 0; at < all.length; at += piece) scan?.(all.subarray(at, at + piece));
    },
    {
      "one that begins like the text": () => ({
        keywords: [`${row("a", 999)}b`],
        piece: 65_536,
        body: row("a", BODY),
      }),
      "one that is like the text but for its middle": () => ({
        keywords: [`${row("a", 499)}b${row("a", 500)}`],
        piece: 65_536,
        body: row("a", BODY),
      }),
      "one as long as V8 searches for": () => ({
        keywords: [`${row("a", 125)}b${row("a", 124)}`],
        piece: 65_536,
        body: row("a", BODY),
      }),
      twenty: () => ({
        keywords: Array.from({ length: 20 }, (_, i) => `needle${i}`),
        piece: 65_536,
        body: row("needl", BODY),
      }),
      "in small pieces": () => ({ keywords: ["needle"], piece: 16, body: row("a", BODY) }),
    },
  ),
});
