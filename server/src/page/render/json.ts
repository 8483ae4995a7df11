/** A value as JSON. Halves of surrogate pairs, which no UTF-8 can hold and many readers refuse even when escaped, are replaced. */
export const jsonOf = (value: object): string =>
  JSON.stringify(value, (_key, one) => (typeof one === "string" ? one.toWellFormed() : one));
