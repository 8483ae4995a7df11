import { deflateRawSync, inflateRawSync } from "node:zlib";
import { isStoredOutcome } from "../check/outcome.ts";
import { factJson, parseFact, readFact } from "../texts/fact.ts";
import { type BitReader, type BitWriter, overrun, takeBits } from "./bits.ts";
import { putIntegers, putNumber, takeIntegers, takeNumber } from "./pack-numbers.ts";
import { phaseBitsOf, phasesOf } from "./pack-phases.ts";
import type { StoredResult } from "./stored-result.ts";

/**
 * What many results of an hour have in common: everything but times and durations. As a rule an hour
 * has one shape, so that all this takes a few bytes an hour; an outage adds one for each reason.
 */
export interface Shape
  extends Pick<StoredResult, "outcome" | "statusCode" | "reason" | "message" | "maintenance"> {
  /** A bit for each phase that is there (pack-phases.ts). */
  phases: number;
}

/** The different shapes, and for each result which of them it has. */
export function shapesOf(results: readonly StoredResult[]): { shapes: Shape[]; indexes: number[] } {
  const shapes: Shape[] = [];
  const known = new Map<string, number>();
  let lastKey = "";
  let last = -1;
  const indexes = results.map((result) => {
    const { outcome, statusCode, reason, message, maintenance } = result;
    const phases = phasesOf(result);
    // What was said comes last, as it may hold anything.
    const said = reason === null && message === null ? "" : JSON.stringify([reason, message]);
    const key = `${outcome} ${statusCode} ${maintenance} ${phases} ${said}`;
    if (key === lastKey) return last;
    let index = known.get(key);
    if (index === undefined) {
      index = shapes.push({ outcome, statusCode, reason, message, maintenance, phases }) - 1;
      known.set(key, index);
    }
    lastKey = key;
    last = index;
    return index;
  });
  return { shapes, indexes };
}

/** Writes the shapes and returns their texts, which are stored in front of the columns. */
export function packShapes(writer: BitWriter, shapes: readonly Shape[], format: number): Uint8Array {
  const texts: string[] = [];
  const known = new Map<string, number>();
  // 0: none; otherwise one more than the text's place in the list.
  const place = (text: string | null) => {
    if (text === null) return 0;
    if (!known.has(text)) known.set(text, texts.push(text));
    return known.get(text) as number;
  };
  putNumber(writer, shapes.length);
  for (const shape of shapes) {
    if (!isStoredOutcome(shape.outcome)) throw new RangeError(`There is no outcome ${shape.outcome}.`);
    writer.put(shape.outcome, 2);
    writer.put(shape.maintenance, 1);
    writer.put(shape.phases, phaseBitsOf(format));
    writer.put(shape.statusCode === null ? 0 : 1, 1);
    if (shape.statusCode !== null) putIntegers(writer, [shape.statusCode]);
    putNumber(writer, place(factJson(shape.reason)));
    putNumber(writer, place(factJson(shape.message)));
  }
  return packTexts(texts);
}

export function unpackShapes(reader: BitReader, texts: Uint8Array, format: number): Shape[] {
  const list = unpackTexts(texts);
  const text = (place: number) => {
    const found = place === 0 ? null : list[place - 1];
    if (found === undefined) throw new RangeError("a text is missing");
    return found;
  };
  const shapes: Shape[] = [];
  const count = takeNumber(reader);
  for (let i = 0; i < count && !overrun(reader); i += 1) {
    shapes.push({
      outcome: takeBits(reader, 2) as Shape["outcome"],
      maintenance: takeBits(reader, 1) as Shape["maintenance"],
      phases: takeBits(reader, phaseBitsOf(format)),
      statusCode: takeBits(reader, 1) === 1 ? (takeIntegers(reader, 1)[0] as number) : null,
      ...takeFacts(text(takeNumber(reader)), text(takeNumber(reader)), format),
    });
  }
  return shapes;
}

/** Before format 3 a reason was its class and a sentence. */
const takeFacts = (first: string | null, second: string | null, format: number) =>
  format < 3
    ? { reason: readFact(second, first), message: null }
    : { reason: parseFact(first), message: parseFact(second) };

/** JSON, because it brings back any text, halves of surrogate pairs included; none takes no byte. */
function packTexts(texts: readonly string[]): Uint8Array {
  return texts.length === 0 ? new Uint8Array() : deflateRawSync(JSON.stringify(texts));
}

function unpackTexts(bytes: Uint8Array): string[] {
  return bytes.length === 0 ? [] : (JSON.parse(inflateRawSync(bytes).toString()) as string[]);
}
