import { describe, expect, test } from "vitest";
import { svgExpansion } from "../../../src/checks/site/picture-type.ts";
import { readLogo } from "../../../src/status-pages/look/logo-picture.ts";

const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`;

/** Levels of elements, each of which draws the one before it ten times. */
const levels = (count: number, draw: (name: string) => string, element = "g") =>
  Array.from(
    { length: count },
    (_, at) => `<${element} id="l${at + 1}">${draw(`l${at}`).repeat(10)}</${element}>`,
  ).join("");

const SMALL = '<path id="l0" d="M0 0h9"/>';

describe("an SVG that makes much out of little is refused", () => {
  test.each([
    ["nested use", `<defs>${SMALL}${levels(9, (name) => `<use href="#${name}"/>`)}</defs><use href="#l9"/>`],
    [
      "use by another prefix",
      `<defs>${SMALL}${levels(9, (name) => `<use xlink:href="#${name}"/>`)}</defs><use xlink:href="#l9"/>`,
    ],
    ["names in percent", `<defs>${SMALL}${levels(9, (name) => `<use href="#%6c${name.slice(1)}"/>`)}</defs>`],
    ["two levels of use", `<defs>${SMALL}<g id="a"><use href="#l0"/></g></defs><use href="#a"/>`],
    [
      "patterns in patterns",
      SMALL + levels(9, (name) => `<rect width="9" height="9" fill="url(#${name})"/>`, "pattern"),
    ],
    ["masks in a style", SMALL + levels(9, (name) => `<rect style="mask:url('#${name}')"/>`, "mask")],
    [
      "one part that is drawn too often",
      `<g id="a">${"<path/>".repeat(1000)}</g>${'<use href="#a"/>'.repeat(60)}`,
    ],
    [
      "the first of several elements with one id",
      Array.from(
        { length: 9 },
        (_, at) => `<g id="a${at + 1}"><rect id="a${at + 1}"/>${`<use href="#a${at}"/>`.repeat(10)}</g>`,
      ).join(""),
    ],
    [
      "markers in markers",
      Array.from(
        { length: 6 },
        (_, at) =>
          `<marker id="m${at}"><path d="M${"1 ".repeat(200)}" marker-mid="url(#m${at + 1})"/></marker>`,
      ).join("") + '<path d="M1 1 2 2 3 3" marker-mid="url(#m0)"/>',
    ],
    [
      "markers by a style sheet",
      `<style>path{marker-mid:url(#m)}</style><marker id="m">${"<rect/>".repeat(100)}</marker><path d="M${".1".repeat(2000)}"/>`,
    ],
    ["what draws itself", '<g id="a"><use href="#a"/></g>'],
    [
      "a style sheet for all",
      `<style>*{mask:url(#m)}</style><mask id="m">${"<path/>".repeat(300)}</mask>${"<path/>".repeat(300)}`,
    ],
  ])("%s", (_, inside) => {
    expect(svgExpansion(svg(inside))).not.toBeNull();
    const read = readLogo(Buffer.from(svg(inside)));
    expect("problem" in read && read.problem.code).toBe("page.logo_expands");
  });

  test("use that an animation points elsewhere, also as a site's icon", () => {
    const text = svg('<g id="a"/><use><set attributeName="href" to="#a"/></use>');
    expect(svgExpansion(text)).not.toBeNull();
  });

  test("entities in entities", () => {
    const text = `<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>${svg("<text>&b;</text>")}`;
    expect(svgExpansion(text)).not.toBeNull();
  });
});

test.each([
  [
    "a part that is used some times",
    `<defs><g id="a"><path/><path/></g></defs>${'<use href="#a"/>'.repeat(50)}`,
  ],
  [
    "a gradient that many elements have",
    `<linearGradient id="a"><stop/><stop/></linearGradient>${'<path fill="url(#a)"/>'.repeat(5000)}`,
  ],
  [
    "a gradient after another",
    '<linearGradient id="a"/><linearGradient id="b" href="#a"/><path fill="url(#b)"/>',
  ],
  [
    "a mask, a clip path and a filter",
    '<mask id="m"><path/></mask><clipPath id="c"><path/></clipPath><filter id="f"><feOffset/></filter><g mask="url(#m)" clip-path="url(#c)" filter="url(#f)"><path/></g>',
  ],
  ["what refers to nothing", '<use href="#nothing"/><path fill="url(#nothing)"/>'],
  ["entities of an editor", ""],
])("%s stays", (name, inside) => {
  const before = name.startsWith("entities") ? '<!DOCTYPE svg [<!ENTITY ns "http://ns.example/">]>' : "";
  expect(svgExpansion(before + svg(inside))).toBeNull();
});

test("twenty thousand elements in each other are evaluated in steps that are counted", () => {
  const deep = Array.from({ length: 15_000 }, (_, at) => `<g id="n${at}">`).join("");
  expect(svgExpansion(svg(`${deep}${"</g>".repeat(15_000)}`))).toBeNull();
  const drawn = Array.from({ length: 5_000 }, (_, at) => `<path fill="url(#n${at})"/>`).join("");
  expect(svgExpansion(svg(`${deep}${"</g>".repeat(15_000)}${drawn}`))).not.toBeNull();
});
