import type { Admission } from "./driver-stream.ts";
import { type Form, isDataRow, isEmpty, isList, isRowDescription, isStrings } from "./postgres-forms.ts";

/** A message's type, and its length, which counts itself (PostgreSQL protocol, message formats). */
const HEADER_BYTES = 5;

type Forms = ReadonlyMap<string, Form>;

const AT_ANY_TIME: [string, Form][] = [
  ["E", isList],
  ["N", isList],
  ["S", (body) => isStrings(body, 2)],
  ["A", (body) => isStrings(body.subarray(4), 2)],
];
const READY: [string, Form] = ["Z", (body) => body.length === 1];
const LOGIN: Forms = new Map(AT_ANY_TIME);
const START: Forms = new Map([...AT_ANY_TIME, ["K", (body) => body.length >= 8], READY]);
const QUERIES: Forms = new Map([
  ...AT_ANY_TIME,
  ["1", isEmpty],
  ["2", isEmpty],
  ["n", isEmpty],
  ["T", isRowDescription],
  ["D", isDataRow],
  ["C", (body) => isStrings(body, 1)],
  READY,
]);

/** The steps of a login: the form of each, and which of them may be the next. */
const STEPS = new Map<number, { form: Form; next: readonly number[] }>([
  [0, { form: isEmpty, next: [] }],
  [3, { form: isEmpty, next: [0] }],
  [5, { form: (salt) => salt.length === 4, next: [0] }],
  [10, { form: isList, next: [11] }],
  [11, { form: () => true, next: [12] }],
  [12, { form: () => true, next: [0] }],
]);

/**
 * Lets whole messages through that the driver may believe. It believes every count and length in them, wherever those
 * lead; derives a key for each step of a login that asks for it; and answers messages that no query of ours brings. So
 * those only pass which a login and queries need, each in its form, and the steps of a login in their order.
 */
export function admitMessages(): Admission {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = HEADER_BYTES;
  const order = startOrder();
  return (bytes) => {
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes < neededBytes) return Buffer.alloc(0);
    const all = Buffer.concat(held);
    let at = 0;
    for (neededBytes = HEADER_BYTES; at + neededBytes <= all.length; neededBytes = HEADER_BYTES) {
      const type = String.fromCharCode(all[at] ?? 0);
      const length = all.readUInt32BE(at + 1);
      if (length < 4 || !order.mayCome(type)) return null;
      neededBytes = 1 + length;
      if (at + neededBytes > all.length) break;
      if (!order.take(type, all.subarray(at + HEADER_BYTES, at + neededBytes))) return null;
      at += neededBytes;
    }
    held = [all.subarray(at)];
    heldBytes = all.length - at;
    return all.subarray(0, at);
  };
}

/** Follows a login and what comes after it. */
function startOrder() {
  let forms = LOGIN;
  let steps: readonly number[] = [0, 3, 5, 10];
  const takeStep = (body: Buffer): boolean => {
    const step = body.length < 4 ? -1 : body.readUInt32BE(0);
    const { form, next } = STEPS.get(step) ?? {};
    if (!steps.includes(step) || next === undefined || !form?.(body.subarray(4))) return false;
    steps = next;
    if (step === 0) forms = START;
    return true;
  };
  return {
    mayCome: (type: string): boolean => (type === "R" ? steps.length > 0 : forms.has(type)),
    take: (type: string, body: Buffer): boolean => {
      if (type === "R") return takeStep(body);
      if (!forms.get(type)?.(body)) return false;
      if (type === "Z") forms = QUERIES;
      return true;
    },
  };
}
