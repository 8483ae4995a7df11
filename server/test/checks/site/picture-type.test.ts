import { describe, expect, test } from "vitest";
import { pictureType } from "../../../src/checks/site/picture-type.ts";

describe("the kind of a picture", () => {
  test.each([
    ["<svg xmlns='http://www.w3.org/2000/svg'/>"],
    ['\uFEFF<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x" "y">\n<!-- a > b --> <!-- c -->\n<svg>'],
    ["  <!---->\n<SVG\nwidth='1'>"],
  ])("is SVG when the root element is: %s", (text) =>
    expect(pictureType(Buffer.from(text))).toBe("image/svg+xml"),
  );

  test.each([
    ["<html><svg></svg></html>"],
    ["<!-- <svg> "],
    ["<svgx>"],
    ["<!-- --><script>"],
    ["<?xml <svg>"],
    [""],
  ])("is not SVG for %s", (text) => expect(pictureType(Buffer.from(text))).toBeNull());

  test("is recognized at once, however a stranger's bytes are made", () => {
    const hostile = [
      `${"<!---->".repeat(140)}x`,
      `${"<!-->-->".repeat(120)}x`,
      " ".repeat(1024),
      "<?xml>".repeat(170),
      `${"<!doctype>".repeat(100)}<`,
    ];
    const began = performance.now();
    for (const text of hostile) expect(pictureType(Buffer.from(text))).toBeNull();
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
