import { Parser } from "htmlparser2";

/** What kinds of picture may be served as an icon, by the first bytes of each. */
const SIGNATURES: { contentType: string; matches: (bytes: Buffer) => boolean }[] = [
  {
    contentType: "image/png",
    matches: (b) => b.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")),
  },
  { contentType: "image/x-icon", matches: (b) => b.subarray(0, 4).equals(Buffer.from("00000100", "hex")) },
  { contentType: "image/gif", matches: (b) => b.subarray(0, 4).toString("latin1") === "GIF8" },
  { contentType: "image/jpeg", matches: (b) => b.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex")) },
  {
    contentType: "image/webp",
    matches: (b) =>
      b.subarray(0, 4).toString("latin1") === "RIFF" && b.subarray(8, 12).toString("latin1") === "WEBP",
  },
  { contentType: "image/svg+xml", matches: isSvg },
];

/** What may precede an SVG's root element, and how each ends. */
const PROLOGUE = [
  ["<?", "?>"],
  ["<!--", "-->"],
  ["<!doctype", ">"],
] as const;
const HEAD_BYTES = 1024;

/** Step by step: one regular expression would never end on some untrusted runs of comments. */
function isSvg(bytes: Buffer): boolean {
  let rest = bytes
    .toString("utf8", 0, HEAD_BYTES)
    .replace(/^\uFEFF/, "")
    .toLowerCase()
    .trimStart();
  for (;;) {
    const before = rest;
    const piece = PROLOGUE.find(([start]) => before.startsWith(start));
    if (!piece) return /^<svg[\s>]/.test(rest);
    const [start, end] = piece;
    const endAt = rest.indexOf(end, start.length);
    if (endAt === -1) return false;
    rest = rest.slice(endAt + end.length).trimStart();
  }
}

/** The picture's type by its own bytes (a server's Content-Type is not trusted), or null. */
export function pictureType(bytes: Buffer): string | null {
  return SIGNATURES.find(({ matches }) => matches(bytes))?.contentType ?? null;
}

/** So many elements may be drawn, each as often as it is. */
const MAX_DRAWN = 50_000;
/** Elements that are looked at to find that out. */
const MAX_STEPS = 1_000_000;
/** A pattern in a mask in a filter: no picture needs deeper nesting. */
const MAX_DEPTH = 8;
/** What is looked up once, however many refer to it. */
const CHEAP: ReadonlySet<string> = new Set(["lineargradient", "radialgradient"]);
/** What an animation may change so that an element draws another one, or draws it more often. */
const ANIMATED = /(?:^|:)href$|^marker/i;
const REFERENCES = /url\(\s*["']?\s*#([^)"']{1,200})/gi;

/** A part of the picture: all that is within an element that has a name. */
interface Part {
  from: number;
  to: number;
  isCheap: boolean;
}

interface Drawing {
  /** Of each element in their order: the names that it draws, how often each at most, and whether it is a `use`. */
  elements: { draws: string[]; times: number; vertices: number; isUse: boolean }[];
  parts: Map<string, Part>;
  /** What a style sheet draws, for whichever elements. */
  styled: string[];
}

/** What makes an SVG expand exponentially (a kilobyte can hang a browser), as text; null: nothing does. */
export function svgExpansion(text: string): string | null {
  const drawing = readDrawing(text);
  if (drawing === null) return "<!DOCTYPE […]>, attributeName";
  const { elements, parts, styled } = drawing;
  const known = new Map<string, number>();
  let steps = 0;
  /** How many elements a part draws; Infinity: too many. */
  const costOf = (name: string, depth: number, isInUse: boolean): number => {
    const part = parts.get(name);
    if (!part || part.isCheap) return 1;
    const key = `${isInUse} ${name}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    // While it is being counted: a part that draws itself never ends.
    known.set(key, Number.POSITIVE_INFINITY);
    const cost = depth > MAX_DEPTH ? Number.POSITIVE_INFINITY : drawn(part, depth, isInUse);
    known.set(key, cost);
    return cost;
  };
  const drawn = ({ from, to }: Part, depth: number, isInUse: boolean): number => {
    let cost = 0;
    for (let at = from; at < to && cost <= MAX_DRAWN; at++) {
      if (++steps > MAX_STEPS) return Number.POSITIVE_INFINITY;
      const { draws, times, isUse } = elements[at] as Drawing["elements"][number];
      if (isUse && isInUse && draws.length > 0) return Number.POSITIVE_INFINITY;
      cost += 1;
      for (const name of draws) cost += times * costOf(name, depth + 1, isInUse || isUse);
    }
    return cost;
  };
  const plain = drawn({ from: 0, to: elements.length, isCheap: false }, 0, false);
  const styledTimes = elements.reduce((sum, { vertices }) => sum + 1 + vertices, 0);
  const byStyle = styled.reduce((sum, name) => sum + costOf(name, 1, false) - 1, 0) * styledTimes;
  return plain + byStyle > MAX_DRAWN ? "<use>, url(#…)" : null;
}

/** Null: it has entities that hold others, or animates what draws others, which are other ways to grow. */
function readDrawing(text: string): Drawing | null {
  const drawing: Drawing = { elements: [], parts: new Map(), styled: [] };
  const open: { name: string; id: string | undefined; at: number }[] = [];
  const named = new Set<string>();
  let isRefused = false;
  let css = "";
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = localName(tag);
        // Of several elements with one id, the one that begins first has it.
        const id = attributes["id"];
        const isFirst = id !== undefined && !named.has(id);
        if (isFirst) named.add(id);
        open.push({ name, id: isFirst ? id : undefined, at: drawing.elements.length });
        drawing.elements.push(elementOf(name, attributes));
        if (ANIMATED.test(attributes["attributeName"] ?? "")) isRefused = true;
        if (drawing.elements.length > MAX_DRAWN) parser.pause();
      },
      ontext(piece) {
        if (open.at(-1)?.name === "style") css += piece;
      },
      onclosetag() {
        const closed = open.pop();
        if (closed?.id === undefined) return;
        const part = { from: closed.at, to: drawing.elements.length, isCheap: CHEAP.has(closed.name) };
        drawing.parts.set(closed.id, part);
      },
      onprocessinginstruction(_name, data) {
        if (/!ENTITY[^>]*&/i.test(data)) isRefused = true;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  drawing.styled = namesIn(css);
  return isRefused ? null : drawing;
}

/** A marker is drawn at every vertex of its path, of which there are no more than numbers and commands. */
function elementOf(name: string, attributes: Readonly<Record<string, string>>): Drawing["elements"][number] {
  const shape = `${attributes["d"] ?? ""} ${attributes["points"] ?? ""}`;
  const vertices = shape.match(/[a-z]|\d+/gi)?.length ?? 0;
  const hasMarkers = Object.entries(attributes).some(([key, value]) =>
    /marker/i.test(key === "style" ? value : key),
  );
  return {
    draws: drawnBy(attributes),
    times: hasMarkers ? 1 + vertices : 1,
    vertices,
    isUse: name === "use",
  };
}

function drawnBy(attributes: Readonly<Record<string, string>>): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const address = localName(name) === "href" ? /^\s*#(.{1,200}?)\s*$/.exec(value)?.[1] : undefined;
    return address === undefined ? namesIn(value) : [nameOf(address)];
  });
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(REFERENCES)].map(([, name = ""]) => nameOf(name.trim()));

/** A fragment as the name that it refers to. */
function nameOf(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase();
