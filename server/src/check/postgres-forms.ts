/** Whether what follows the header of a PostgreSQL message has the form that its type asks for, to the last byte. */
export type Form = (body: Buffer) => boolean;

/** What a result can have (PostgreSQL, appendix K). */
const MAX_COLUMNS = 1664;
/** What follows a column's name in its description. */
const DESCRIPTION_BYTES = 18;

export const isEmpty: Form = (body) => body.length === 0;

/** Whether it is so many strings, each with its zero. */
export const isStrings = (body: Buffer, count: number): boolean =>
  body.at(-1) === 0 && body.reduce((zeros, byte) => zeros + (byte === 0 ? 1 : 0), 0) === count;

/** Strings, and a zero where the next would begin. */
export const isList: Form = (body) => body.at(-1) === 0 && (body.length === 1 || body.at(-2) === 0);

/** A row: each value is as long as it says, or NULL. */
export const isDataRow = columnsOf((body, at) => {
  const length = at + 4 > body.length ? Number.NaN : body.readInt32BE(at);
  return length < -1 ? Number.NaN : at + 4 + Math.max(length, 0);
});

/** What a result's columns are called, and of which types they are. */
export const isRowDescription = columnsOf((body, at) => {
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
