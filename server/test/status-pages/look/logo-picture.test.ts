import { expect, test } from "vitest";
import { readLogo } from "../../../src/status-pages/look/logo-picture.ts";
import { gifOf, pngOf, svgOf } from "./pictures.ts";

const problemOf = (data: Buffer): string | null => {
  const read = readLogo(data);
  return "problem" in read ? read.problem.code : null;
};

test.each([
  ["a PNG", pngOf(200, 50), "image/png"],
  ["a GIF", gifOf(1, 1), "image/gif"],
  ["an SVG", svgOf('<path d="M0 0h9v9z"/>'), "image/svg+xml"],
  [
    "an SVG with a document type",
    svgOf("<g/>", "<?xml version='1.0'?><!DOCTYPE svg PUBLIC 'a' 'b'>"),
    "image/svg+xml",
  ],
  [
    "an SVG that uses its own parts",
    svgOf('<use href="#a"/><image href="data:image/png;base64,AA"/>'),
    "image/svg+xml",
  ],
  [
    "an SVG with styles of its own",
    svgOf(
      `<style>@font-face{src:url(data:font/woff2;base64,AA)}.a{fill:url( '#b' )}</style><g fill="url(#b)"></g>
      <g inkscape:export-filename="C:\\a (1).png" font-family="A\\ B"/>`,
    ),
    "image/svg+xml",
  ],
])("%s is a logo, by its own bytes", (_name, data, contentType) => {
  const read = readLogo(data);
  expect(read).toMatchObject({ logo: { contentType, data } });
});

test("its address changes with its bytes", () => {
  const hashes = [pngOf(1, 1), pngOf(1, 2), pngOf(1, 1)].map((data) => {
    const read = readLogo(data);
    return "logo" in read ? read.logo.hash : null;
  });
  expect(hashes[0]).toBe(hashes[2]);
  expect(hashes[0]).not.toBe(hashes[1]);
});

test.each([
  ["text", Buffer.from("hello"), "page.logo_type"],
  ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>"), "page.logo_type"],
  ["HTML around an SVG", Buffer.from("<html><svg></svg></html>"), "page.logo_type"],
  ["an icon", Buffer.from("00000100010010", "hex"), "page.logo_type"],
  ["half a PNG", pngOf(1, 1).subarray(0, 12), "page.logo_broken"],
  ["a PNG that ends before its size", pngOf(1, 1).subarray(0, 16), "page.logo_broken"],
  ["half a size", pngOf(9_000, 1).subarray(0, 22), "page.logo_broken"],
  ["a GIF that ends before its size", gifOf(1, 1).subarray(0, 6), "page.logo_broken"],
  ["a PNG as large as a house", pngOf(60_000, 60_000), "page.logo_size"],
  ["a PNG of nothing", pngOf(0, 0), "page.logo_size"],
  ["a GIF that is too wide", gifOf(5_000, 1), "page.logo_size"],
  ["what is too large", Buffer.concat([pngOf(1, 1), Buffer.alloc(256 * 1024)]), "page.logo_large"],
  ["an SVG with a script", svgOf("<script>alert(1)</script>"), "page.logo_active"],
  [
    "an SVG with a script by another name",
    svgOf('<x:script xmlns:x="http://www.w3.org/2000/svg"/>'),
    "page.logo_active",
  ],
  ["an SVG with an event", svgOf('<g ONLOAD="alert(1)"/>'), "page.logo_active"],
  ["an SVG with HTML", svgOf("<foreignObject><body/></foreignObject>"), "page.logo_active"],
  ["an SVG with a link", svgOf('<a href="https://elsewhere.test"/>'), "page.logo_active"],
  ["an SVG with a disguised link", svgOf('<a xlink:href="&#106;avascript:alert(1)"/>'), "page.logo_active"],
  [
    "an SVG with a link by another name",
    svgOf('<a xmlns:q="http://www.w3.org/1999/xlink" q:HREF="javascript:alert(1)"/>'),
    "page.logo_active",
  ],
  ["an SVG with entities", svgOf("&lol;", '<!DOCTYPE svg [<!ENTITY lol "lol">]>'), "page.logo_type"],
  [
    "an SVG with a style sheet",
    svgOf("", '<?xml-stylesheet href="https://elsewhere.test"?>'),
    "page.logo_active",
  ],
  ["an SVG that imports", svgOf("<style>@import 'https://elsewhere.test'</style>"), "page.logo_active"],
  ["an SVG that hides it", svgOf("<style><![CDATA[@\\69mport 'x']]></style>"), "page.logo_active"],
  ["an SVG with styles from elsewhere", svgOf("<style>g{fill:url(//x)}</style>"), "page.logo_active"],
  ["an SVG filled from elsewhere", svgOf('<g fill="url( &apos;https://x#a&apos;)"/>'), "page.logo_active"],
  ["an SVG that hides that", svgOf('<g style="fill:u\\72l(//x)"/>'), "page.logo_active"],
  ["an SVG with pictures to choose", svgOf(`<g style="mask:image-set('//x' 1x)"/>`), "page.logo_active"],
  ["an SVG that gets a link", svgOf('<a><set attributeName="xlink:href" to="//x"/></a>'), "page.logo_active"],
  ["half an SVG", Buffer.from("<svg><rect></svg"), "page.logo_broken"],
  ["an SVG with a part left open", svgOf("<g><rect></g>"), "page.logo_broken"],
  ["an SVG with another one after it", Buffer.concat([svgOf(""), svgOf("")]), "page.logo_broken"],
  ["an SVG of nothing but beginnings", svgOf("<a>".repeat(87_000)), "page.logo_broken"],
  ["an SVG of too many parts", svgOf("<g/>".repeat(20_001)), "page.logo_broken"],
])("%s is none", (_name, data, problem) => {
  expect(problemOf(data)).toBe(problem);
});
