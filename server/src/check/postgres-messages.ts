import type { Admission } from "./driver-stream.ts";

/** Whether what follows the header of a PostgreSQL message has the form that its type asks for, to the last byte. */
type Form = (body: Buffer) => boolean;

/** What a result can have (PostgreSQL, appendix K). */
const MAX_COLUMNS = 1664;
/** What follows a column's name in its description. */
const DESCRIPTION_BYTES = 18;

const isEmpty: Form = (body) => body.length === 0;

/** Whether it is so many strings, each with its zero. */
const isStrings = (body: Buffer, count: number): boolean =>
  body.at(-1) === 0 && body.reduce((zeros, byte) => zeros + (byte === 0 ? 1 : 0), 0) === count;

/** Strings, and a zero where the next would begin. */
const isList: Form = (body) => body.at(-1) === 0 && (body.length === 1 || body.at(-2) === 0);

/** A row: each value is as long as it says, or NULL. */
const isDataRow = columnsOf((body, at) => {
  const length = at + 4 > body.length ? Number.NaN : body.readInt32BE(at);
  return length < -1 ? Number.NaN : at + 4 + Math.max(length, 0);
});

/** What a result's columns are called, and of which types they are. */
const isRowDescription = columnsOf((body, at) => {
  const end = body.indexOf(0, at);
  return end < 0 ? Number.NaN : end + 1 + DESCRIPTION_BYTES;
});

/** A count, and as many columns; `endOf` says where the one ends that begins there, or NaN. */
function columnsOf(endOf: (body: Buffer, at: number) => number): Form {
  return (body) => {
    let left = body.length < 2 ? Number.NaN : body.readUInt16BE(0);
    if (left > MAX_COLUMNS) return false;
    let at = 2;
    for (; left > 0 && at < body.length; left--) at = endOf(body, at);
    return left === 0 && at === body.length;
  };
}

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
